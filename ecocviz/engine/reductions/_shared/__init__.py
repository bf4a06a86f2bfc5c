"""What the families of reductions share; discovery passes this package by."""
