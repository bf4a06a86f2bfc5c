"""What a person sees: one folder a view, and what all views share. No view knows another."""
