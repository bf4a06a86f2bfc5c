"""Serving a class: several app processes behind one sticky front. Knows neither Streamlit nor the app."""
