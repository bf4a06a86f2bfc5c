"""Relations: how alike the machines are in their weights, scores and errors, and what two of them do."""

from ecocviz.views.relations.page import show

show()
