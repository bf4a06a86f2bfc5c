"""Model selection: errors over one parameter, and what choosing by each of them costs."""

from ecocviz.views.model_selection.page import show

show()
