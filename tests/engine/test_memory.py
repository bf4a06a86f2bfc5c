"""How much memory there is, read from files as Linux writes them in many places; and a real refusal."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ecocviz.engine import memory
from ecocviz.engine.memory import available_memory, check_memory, memory_limit

GIB = 1 << 30
NO_LIMIT_V1 = 9223372036854771712

V2_MOUNT = "24 18 0:22 {shown} /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
V1_MOUNT = "35 31 0:32 {shown} /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
OTHER_MOUNTS = (
    "18 1 8:1 / / rw,relatime shared:1 - ext4 /dev/vda rw\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n"
    "40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd\n"
)
LIMITS = (
    "Limit                     Soft Limit           Hard Limit           Units     \n"
    "Max cpu time              unlimited            unlimited            seconds   \n"
    "Max data size             {data:<20} unlimited            bytes     \n"
    "Max stack size            8388608              unlimited            bytes     \n"
    "Max address space         {space:<20} unlimited            bytes     \n"
)


class Machine:
    """A tree like that above /proc and /sys, of a machine with 16 GiB, 12 of them available."""

    def __init__(self, root):
        self.root = root
        self.write("proc/meminfo", f"MemTotal: {16 << 20} kB\nMemFree: 9 kB\nMemAvailable: {12 << 20} kB\n")

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(str(text), encoding="utf-8")
        memory._groups.cache_clear()
        return self

    def process(self, groups, mounts, data="unlimited", space="unlimited"):
        self.write("proc/self/cgroup", groups)
        self.write("proc/self/mountinfo", OTHER_MOUNTS + mounts)
        self.write("proc/self/status", f"Name:\tpython\nVmSize:\t {1 << 20} kB\nVmData:\t {512 << 10} kB\n")
        return self.write("proc/self/limits", LIMITS.format(data=data, space=space))

    def v2(self, path, usage, cache=0, **limits):
        folder = f"sys/fs/cgroup{path}/memory"
        for name in ("max", "high"):
            self.write(f"{folder}.{name}", f"{limits.get(name, 'max')}\n")
        self.write(f"{folder}.current", f"{usage}\n")
        return self.write(
            f"{folder}.stat", f"anon 5\nfile {2 * cache}\ninactive_file {cache}\nactive_file 7\n"
        )

    def v1(self, path, usage, cache=0, limit=NO_LIMIT_V1):
        folder = f"sys/fs/cgroup/memory{path}/memory"
        self.write(f"{folder}.limit_in_bytes", f"{limit}\n").write(f"{folder}.usage_in_bytes", f"{usage}\n")
        return self.write(f"{folder}.stat", f"inactive_file 3\ntotal_cache 9\ntotal_inactive_file {cache}\n")

    @property
    def says(self):
        return available_memory(self.root) / GIB, memory_limit(self.root) / GIB


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


# Where the process may be ----------------------------------------------------------------------------


def test_a_machine_of_its_own_has_what_the_host_says(machine):
    assert machine.says == (12, 16)
    assert machine.process("0::/user.slice\n", V2_MOUNT.format(shown="/")).says == (12, 16)
    assert machine.v2("/user.slice", usage=3 * GIB).says == (12, 16)


def test_version_2_in_a_container_that_sees_itself_as_the_top(machine):
    machine.process("0::/\n", V2_MOUNT.format(shown="/"))
    assert machine.v2("", usage=GIB, max=3 * GIB // 2).says == (0.5, 1.5)


def test_file_cache_that_can_be_dropped_is_free(machine):
    machine.process("0::/\n", V2_MOUNT.format(shown="/"))
    assert machine.v2("", usage=GIB, cache=GIB // 4, max=3 * GIB // 2).says == (0.75, 1.5)


def test_the_soft_limit_of_version_2_counts_too(machine):
    machine.process("0::/\n", V2_MOUNT.format(shown="/"))
    assert machine.v2("", usage=GIB, max=4 * GIB, high=2 * GIB).says == (1, 2)
    assert machine.v2("", usage=GIB, high=3 * GIB).says == (2, 3)


def test_the_tightest_group_around_the_process_counts(machine):
    machine.process("0::/kubepods.slice/pod1.slice/cri-2.scope\n", V2_MOUNT.format(shown="/"))
    machine.v2("/kubepods.slice", usage=7 * GIB, max=8 * GIB)
    machine.v2("/kubepods.slice/pod1.slice", usage=GIB // 2, max=4 * GIB)
    machine.v2("/kubepods.slice/pod1.slice/cri-2.scope", usage=GIB // 4)
    assert machine.says == (1, 4)
    assert machine.v2("/kubepods.slice/pod1.slice/cri-2.scope", usage=GIB // 4, max=GIB // 2).says == (
        0.25,
        0.5,
    )


def test_version_1_on_the_host_and_its_number_for_no_limit(machine):
    machine.process("4:memory:/docker/ab\n1:cpu:/docker/ab\n0::/docker/ab\n", V1_MOUNT.format(shown="/"))
    machine.v1("", usage=5 * GIB).v1("/docker", usage=2 * GIB).v1("/docker/ab", usage=GIB)
    assert machine.says == (12, 16)
    assert machine.v1("/docker/ab", usage=GIB, cache=GIB // 2, limit=2 * GIB).says == (1.5, 2)


def test_version_1_in_a_container_shows_its_own_group_at_the_mount(machine):
    machine.process("11:cpu,memory:/docker/ab\n", V1_MOUNT.format(shown="/docker/ab"))
    assert machine.v1("", usage=GIB, limit=2 * GIB).says == (1, 2)


def test_a_group_below_that_which_the_container_shows(machine):
    machine.process("4:memory:/docker/ab/inner\n", V1_MOUNT.format(shown="/docker/ab"))
    machine.v1("", usage=GIB, limit=3 * GIB).v1("/inner", usage=GIB // 2, limit=GIB)
    assert machine.says == (0.5, 1)


@pytest.mark.parametrize("path", ["/elsewhere", "/../../outside", "/docker/gone"])
@pytest.mark.parametrize("shown", ["/docker/ab", "/../..", "/"])
def test_a_place_that_cannot_be_seen_falls_back_to_the_mount(machine, path, shown):
    machine.process(f"0::{path}\n", V2_MOUNT.format(shown=shown))
    assert machine.v2("", usage=GIB, max=2 * GIB).says == (1, 2)


def test_both_versions_at_once(machine):
    """Memory belongs to one of them; the other has no memory files."""
    mounts = V1_MOUNT.format(shown="/") + V2_MOUNT.format(shown="/").replace(
        "/sys/fs/cgroup ", "/sys/fs/cgroup/unified "
    )
    machine.process("4:memory:/box\n1:name=systemd:/box\n0::/box\n", mounts)
    machine.write("sys/fs/cgroup/unified/box/cgroup.procs", "1\n")
    assert machine.v1("/box", usage=GIB, limit=2 * GIB).says == (1, 2)


def test_a_mount_with_a_space_in_its_name(machine):
    machine.process("0::/\n", V2_MOUNT.format(shown="/").replace("/sys/fs/cgroup ", "/my\\040groups "))
    machine.write("my groups/memory.max", 2 * GIB).write("my groups/memory.current", GIB)
    assert machine.says == (1, 2)


def test_a_limit_above_the_machine_is_none_and_an_overdrawn_one_leaves_nothing(machine):
    machine.process("0::/\n", V2_MOUNT.format(shown="/"))
    assert machine.v2("", usage=GIB, max=64 * GIB).says == (12, 16)
    assert machine.v2("", usage=3 * GIB, max=2 * GIB).says == (0, 2)


# Limits of the process -------------------------------------------------------------------------------


def test_a_process_may_be_limited_itself(machine):
    group = ("0::/\n", V2_MOUNT.format(shown="/"))
    assert machine.process(*group, space=2 * GIB).says == (1, 2)
    assert machine.process(*group, data=2 * GIB).says == (1.5, 2)
    assert machine.process(*group, data=GIB, space=8 * GIB).says == (0.5, 1)
    assert machine.v2("", usage=GIB, max=5 * GIB // 4).says == (0.25, 1)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux counts data against a limit")
@pytest.mark.parametrize("limit", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_a_process_that_may_have_little_trains_on_parts_or_refuses_with_a_sentence(limit):
    code = f"""
