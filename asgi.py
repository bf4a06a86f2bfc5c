"""The app for an ASGI server: `streamlit run asgi.py`."""

from pathlib import Path

from starlette.middleware import Middleware
from streamlit.starlette import App

from ecocviz.views.shared.app.files import KeptFiles
from ecocviz.views.shared.app.opening import opening

app = App(Path(__file__).with_name("app.py"), middleware=[Middleware(KeptFiles)], lifespan=opening)
