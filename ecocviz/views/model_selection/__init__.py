"""Model selection: errors over one parameter, and what choosing by each of them costs."""
