"""The user interface: the only room, with `pages/`, that knows Streamlit."""
