"""The command line, run in this process where nothing has to be served."""

import errno
import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock, create_autospec

import pytest

import ecocviz
from ecocviz import cli
from ecocviz.data.policy import current_policy
from ecocviz.lab import quiet
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.quiet import watch_errors
from ecocviz.lab.run import run
from ecocviz.lab.scenario import make_scenario
from ecocviz.serving.addresses import free_port
from ecocviz.serving.processes import serve
from ecocviz.serving.reach import listening

ROOT = Path(__file__).resolve().parent.parent


def call(capsys, *arguments):
    """Run the command line; return its status, what it printed and what it complained about."""
    status = cli.main(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def refused(capsys, *arguments):
    """Run a command line that must fail with one sentence; return the sentence."""
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("ecocviz: ")
    assert err.count("\n") == 1
    return err


# run -----------------------------------------------------------------------------------------------


def test_run_prints_the_numbers_of_the_same_run(capsys):
    status, out, err = call(
        capsys, "run", "--set", "coding=one-vs-one", "decoding=hamming", "seed=3", "--json"
    )
    assert (status, err) == (0, "")
    expected = run(make_scenario(coding="one-vs-one", decoding="hamming", seed=3))
    printed = json.loads(out)
    assert printed["scenario"] == expected.scenario.to_flat()
    assert printed["classes"] == list(expected.trained.classes)
    assert (printed["n_classes"], printed["n_bits"]) == expected.trained.code_matrix.shape
    for part, outcome in (("train", expected.train), ("test", expected.test)):
        assert printed[part]["points"] == outcome.rows.size
        assert printed[part]["wrong"] == sum(outcome.labels != outcome.truth)
        assert printed[part]["error"] == pytest.approx(outcome.n_wrong / outcome.rows.size)


def test_run_prints_text_that_names_every_choice(capsys):
    status, out, _ = call(capsys, "run", "--set", "decoding=hamming")
    assert status == 0
    fields = dict(line.split(maxsplit=1) for line in out.splitlines() if not line.startswith("note"))
    assert set(SLOTS) <= set(fields)
    assert fields["decoding"].startswith(SLOTS["decoding"]["hamming"].title)
    result = run(make_scenario(decoding="hamming"))
    wrong, points = result.test.n_wrong, result.test.rows.size
    assert f"test error      {100 * wrong / points:.1f} % ({wrong} of {points})" in out


def test_run_reads_a_file_and_settings_change_it(capsys, tmp_path):
    scenario = make_scenario(coding="one-vs-one", machine=("kernel", {"gamma": 0.25, "C": 2.0}), seed=5)
    file = tmp_path / "experiment.toml"
    file.write_text(scenario.to_toml(), "utf-8")
    _, out, _ = call(capsys, "run", str(file), "--json")
    assert json.loads(out)["scenario"] == scenario.to_flat()
    _, out, _ = call(
        capsys, "run", str(file), "--json", "--set", "machine.gamma=0.5", "--set", "decoding=linear"
    )
    changed = scenario.chosen("machine", gamma=0.5).chosen("decoding", "linear")
    assert json.loads(out)["scenario"] == changed.to_flat()


def test_another_entry_in_a_slot_takes_the_old_parameters_with_it(capsys, tmp_path):
    before = make_scenario(data=("blobs", {"n_samples": 200}))
    file = tmp_path / "experiment.toml"
    file.write_text(before.to_toml(), "utf-8")
    assert len(before.to_flat()) == 2
    _, out, _ = call(capsys, "run", str(file), "--json", "--set", "data=moons")
    assert json.loads(out)["scenario"] == make_scenario(data="moons").to_flat()


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("coding=teapot", "coding 'teapot' does not exist"),
        ("machine.gamma=wide", "machine.gamma 'wide' is not allowed"),
        ("machine.gamma=nan", "machine.gamma 'nan' is not allowed"),
        ("colour=red", "'colour' is unknown"),
        ("seed", "--set takes NAME=VALUE"),
    ],
)
def test_what_cannot_be_run_as_written_is_refused(capsys, setting, sentence):
    assert sentence in refused(capsys, "run", "--set", setting)


def test_unreadable_files_are_one_sentence(capsys, tmp_path):
    assert "cannot be read: No such file" in refused(capsys, "run", str(tmp_path / "none.toml"))
    assert "cannot be read: Is a directory" in refused(capsys, "run", str(tmp_path))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    assert "not a text file" in refused(capsys, "run", str(tmp_path / "binary"))
    (tmp_path / "broken.toml").write_text("coding = [", "utf-8")
    assert "not a scenario" in refused(capsys, "run", str(tmp_path / "broken.toml"))


# list ----------------------------------------------------------------------------------------------


