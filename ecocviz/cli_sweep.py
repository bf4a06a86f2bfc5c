"""`ecocviz sweep`: a scenario over values of its fields, each point measured, here or by workers."""
