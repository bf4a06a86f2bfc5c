"""The app: the table of contents."""

from ecocviz.ui.layout import serve

serve(
    (
        ("pages/playground.py", "Playground"),
        ("pages/decoders.py", "Decoders"),
        ("pages/bits.py", "Bits"),
        ("pages/relations.py", "Relations"),
        ("pages/model_selection.py", "Model selection"),
    )
)
