"""Small browser components: two canvases and two tables; their JavaScript is in `browser/`."""