def test_list_prints_every_entry_with_a_file_that_is_there(capsys):
    status, out, _ = call(capsys, "list")
    assert status == 0
    lines = out.splitlines()
    keys = [f"{slot}={key}" for slot, entries in SLOTS.items() for key in entries]
    assert [line.split()[0] for line in lines] == keys
    for line in lines:
        assert (ROOT / line.split()[-1]).is_file(), line


def test_list_names_the_file_an_entry_is_written_in(capsys):
    _, out, _ = call(capsys, "list", "coding")
    (line,) = [line for line in out.splitlines() if line.startswith("coding=one-vs-all ")]
    assert line.split(maxsplit=1)[1].split("  ")[0] == SLOTS["coding"]["one-vs-all"].title
    assert line.endswith(str(Path("ecocviz/engine/codings/one_vs_all.py")))


@pytest.mark.parametrize("slot", SLOTS)
def test_list_of_a_slot_prints_settings_that_run_takes(capsys, slot):
    _, out, _ = call(capsys, "list", slot)
    lines = out.splitlines()
    printed = [line.split()[0] for line in lines if line.startswith("    ")]
    declared = [
        f"{slot}.{param.name}={param.text(param.default)}"
        for entry in SLOTS[slot].values()
        for param in entry.params
    ]
    assert printed == declared
    assert len(lines) == len(declared) + len(SLOTS[slot])


def test_an_unknown_slot_is_one_sentence(capsys):
    assert "There is no slot 'kettle'; the slots are data," in refused(capsys, "list", "kettle")


# the app -------------------------------------------------------------------------------------------


def test_the_app_is_found_and_served_on_this_machine_only():
    command = cli.app_command(8765, browser=False)
    assert cli.find_app() == ROOT / "app.py"
    assert command[:3] == [sys.executable, "-m", "ecocviz.views.shared.app.serve"]
    assert command[3] == str(ROOT / "app.py")
    options = dict(zip(command[4::2], command[5::2], strict=True))
    assert options == {
        "--server.address": "127.0.0.1",
        "--server.port": "8765",
        "--server.headless": "true",
    }
    assert cli.app_command(8765, browser=True)[-1] == "false"


def test_a_busy_port_is_one_sentence(capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        sentence = refused(capsys, "--no-browser", "--port", str(port))
    assert f"Port {port} is in use by another program; choose another" in sentence


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "99999999999", "８５０１"])
def test_a_port_is_checked(capsys, port):
    with pytest.raises(SystemExit) as stop:
        cli.main([f"--port={port}"])
    assert stop.value.code == 2
    assert "a port is a whole number from 1 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "-1", "65", "two", "1.5", ""])
def test_the_number_of_processes_is_checked(capsys, number):
    with pytest.raises(SystemExit) as stop:
        cli.main(["serve", f"--workers={number}"])
    assert stop.value.code == 2
    assert "the number of processes is a whole number from 1 to 64" in capsys.readouterr().err


@pytest.mark.parametrize("workers", ["1", "2"])
def test_serve_says_what_is_wrong_with_host_and_port(capsys, workers):
    serve = ["serve", "--workers", workers]
    assert "There is no host 'nowhere.invalid'" in refused(capsys, *serve, "--host", "nowhere.invalid")
    assert "not an address of this computer" in refused(capsys, *serve, "--host", "192.0.2.7")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert f"Port {port} is in use" in refused(capsys, *serve, "--port", port)
        assert f"Port {port} is in use" in refused(capsys, "--port", port, *serve)


