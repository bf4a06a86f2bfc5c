"""The colours of pages that the server writes itself: those of the themes, which serving does not know."""

COLOURS = """\
:root { color-scheme: light dark; --back: #ffffff; --card: #f6f7f9; --text: #1c2330; --soft: #5f6b7e;
  --line: #e3e6eb; --main: #2a66c8; --on-main: #ffffff; --wrong: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --back: #12161d; --card: #1a202a; --text: #e8ecf3; --soft: #98a2b3; --line: #2a3240;
    --main: #7fb0ff; --on-main: #12161d; --wrong: #ff8a80; }
}
"""
