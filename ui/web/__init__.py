"""The Streamlit page. May not look into: ui.terminal."""
