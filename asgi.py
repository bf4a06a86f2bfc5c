"""The app for an ASGI server: `streamlit run asgi.py`."""

import os
from pathlib import Path

from streamlit.starlette import App

from ecocviz.serving.handed import take
from ecocviz.views.shared.app.guarded import begin, middleware
from ecocviz.views.shared.app.opening import opening

handed = take(os.environ)
begin(handed)
app = App(Path(__file__).with_name("app.py"), middleware=middleware(handed), lifespan=opening)
