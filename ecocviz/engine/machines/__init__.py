"""One binary learner per file, each with a constant MACHINE."""
