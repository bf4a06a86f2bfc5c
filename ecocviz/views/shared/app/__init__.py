"""The app around the views: the only room, with the views' pages, that knows Streamlit."""
