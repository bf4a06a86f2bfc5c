"""Evidence: how claims are measured again, judged, and kept; the claims themselves are in `lab/papers`."""
