"""One decoding per file: a pure function and a constant DECODING."""
