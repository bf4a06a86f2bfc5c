"""Opens the browser when the server is there: an ASGI server leaves that to the app."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from streamlit.cli_util import open_browser
from streamlit.starlette import App


@asynccontextmanager
async def opening(_app: App) -> AsyncIterator[None]:
    """Open the browser at the start, unless the server was told to do without."""
    if not st.get_option("server.headless"):
        address = st.get_option("server.address") or "localhost"
        # The port listens already; the browser is answered when this is over.
        asyncio.get_running_loop().call_soon(open_browser, f"http://{address}:{st.get_option('server.port')}")
    yield
