"""The script that finds copied blocks: what counts, what is told, how long it takes."""

from scripts import copied_blocks

BODY = "\n".join(f"    x{k} = {k}" for k in range(14))
SCRIPT = "\n".join(f"  const x{k} = {k};" for k in range(14))


def checkout(tmp_path, **files):
    for name, text in files.items():
        folder, _, rest = name.partition("__")
        path = tmp_path / folder / rest.replace("_js", ".js").replace("_py", ".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def told(tmp_path, capsys, *options):
    status = copied_blocks.main(["--checkout", str(tmp_path), *options])
    return status, capsys.readouterr().out.splitlines()


def test_a_copied_block_is_told_once_with_both_its_places(tmp_path, capsys):
    checkout(tmp_path, ecocviz__a_py=f"def f():\n{BODY}\n", pages__b_py=f"def g():\n\n\n{BODY}\n    end()\n")
    status, lines = told(tmp_path, capsys)
    assert status == 1
    assert lines == ["14 lines: ecocviz/a.py:2-15 and pages/b.py:4-17, from `x0 = 0`"]


def test_what_does_not_run_does_not_count(tmp_path, capsys):
    half = BODY.splitlines()
    between = '    """Text,\n    text."""\n\n    # A comment.\n    import os\n'
    other = "\n".join((*half[:7], between, *(f"{line}  # so" for line in half[7:])))
    checkout(tmp_path, ecocviz__a_py=f"def f():\n{BODY}\n", ecocviz__b_py=f"def g():\n{other}\n")
    assert told(tmp_path, capsys)[1] == ["14 lines: ecocviz/a.py:2-15 and ecocviz/b.py:2-21, from `x0 = 0`"]
    # Imports and comments alone make no block, however many.
    same = "".join(f"import m{k}  # {k}\n# {k}\n" for k in range(40))
    assert told(checkout(tmp_path, ecocviz__a_py=same, ecocviz__b_py=same), capsys) == (0, [])


def test_as_many_lines_as_are_allowed(tmp_path, capsys):
    twelve = "\n".join(BODY.splitlines()[:12])
    checkout(
        tmp_path,
        ecocviz__a_py=f"def f():\n{twelve}\n    a()\n",
        ecocviz__b_py=f"def g():\n{twelve}\n    b()\n",
    )
    assert told(tmp_path, capsys) == (0, [])
    assert told(tmp_path, capsys, "--lines", "11")[0] == 1


def test_a_block_that_repeats_itself_ends_where_it_begins_anew(tmp_path, capsys):
    checkout(tmp_path, ecocviz__a_py=f"def f():\n{BODY}\n{BODY}\n")
    assert told(tmp_path, capsys)[1] == ["14 lines: ecocviz/a.py:2-15 and ecocviz/a.py:16-29, from `x0 = 0`"]


def test_javascript(tmp_path, capsys):
    commented = SCRIPT.replace("x3 = 3;", "x3 = 3; // three\n /* and\n more */")
    checkout(
        tmp_path,
        ecocviz__a_js=f'import {{ b }} from "./b.js";\nfunction f() {{\n{SCRIPT}\n}}',
        ecocviz__b_js=f"const g = () => {{\n{commented}\n  done(); }}",
    )
    assert told(tmp_path, capsys)[1] == [
        "14 lines: ecocviz/a.js:3-16 and ecocviz/b.js:2-17, from `const x0 = 0 ;`"
    ]


def test_a_text_or_pattern_is_no_comment():
    source = 'const a = "http://x"; // so\nconst b = x.replace(/"\\//g, `//${y}`);\nconst c = p / q / r;\n'
    lines = [line.text for line in copied_blocks.script_lines("a.js", source)]
    assert lines == [
        'const a = "http://x" ;',
        'const b = x . replace ( /"\\//g , `//${y}` ) ;',
        "const c = p / q / r ;",
    ]


def test_the_same_shape(tmp_path, capsys):
    renamed = "\n".join(f"    y{k} = {k + 5}" for k in range(14))
    table = "TABLE = (\n" + "".join(f"    ({k}, 'text'),\n" for k in range(40)) + ")\n"
    checkout(
        tmp_path,
        ecocviz__a_py=f"{table}def f():\n{BODY}\n",
        ecocviz__b_py=f"def g():\n{renamed}\n    return y1\n",
    )
    assert told(tmp_path, capsys) == (0, [])
    status, lines = told(tmp_path, capsys, "--shape")
    assert status == 1
    assert lines[0].startswith("15 lines: ecocviz/a.py:43-57 and ecocviz/b.py:1-15")
