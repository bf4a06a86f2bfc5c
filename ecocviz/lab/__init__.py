"""The lab: scenarios, runs and everything that is kept of them. Knows no widgets."""
