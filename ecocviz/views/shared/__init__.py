"""What views share: drawing (plotly, no Streamlit) and the app (Streamlit)."""
