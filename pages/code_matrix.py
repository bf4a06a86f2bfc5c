"""Code matrix: a code as a grid that can be changed, what it promises and costs, and how it was found."""

from ecocviz.views.code_matrix.page import show

show()
