"""What a front costs: haproxy, nginx and python against the bare app process, in turns, on one app.

python benchmarks/fronts.py [ROUNDS]: prints a table for docs/decisions/0011. A front whose program is not
installed is left out.
"""

import asyncio
import http.client
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import streamlit
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

from ecocviz.cli import app_command
from ecocviz.serving.addresses import LOOPBACK, free_port
from ecocviz.serving.front_haproxy import config_text, find_haproxy
from ecocviz.serving.processes import is_healthy

SCENARIOS = ("machine.gamma=0.5", "machine.gamma=0.7", "decoding=hamming", "coding=one-vs-one")
NGINX = """\
worker_processes 1; daemon off; pid {folder}/pid; error_log stderr warn;
events {{ worker_connections 1024; }}
http {{
  access_log off; client_max_body_size 70m;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
  map $cookie_ecocviz_process $app {{ default p0; }}
  upstream p0 {{ server 127.0.0.1:{inner}; keepalive 16; }}
  server {{
    listen 127.0.0.1:{outer};
    location / {{
      proxy_pass http://$app; proxy_http_version 1.1; proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
      proxy_read_timeout 300s; proxy_buffering off;
    }}
  }}
}}
"""
PYTHON = """
import asyncio
from ecocviz.serving.front_asgi import AsgiFront
async def main():
    front = AsgiFront("127.0.0.1", {outer}, 1)
    await front.open(0, {inner})
    await front.start()
    await front.ended()
asyncio.run(main())
"""


def fronts(folder, inner):
    """Start every front there is; return name -> (port, process), the bare app among them."""
    started = {"none": (inner, None)}
    if program := find_haproxy():
        outer = free_port()
        (folder / "haproxy.cfg").write_text(config_text(LOOPBACK, outer, [inner], folder / "commands"))
        started["haproxy"] = outer, subprocess.Popen([program, "-db", "-f", str(folder / "haproxy.cfg")])
    if program := shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"):
        outer = free_port()
        (folder / "nginx.cfg").write_text(NGINX.format(folder=folder, inner=inner, outer=outer))
        started["nginx"] = outer, subprocess.Popen([program, "-c", str(folder / "nginx.cfg")])
    outer = free_port()
    code = PYTHON.format(inner=inner, outer=outer)
    started["Python"] = outer, subprocess.Popen([sys.executable, "-c", code])
    return started


def asset(port, path):
    """Time one request on a connection of its own."""
    begin = time.perf_counter()
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=30)
    connection.request("GET", path)
    size = len(connection.getresponse().read())
    connection.close()
    return time.perf_counter() - begin, size


async def change(socket, query):
    """Ask for the page of a link and wait until it is there; return the seconds and the number of frames."""
    message = BackMsg()
    message.rerun_script.query_string = query
    begin, frames = time.perf_counter(), 0
    await socket.send(message.SerializeToString())
    while True:
        frames += 1
        answer = ForwardMsg()
        answer.ParseFromString(await socket.recv())
        if answer.WhichOneof("type") == "script_finished":
            return time.perf_counter() - begin, frames


def used(process):
    """Processor time of a front, its workers' too."""
    if process is None:
        return 0.0
    family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    return sum(sum(member.cpu_times()[:2]) for member in family)


def memory(process):
    """Resident memory of a front in MB, its workers' too."""
    if process is None:
        return 0.0
    family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    return sum(member.memory_info().rss for member in family) / 1e6


async def measure(started, rounds):
    """Go through the fronts in turns; return name -> what -> seconds."""
    scripts = Path(streamlit.__file__).parent / "static" / "static" / "js"
    large = max(scripts.iterdir(), key=lambda file: file.stat().st_size)
    found = {name: {"ws": [], "asset": [], "health": [], "cpu": 0.0, "cpu http": 0.0} for name in started}
    sockets = {
        name: await connect(
            f"ws://{LOOPBACK}:{port}/_stcore/stream", subprotocols=["streamlit", "x"], max_size=None
        )
        for name, (port, _) in started.items()
    }
    order = list(started)
    for round_ in range(rounds + 2):
        order.append(order.pop(0))  # each is the first one equally often
        for name in order:
            port, process = started[name]
            before = used(process)
            for query in SCENARIOS:
                seconds, _ = await change(sockets[name], f"v=1&{query}")
                if round_ > 1:
                    found[name]["ws"].append(seconds)
            between = used(process)
            for what, path in (("asset", f"/static/js/{large.name}"), ("health", "/_stcore/health")):
                seconds, _ = await asyncio.to_thread(asset, port, path)
                if round_ > 1:
                    found[name][what].append(seconds)
            if round_ > 1:
                found[name]["cpu"] += between - before
                found[name]["cpu http"] += used(process) - between
    for socket in sockets.values():
        await socket.close()
    return found


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    folder = Path(tempfile.mkdtemp(prefix="ecocviz-fronts-"))
    inner = free_port()
    app = subprocess.Popen(
        app_command(inner), env={**os.environ, "ECOCVIZ_HOME": str(folder)}, stdout=subprocess.DEVNULL
    )
    started = {}
    try:
        while not is_healthy(inner):
            time.sleep(0.1)
        started = fronts(folder, inner)
        for port, _ in started.values():
            while not is_healthy(port):
                time.sleep(0.1)
        found = asyncio.run(measure(started, rounds))
        for name, (_, process) in started.items():
            found[name]["rss"] = memory(process)
    finally:
        for _, process in started.values():
            if process is not None:
                process.terminate()
                process.wait()
        app.terminate()
        app.wait()
        shutil.rmtree(folder)
    print(
        "front | page anew, ms: median, p95 | asset, ms | health, ms | its CPU, ms a page, ms an asset | MB"
    )
    for name, rows in found.items():
        n = len(rows["ws"])
        ws = sorted(rows["ws"])
        print(
            f"{name:8} {1e3 * statistics.median(ws):7.2f} {1e3 * ws[int(0.95 * n)]:7.2f}"
            f" {1e3 * statistics.median(rows['asset']):7.2f} {1e3 * statistics.median(rows['health']):7.2f}"
            f" {1e3 * rows['cpu'] / n:7.2f} {1e3 * rows['cpu http'] / len(rows['asset']):7.2f}"
            f" {rows['rss']:7.0f}"
        )


if __name__ == "__main__":
    main()
