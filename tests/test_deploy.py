"""The files in deploy/: what can be checked of them without a Docker engine."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from ecocviz.cli import _parser
from ecocviz.serving.front_haproxy import find_haproxy
from ecocviz.serving.handed import read_networks
from ecocviz.serving.hosts import ALLOWED

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


@pytest.fixture
def certificates(tmp_path):
    """A key and a certificate of a day, as nginx and haproxy want them."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    key, certificate = tmp_path / "server.key", tmp_path / "server.crt"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=class"]
    subprocess.run([*made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    (tmp_path / "server.pem").write_text(certificate.read_text() + key.read_text())
    return tmp_path


@pytest.mark.parametrize(
    ("file", "pattern"),
    [("Dockerfile", r"exec ecocviz (.*)\"\]"), ("ecocviz.service", r"^ExecStart=\S*/ecocviz (.*)$")],
)
def test_the_commands_are_understood(file, pattern):
    (command,) = re.findall(pattern, (DEPLOY / file).read_text("utf-8"), flags=re.MULTILINE)
    words = command.replace("${WORKERS}", "4").replace("${OPTIONS}", "").split()
    chosen = _parser().parse_args(words)
    assert (chosen.command, chosen.workers, chosen.port) == ("serve", 4, 8501)
    assert not chosen.shared


@pytest.mark.parametrize(
    ("file", "pattern"),
    [("compose.yml", r'^ +# OPTIONS: "(.*)"$'), ("ecocviz.service", r"^#ExecStart=\S*/ecocviz serve (.*)$")],
)
def test_the_commands_of_a_shared_server_are_understood(file, pattern):
    (options,) = re.findall(pattern, (DEPLOY / file).read_text("utf-8"), flags=re.MULTILINE)
    chosen = _parser().parse_args(["serve", *options.split()])
    assert (chosen.shared, chosen.operator_port) == (True, 8502)
    assert chosen.access_code_file.is_absolute()
    assert len(read_networks(chosen.behind)) == 1


def test_the_lines_of_a_shared_server_fit_the_services():
    text = (DEPLOY / "compose.yml").read_text("utf-8")
    chosen = yaml.safe_load(re.sub(r"^( *)# (?=OPTIONS:|secrets:|  )", r"\1", text, flags=re.MULTILINE))
    (secret,) = chosen["services"]["app"]["secrets"]
    assert chosen["secrets"] == {secret: {"file": "./access_code"}}
    assert f"/run/secrets/{secret} " in chosen["services"]["app"]["environment"]["OPTIONS"]


def test_the_services_fit_each_other():
    services = yaml.safe_load((DEPLOY / "compose.yml").read_text("utf-8"))["services"]
    assert set(services) == {"app", "front"}
    assert (DEPLOY / services["app"]["build"]["context"]).resolve() == ROOT
    assert (ROOT / services["app"]["build"]["dockerfile"]).is_file()
    assert (DEPLOY / services["front"]["volumes"][0].split(":")[0]).is_file()
    nginx = (DEPLOY / "nginx.conf").read_text("utf-8")
    assert "proxy_pass http://app:8501;" in nginx
    assert "proxy_set_header Host $http_host;" in nginx
    assert f"server_name {services['app']['environment'][ALLOWED]};" in nginx
    unit = (DEPLOY / "ecocviz.service").read_text("utf-8")
    assert {f"Environment={ALLOWED}=ecocviz.example", "UMask=0077"} <= set(unit.splitlines())
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")
    for name in re.findall(r"-c (\S+\.txt)", dockerfile):
        assert (ROOT / name).is_file()


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
def test_nginx_accepts_its_configuration(certificates):
    own = (DEPLOY / "nginx.conf").read_text("utf-8")
    own = own.replace("/etc/nginx/certificates", str(certificates)).replace("app:8501", "127.0.0.1:8501")
    whole = certificates / "nginx.conf"
    whole.write_text(f"pid {certificates}/pid; events {{}} http {{ {own} }}")
    done = subprocess.run([NGINX, "-t", "-c", whole], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(find_haproxy() is None, reason="haproxy is not installed")
def test_haproxy_accepts_the_configuration_for_several_machines(certificates):
    text = (DEPLOY / "haproxy-machines.cfg").read_text("utf-8")
    file = certificates / "haproxy.cfg"
    file.write_text(text.replace("/etc/haproxy/certificates", str(certificates)))
    done = subprocess.run([find_haproxy(), "-c", "-f", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