import resource
import numpy as np
from ecocviz.engine.kernels.gram import Kernel, gram_matrix
from ecocviz.engine.machines.kernel_machine import KernelMachine
KernelMachine(gamma=1.0).fit(np.eye(4), np.array([0, 1, 0, 1]))
resource.setrlimit(resource.{limit}, (1_500_000_000, -1))
X = np.random.default_rng(0).normal(size=(25_000, 4))
print(KernelMachine(gamma=1.0).fit(X, X[:, 0] > 0).columns_.converged.all())
try:
    gram_matrix(Kernel("rbf", 1.0, 1, 1.0), X, dtype=np.float32)
except ValueError as refusal:
    print(refusal)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    trained, sentence = done.stdout.splitlines()
    assert trained == "True"
    assert sentence.startswith("The kernel matrix of 25000 points needs 2.3 GiB, and only "), done
    assert sentence.endswith("use a random subsample of the points or a linear machine.")


# Where nobody tells ----------------------------------------------------------------------------------


def test_too_large_a_matrix_is_refused_with_the_number():
    assert check_memory(1000, 1000, 8, available=1 << 30) == 8_000_000
    with pytest.raises(ValueError, match=r"37\.3 GiB.*8\.0 GiB.*subsample"):
        check_memory(100_000, 100_000, 4, available=8 << 30)
    with pytest.raises(ValueError, match="free"):
        check_memory(10**9, 10**9, 8)


