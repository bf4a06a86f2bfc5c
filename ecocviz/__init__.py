"""ecocviz: see how a multiclass problem is solved with binary classifiers."""

__version__ = "0.1.0"
