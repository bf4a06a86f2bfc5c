"""One coding per file: a pure function and a constant CODING."""
