"""`sereval check`: what breaks the rules of a grammar, with file and line."""

from cli_files import (
    put,
)

# --- check ----------------------------------------------------------------------------------------

WRONG = """le
<pers.ind> <name.frist> Jacques </name.frist> </pers.ind>
<name> Dol </name> <org.adm> <title> maire </title> </org.adm>
"""
VIOLATIONS = """\
a/wrong.ne:2: unknown label name.frist, the nearest known is name.first
a/wrong.ne:3: component name outside any type
a/wrong.ne:3: component title in org.adm, expected in pers.ind

"""
RIGHT = """\
label      kind       all
name.last  component    1
pers.ind   type         1
all                     2
"""
WRONG_LABELS = """\
label       kind       all
name        component    1
name.frist  unknown      1
org.adm     type         1
pers.ind    type         1
title       component    1
all                      5
"""
BOTH = """\
label       kind       all  right.ne  wrong.ne
name        component    1         0         1
name.frist  unknown      1         0         1
name.last   component    1         1         0
org.adm     type         1         0         1
pers.ind    type         2         1         1
title       component    1         0         1
all                      7         2         5
"""


def test_check(files, run):
    """Violations are listed with file and line, and labels counted by file; it is no failure."""
    put("a/right.ne", "<pers.ind> <name.last> Chirac </name.last> </pers.ind>\n")
    put("a/wrong.ne", WRONG)
    assert run("check a/wrong.ne --grammar quaero") == (0, VIOLATIONS + WRONG_LABELS, "")
    assert run("check a --grammar quaero") == (0, VIOLATIONS + BOTH, "")
    assert run("check a/right.ne a/wrong.ne --grammar quaero") == (0, VIOLATIONS + BOTH, "")
    assert run("check a/right.ne --grammar quaero") == (0, RIGHT, "")


def test_check_strict(files, run):
    """Violations are a failure under ``--strict``, and there is none without a violation."""
    put("a/right.ne", "<pers.ind> <name.last> Chirac </name.last> </pers.ind>\n")
    put("b/typo.ne", "<pers.ind>\n<name.lats> Chirac </name.lats> </pers.ind>\n")
    message = "b/typo.ne:2: unknown label name.lats, the nearest known is name.last"
    assert run("check a --grammar quaero --strict") == (0, "", "")
    assert run("check b --grammar quaero --strict") == (1, "", f"sereval: {message}\n")


ILL_FORMED = "I-LOC, of the tags that iob2 does not allow where they stand, read all the same"


def test_check_lists_all_that_is_ill_formed(files, run):
    """Three ill-formed tags are listed one by one, and a failure if that is asked for."""
    put("a.iob", "Paris O\nvaut I-LOC\n\n" + "une I-LOC\n\n" * 2)
    listed = [f"a.iob:{line}: {ILL_FORMED}\n" for line in (2, 4, 6)]

    status, out, err = run("check a.iob --grammar conll --read tags=iob2")
    assert (0, "".join(listed)) == (status, out.partition("\n\n")[0] + "\n")
    assert "stand, read all the same: 3, the first I-LOC at a.iob:2, I-LOC at a.iob:4, I" in err
    status, out, err = run("check a.iob --grammar conll --read tags=iob2 --strict")
    assert (1, "") == (status, out)
    assert "".join(f"sereval: {line}" for line in listed) in err


def test_check_lists_what_a_policy_drops(files, run):
    """What a policy of ``--read`` drops is listed one by one, and no failure."""
    put("a.txt", "a b c")
    put("a.ann", "T1\tLOC 0 3\ta b\nT2\tLOC 2 5\tb c\n")

    status, out, _ = run("check a.ann --grammar conll --read crossing=drop")
    assert (0, "a.ann:2: T2, of the annotations that cross an earlier one, dropped") == (
        status,
        out.partition("\n")[0],
    )
    assert 0 == run("check a.ann --grammar conll --read crossing=drop --strict")[0]


def test_check_native(files, run):
    """A violation in native JSON has the line of its document."""
    line = '{"id":"%s","words":["Dol"],"elements":[{"label":"%s","start":0,"end":1}]}\n'
    put("all.jsonl", line % ("a", "loc.adm.town") + line % ("b", "loc.adm.twon"))
    message = "all.jsonl:2: unknown label loc.adm.twon, the nearest known is loc.adm.town\n"
    status, out, err = run("check all.jsonl --grammar quaero")
    assert (status, out.partition("\n\n")[0] + "\n", err) == (0, message, "")


def test_check_files_of_one_name(files, run):
    """Files that are called alike are told apart by their folders."""
    put("one/deep/a.ne", "<loc.oro> Dol </loc.oro>\n")
    put("two/a.ne", "<loc.oro> Dol </loc.oro>\n")
    shown = {
        "one/deep/a.ne two/a.ne": ["one/deep/a.ne", "two/a.ne"],
        f"one/deep/a.ne {files}/two/a.ne": ["one/deep/a.ne", f"{files}/two/a.ne"],
        f"{files}/one/deep/a.ne {files}/two/a.ne": ["one/deep/a.ne", "two/a.ne"],
    }
    for paths, expected in shown.items():
        _, out, _ = run(f"check {paths} --grammar quaero")
        heads = [line.split()[3:] for line in out.splitlines() if line.startswith("label ")]
        assert expected == [name for row in heads for name in row]  # of several tables, if wide


def test_check_standard_input(files, run, stdin):
    """A dash is standard input, whose format has to be named."""
    stdin(WRONG)
    expected = VIOLATIONS.replace("a/wrong.ne", "-") + WRONG_LABELS
    assert run("check - --grammar quaero --from inline") == (0, expected, "")


def test_check_relabelled(files, run):
    """Labels may be changed first; what then stands twice on the same words is listed."""
    put("a.ne", "<loc.fac>\n<loc.oro> Dol </loc.oro> </loc.fac> <pres> x </pres>\n")
    put("map.toml", '[hypothesis]\nremove = ["pres"]\n')
    options = "--grammar quaero --map map.toml --side hypothesis --level 1"
    status, out, err = run(f"check a.ne {options}")
    assert (status, out) == (
        0,
        "a.ne:2: label loc twice on the same words\n\n"
        "label  kind  all\nloc    type    2\nall            2\n",
    )
    assert err == (
        "sereval: a.ne: elements named by their level 1: 2\n"
        "sereval: a.ne: elements removed by the map: 1\n"
        "sereval: a.ne: elements that came to have the label and the words of another: 1\n"
    )
    assert run(f"check a.ne {options} --strict")[:2] == (1, "")


def test_check_at_a_level(files, run):
    """Where components may stand is looked at before labels are cut; what stands twice, after."""
    put(
        "a.ne",
        "<loc.adm.town>\n<loc.adm.nat> <name> Dol </name> </loc.adm.nat>\n</loc.adm.town> "
        "<pers.ind> <title> Mr </title> </pers.ind>\n<title> Dr </title>\n",
    )
    lines = run("check a.ne --grammar quaero --level 1")[1].splitlines()

    assert lines[: lines.index("")] == [
        "a.ne:2: label loc twice on the same words",
        "a.ne:4: component title outside any type, expected in pers.ind",
    ]


def test_check_bad_input(files, run):
    """What cannot be read is an error, with or without ``--strict``."""
    put("a/show.ne", "<pers.ind> Chirac\n")
    message = "sereval: a/show.ne:1: <pers.ind> is never closed\n"
    assert run("check a --grammar quaero") == (1, "", message)
    assert run("check a --grammar quaero --strict") == (1, "", message)