def test_one_process_is_served_without_a_front(monkeypatch, capsys):
    became = []
    monkeypatch.setattr(cli.os, "execv", lambda program, command: became.append((program, command)))
    monkeypatch.setattr(cli.subprocess, "call", lambda _: 0)
    monkeypatch.setattr("ecocviz.serving.reach.own_addresses", lambda: ("192.168.0.7", "fd00::2"))
    assert cli.main(["serve", "--host", "0.0.0.0", "--port", "8765"]) == 0  # noqa: S104 - nothing is bound
    assert became == [(sys.executable, cli.app_command(8765, "0.0.0.0"))]  # noqa: S104 - nothing is bound
    assert capsys.readouterr().out.splitlines() == [
        "ecocviz is at http://0.0.0.0:8765 (Ctrl+C stops it)",
        "The room opens http://192.168.0.7:8765",
    ]


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
@pytest.mark.parametrize(
    ("given", "environ", "ends"),
    [
        ([], {}, "--port 8501"),
        (["HOST=0.0.0.0", "PORT=8600"], {}, "--port 8600 serve --host '0.0.0.0'"),
        ([], {"HOST": "lectern"}, "--port 8501"),  # some shells say so, and nothing may be opened by that
    ],
)
def test_make_app_opens_the_app_to_the_room_only_when_asked(given, environ, ends):
    command = ["make", "--dry-run", "--old-file=.venv/.runtime-installed", "app", *given]
    given_by_make = {"HOST", "PORT", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"}  # of the make that runs the tests
    clean = {name: text for name, text in os.environ.items() if name not in given_by_make}
    done = subprocess.run(command, cwd=ROOT, env=clean | environ, capture_output=True, text=True, check=True)
    assert done.stdout.strip().splitlines()[-1].endswith(ends)


@pytest.mark.usefixtures("supervised")
def test_the_processes_behind_a_front_are_told_where_it_listens():
    port = free_port()
    assert cli.main(["serve", "--workers", "2", "--host", "0.0.0.0", "--port", str(port)]) == 0  # noqa: S104 - nothing is bound
    assert listening("127.0.0.1", 40_001) == ("0.0.0.0", port)  # noqa: S104 - as above


@pytest.fixture
def supervised(monkeypatch):
    """What the supervisor is started with; the processes of this test are not told to be quiet."""
    seen = []
    for name in ("ECOCVIZ_SHARED", "ECOCVIZ_OPENML", "ECOCVIZ_EMBED", "ECOCVIZ_MEMORY", "ECOCVIZ_LISTENS"):
        monkeypatch.setenv(name, "")  # so that what the command sets is taken back
    monkeypatch.setattr("ecocviz.lab.quiet.watch_errors", create_autospec(watch_errors))
    monkeypatch.setattr(
        "ecocviz.serving.processes.serve",
        create_autospec(serve, side_effect=lambda *given: seen.append(given)),
    )
    return seen


def test_more_hosts_are_told_to_the_app(capsys, supervised, monkeypatch):
    monkeypatch.setenv("ECOCVIZ_ALLOW_HOST", "one.example")
    assert call(capsys, "serve", "--workers=2", "--allow-host=two.example", "--allow-host=10.0.0.9")[0] == 0
    assert os.environ["ECOCVIZ_ALLOW_HOST"] == "one.example two.example 10.0.0.9 127.0.0.1"
    assert len(supervised) == 1
    for command in ([], ["serve", "--workers=2"]):
        assert "is no name of a host" in refused(capsys, *command, "--allow-host=https://two.example")


@pytest.fixture
def code_file(tmp_path):
    file = tmp_path / "code"
    file.touch(mode=0o600)
    file.write_text("swordfish\n")
    return file


def test_a_shared_server_has_a_supervisor_even_of_one_process(supervised, code_file):
    options = ["--shared", f"--access-code-file={code_file}", "--behind=10.0.0.0/8", "--behind=127.0.0.1"]
    options += [f"--operator-port={free_port()}", "--embed-in=https://a.example", "--embed-in=http://b:81"]
    assert cli.main(["serve", "--port", str(free_port()), *options]) == 0
    ((_, (address, _), n_apps, front, _, extras),) = supervised
    assert (address, n_apps, front) == ("127.0.0.1", 1, None)
    assert extras.code_file == code_file
    assert [str(network) for network in extras.behind] == ["10.0.0.0/8", "127.0.0.1/32"]
    assert extras.operator_port
    assert os.environ["ECOCVIZ_EMBED"] == "https://a.example http://b:81"
    policy = current_policy()
    assert policy.shared and not policy.openml
    assert quiet.watch_errors.call_args.kwargs == {"quiet": True}


def test_openml_is_allowed_where_the_command_says_so(supervised):
    assert cli.main(["serve", "--port", str(free_port()), "--shared", "--allow-openml"]) == 0
    assert supervised[0][-1].code_file is None
    assert current_policy().openml


def test_without_options_of_a_shared_server_there_is_no_desk(supervised):
    assert cli.main(["serve", "--port", str(free_port()), "--workers=2"]) == 0
    assert cli.main(["serve", "--port", str(free_port()), f"--operator-port={free_port()}"]) == 0
    assert [given[-1] is None for given in supervised] == [True, False]
    assert not current_policy().shared
    assert not quiet.watch_errors.called


@pytest.mark.parametrize("option", ["--access-code-file=x", "--allow-openml", "--behind=127.0.0.1"])
def test_options_of_a_shared_server_are_for_one(capsys, option):
    name = option.partition("=")[0]
    assert f"{name} is for a shared server; add --shared." in refused(capsys, "serve", option)


def test_what_a_shared_server_cannot_have_is_one_sentence(capsys, supervised, code_file):
    port = str(free_port())
    start = ["serve", "--port", port, "--shared"]
    assert "is no address and no network" in refused(capsys, *start, "--behind=nginx")
    assert "needs a port of its own" in refused(capsys, *start, "--operator-port", port)
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        sentence = refused(capsys, *start, "--operator-port", str(taken))
    assert f"Port {taken} is in use by another program; choose another: --operator-port." in sentence
    code_file.chmod(0o644)
    sentence = refused(capsys, *start, f"--access-code-file={code_file}")
    assert "Everybody on this computer can read or change" in sentence
    assert "cannot be read" in refused(capsys, *start, f"--access-code-file={code_file}.none")
    assert supervised == []


@pytest.mark.parametrize("site", ["course.example", "ftp://a", "https://a/b", "https://a b", "*"])
def test_a_site_is_checked(capsys, site):
    with pytest.raises(SystemExit) as stop:
        cli.main(["serve", f"--embed-in={site}"])
    assert stop.value.code == 2
    assert "a site is written like https://course.example" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "-1", "x", "1234567", "٣"])
