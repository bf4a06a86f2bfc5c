"""Papers: what they claim, measured again, ours beside theirs, and the verdict."""
