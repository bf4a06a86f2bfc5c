"""Papers: what they claim, measured again, ours beside theirs, and the verdict."""

from ecocviz.views.papers.page import show

show()