def test_the_number_of_a_set_is_checked(capsys, number):
    with pytest.raises(SystemExit) as stop:
        cli.main(["fetch", number])
    assert stop.value.code == 2
    assert "a set of OpenML has a number such as 61" in capsys.readouterr().err


def test_a_missing_app_is_one_sentence(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(cli, "__file__", str(tmp_path / "ecocviz" / "cli.py"))
    assert "The app's own files are missing" in refused(capsys, "--no-browser")


# the command itself --------------------------------------------------------------------------------


def test_help_and_version_import_no_numerics():
    code = (
        "import sys; from ecocviz.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted({'numpy', 'numba', 'sklearn', 'pandas', 'streamlit'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("usage: ecocviz")
    assert done.stdout.endswith("[]\n")


def test_version(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"ecocviz {ecocviz.__version__}\n"


def test_a_reader_that_stops_early_gets_no_traceback():
    lister = subprocess.Popen(
        [sys.executable, "-m", "ecocviz.cli", "list"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    lister.stdout.close()
    assert lister.stderr.read() == ""
    assert lister.wait(timeout=60) == 0
    lister.stderr.close()


def ends(*arguments, **environment):
    """Run a command of its own with its output on a full disk, or in few letters."""
    full = environment.pop("full", False)
    with Path("/dev/full" if full else os.devnull).open("w") as out:
        return subprocess.run(
            [sys.executable, "-m", "ecocviz.cli", *arguments],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=out if full else subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="ascii",
            check=False,
        )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_what_cannot_be_printed_is_one_sentence():
    found = ends("link", full=True)
    assert (found.returncode, found.stderr) == (
        1,
        "ecocviz: What is to be printed cannot be written: No space left on device.\n",
    )


def test_a_fault_that_is_no_full_disk_is_not_told_as_one(capsys, monkeypatch):
    def fault(error):
        monkeypatch.setattr(cli, "link", Mock(side_effect=error))
        return call(capsys, "link")

    assert fault(OSError(errno.ENOSPC, "No space left"))[::2] == (1, "ecocviz: A file: No space left.\n")
    assert fault(PermissionError(errno.EACCES, "Denied", "/a"))[::2] == (1, "ecocviz: /a: Denied.\n")
    with pytest.raises(OSError, match="Cannot allocate memory"):
        fault(OSError(errno.ENOMEM, "Cannot allocate memory"))


def test_letters_that_the_terminal_does_not_know_are_no_mistake():
    found = ends("list", "machine", PYTHONIOENCODING="ascii")
    assert (found.returncode, found.stderr) == (0, "")
    assert "Kernel width \\u03b3" in found.stdout


# Memory ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [("--no-browser",), ("serve",), ("serve", "--workers", "2")])
def test_a_budget_that_cannot_be_read_is_refused_before_anything_is_served(capsys, monkeypatch, arguments):
    monkeypatch.setenv("ECOCVIZ_MEMORY", "much")
    sentence = refused(capsys, *arguments, "--port", str(free_port()))
    assert sentence == "ecocviz: ECOCVIZ_MEMORY is a number of bytes such as 4G or 512M, not 'much'.\n"


def test_several_processes_share_the_budget_of_one(monkeypatch):
    seen = []
    monkeypatch.setenv("ECOCVIZ_MEMORY", "3000")
    monkeypatch.setenv("ECOCVIZ_LISTENS", "")
    monkeypatch.setattr(
        "ecocviz.serving.processes.serve", lambda *_arguments: seen.append(os.environ["ECOCVIZ_MEMORY"])
    )
    assert cli.main(["serve", "--workers", "3", "--port", str(free_port())]) == 0
    assert seen == ["1000"]


def test_a_command_that_is_stopped_says_so_and_has_a_status_of_its_own(monkeypatch, capsys):
    def stopped(_chosen):
        raise KeyboardInterrupt

    monkeypatch.setattr("ecocviz.cli.run", stopped)
    assert cli.main(["run"]) == 130
    assert capsys.readouterr().err == "Stopped.\n"
