"""Small browser components: a canvas and two tables, plain JavaScript beside each module."""
