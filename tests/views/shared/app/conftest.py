"""Runs the browser components' logic with node."""

import json
import os
import shutil
import subprocess

import pytest

from ecocviz.views.shared.app.components.assets import source

NO_NODE = "The browser components' logic is tested with node, and none was found; install nodejs."


@pytest.fixture(scope="session")
def node_path():
    """The path of node."""
    path = shutil.which("node")
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(NO_NODE)
        pytest.skip(NO_NODE)
    return path


@pytest.fixture(scope="session")
def node_on(node_path, tmp_path_factory):
    """Give, for files of the components, a function that runs JavaScript with them at hand."""

    def on(*names):
        module = tmp_path_factory.mktemp("logic") / f"{names[-1]}.mjs"
        module.write_text(source(*names), encoding="utf-8")

        def call(body, given):
            """Run a function body with `logic` and `given` in reach; return what it returns."""
            script = (
                f"const logic = await import({json.dumps(module.as_uri())});"
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