def test_this_machine_says_something_sensible():
    assert 1 << 20 < available_memory() <= memory_limit()


def test_memory_where_the_system_does_not_tell(monkeypatch, tmp_path):
    silent = Machine(tmp_path).write("proc/meminfo", "Slab: 1 kB\n")
    assert available_memory(silent.root) > 1 << 20
    assert memory_limit(silent.root) > 1 << 20

    def unknown(_name):
        raise ValueError

    monkeypatch.setattr(memory.os, "sysconf", unknown)
    for root in (silent.root, tmp_path / "absent"):
        assert available_memory(root) == memory_limit(root) == 4 << 30


GROUPS = Path("/sys/fs/cgroup/memory")
IN_A_GROUP = """
import os, sys
from pathlib import Path
Path(sys.argv[1], "cgroup.procs").write_text(str(os.getpid()))
import numpy as np
from ecocviz import ECOCClassifier
from ecocviz.engine.kernels.gram import Kernel, gram_matrix
from ecocviz.engine.memory import memory_limit
print(memory_limit())
X = np.random.default_rng(0).normal(size=(25_000, 5))
print(ECOCClassifier().fit(X, np.digitize(X[:, 0], [-0.5, 0.5])).columns_.converged.all())
try:
    gram_matrix(Kernel("rbf", 1.0, 1, 1.0), X, dtype=np.float32)
except ValueError as refusal:
    print(refusal)
"""


@pytest.mark.skipif(not os.access(GROUPS / "tasks", os.W_OK), reason="no control group can be made here")
def test_in_a_real_container_of_little_memory_a_large_problem_is_trained_on_parts():
    group, limit = GROUPS / f"ecocviz-test-{os.getpid()}", 1536 << 20
    group.mkdir()
    try:
        (group / "memory.limit_in_bytes").write_text(str(limit))
        command = [sys.executable, "-c", IN_A_GROUP, str(group)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    finally:
        group.rmdir()
    told, trained, sentence = done.stdout.splitlines()
    assert int(told) == limit
    assert trained == "True"
    assert re.fullmatch(r"The kernel matrix of 25000 points needs 2\.3 GiB, and only 1\.\d GiB .*", sentence)
