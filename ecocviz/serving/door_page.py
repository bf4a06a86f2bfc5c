"""The access page: one form, no script, nothing from elsewhere."""

import base64
import hashlib
import html

from ecocviz.serving.colours import COLOURS

LOOK = (
    COLOURS
    + """\
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
  background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; }
main { width: 100%; max-width: 24rem; padding: 1.6rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 6px; }
h1 { margin: 0 0 .3rem; font-size: 1.5rem; }
p { margin: 0 0 1.1rem; color: var(--soft); }
label { display: block; margin-bottom: .3rem; font-weight: 600; }
input, button { width: 100%; padding: .6rem .7rem; border-radius: 6px; font: inherit; }
input { border: 1px solid var(--soft); background: var(--back); color: inherit; }
button { margin-top: .9rem; border: 0; background: var(--main); color: var(--on-main); font-weight: 600;
  cursor: pointer; }
input:focus-visible, button:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
.problem { margin: .6rem 0 0; color: var(--wrong); }
"""
)
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Access code · ecocviz</title>
<style>{look}</style>
</head>
<body>
<main>
<h1>ecocviz</h1>
<p>See how a problem with many classes is solved by machines that only know two. This server is for those \
who were given its access code; the address that you followed opens afterwards.</p>
<form method="post">
<label for="code">Access code</label>
<input id="code" name="code" type="text" required autofocus autocomplete="off" autocapitalize="none" \
autocorrect="off" spellcheck="false" maxlength="200"{described}>
{problem}<button>Open</button>
</form>
</main>
</body>
</html>
"""


def door_policy(embedding: str) -> bytes:
    """Write the page's policy: nothing is loaded, nothing runs; the one style is known by its digest."""
    style = base64.b64encode(hashlib.sha256(LOOK.encode()).digest()).decode()
    return (
        "default-src 'none'; base-uri 'none'; form-action 'self'; "
        f"frame-ancestors {embedding}; style-src 'sha256-{style}'"
    ).encode()


def door_page(problem: str) -> str:
    """Write the page, with a sentence that says what was wrong with the last attempt, if anything was."""
    if not problem:
        return PAGE.format(look=LOOK, described="", problem="")
    told = f'<p class="problem" id="problem" role="alert">{html.escape(problem)}</p>\n'
    return PAGE.format(look=LOOK, described=' aria-invalid="true" aria-describedby="problem"', problem=told)
