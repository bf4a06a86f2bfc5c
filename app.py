"""The app: the table of contents."""

from ecocviz.views.shared.app.layout import serve

serve(
    (
        ("pages/playground.py", "Playground"),
        ("pages/data.py", "Data"),
        ("pages/code_matrix.py", "Code matrix"),
        ("pages/decoders.py", "Decoders"),
        ("pages/bits.py", "Bits"),
        ("pages/relations.py", "Relations"),
        ("pages/model_selection.py", "Model selection"),
        ("pages/reductions.py", "Reductions"),
        ("pages/runs.py", "Runs"),
        ("pages/papers.py", "Papers"),
    )
)
