"""Data: any data set, its classes and columns, and what its preparation and split make of it."""

from ecocviz.views.data.page import show

show()
