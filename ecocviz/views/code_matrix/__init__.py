"""Code matrix: a code as a grid that can be changed, what it promises and costs, and how it was found."""
