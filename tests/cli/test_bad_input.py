"""Input and outputs that a command line refuses, each in one line."""

import os

import pytest
from cli_files import (
    CTM,
    FUZZY,
    HYPOTHESIS,
    NATIVE,
    REFERENCE,
    THROUGH_TIME,
    everything,
    grid,
    put,
)

from sereval.labels.grammar import bundled

ANNOTATED = (
    "inline (.ne), sgml (.sgml .sgm), columns (.iob .iob2 .bio .conll .conllup), "
    "native (.jsonl .json), aref (.aref), brat (.ann), transcriber (.trs), "
    "offsets (.offsets .prodigy .doccano), labelstudio (.labelstudio), mentions (.mentions.jsonl)"
)

BAD_INPUT = {
    "empty file": (
        {"ref/show.ne": ""},
        "score ref hyp",
        "ref/show.ne: the file is empty, expected words, with or without tags; "
        'a document without words is written in native JSON, with "words": []',
    ),
    "file of white space": (
        {"hyp/show.ne": " \n\n"},
        "score ref hyp",
        "hyp/show.ne: the file is empty, expected words, with or without tags; "
        'a document without words is written in native JSON, with "words": []',
    ),
    "empty folder": (
        {"empty/notes.txt": "no annotation"},
        "score empty hyp",
        f"empty: no file to read in this folder, which has 1 '.txt'; expected {ANNOTATED}",
    ),
    "empty folder of hypotheses": (
        {"empty/notes.txt": "no annotation"},
        "score ref empty",
        f"empty: no file to read in this folder, which has 1 '.txt'; expected {ANNOTATED}",
    ),
    "no such file": ({}, "score nowhere hyp", "nowhere: No such file or directory"),
    "a folder that is nearly there": (
        {},
        "score reff hyp",
        "reff: No such file or directory, the nearest there is ref",
    ),
    "a file that is nearly there": (
        {},
        "score ref/shwo.ne hyp",
        "ref/shwo.ne: No such file or directory, the nearest there is ref/show.ne",
    ),
    "a grammar that is nearly there": (
        {},
        "score ref ref --grammar quareo",
        "no grammar 'quareo', expected a TOML file or one of: conll, ester2, etape, evalita2011, "
        "hipe2020, muc, ontonotes, quaero, quaero-2011, quaero-press, the nearest known is quaero",
    ),
    "unknown suffix": (
        {"show.txt": REFERENCE},
        "score show.txt hyp",
        f"show.txt: suffix '.txt', expected {ANNOTATED}; or name its format, --ref-format",
    ),
    "CTM as reference": (
        {},
        "score words.ctm hyp",
        f"words.ctm: suffix '.ctm', expected {ANNOTATED}; or name its format, --ref-format",
    ),
    "crossing tags": (
        {"ref/show.ne": "à\n<loc> Dol\n<name> de </loc> Bretagne </name>\n"},
        "score ref hyp",
        "ref/show.ne:3: </loc> found where </name> is expected (opened on line 3); "
        "it crosses <loc> of line 2; --read crossing=drop takes it",
    ),
    "crossing elements": (
        {
            "ref.jsonl": '{"id":"show","words":["à","Dol","de"],"elements":['
            '{"label":"loc","start":0,"end":2},{"label":"name","start":1,"end":3}]}\n'
        },
        "score ref.jsonl hyp",
        "ref.jsonl:1: document 'show': elements loc [0, 2) and name [1, 3) cross; "
        "--read crossing=drop takes it",
    ),
    "unclosed tag": (
        {"hyp/show.ne": "à\n<loc> <name> Dol </name>\n"},
        "score ref hyp",
        "hyp/show.ne:2: <loc> is never closed",
    ),
    "TextGrid of other words": (
        {"align/show.TextGrid": grid((0, 0.2, "à"), (0.2, 0.6, "Dole"))},
        f"score ref heard {THROUGH_TIME}",
        "show: the words of the annotation and of its time file differ: "
        'annotation (ref/show.ne), word 2: "à Dol [end]"; '
        'time file (align/show.TextGrid), word 1 at 0.2 s: "à [Dole]"',
    ),
    "CTM of other words": (
        {"words.ctm": CTM.replace("or", "art")},
        f"score ref heard {THROUGH_TIME}",
        "show: the words of the annotation and of its time file differ: "
        'annotation (heard/show.ne), word 2: "à d\' [or]"; '
        'time file (words.ctm), word 2 at 0.3 s: "à d\' [art]"',
    ),
    "TextGrid with times going backwards": (
        {"align/show.TextGrid": grid((0, 0.2, "à"), (0.1, 0.6, "Dol"))},
        f"score ref heard {THROUGH_TIME}",
        "align/show.TextGrid:16: interval starts (0.1 s) before the one ahead ends (0.2 s), "
        "expected intervals in order, without overlap",
    ),
    "native document with times going backwards": (
        {"ref.jsonl": NATIVE.replace("[[0,0.2]", "[[0.3,0.4]")},
        "score ref.jsonl ref.jsonl --tolerance 0.1",
        "ref.jsonl:1: show: word 1 starts (0.2 s) before the word ahead of it (0.3 s), "
        "expected words by start time",
    ),
    "CTM without words": (
        {"words.ctm": ";; nothing was heard\n"},
        f"score ref heard {THROUGH_TIME}",
        "words.ctm: no words found, expected lines such as 'show 1 0.53 0.56 word'; "
        "a document without words is written as 'show 1 0 0 @', or in native JSON "
        'with "words": []',
    ),
    "empty CTM": (
        {"words.ctm": ""},
        f"score ref heard {THROUGH_TIME}",
        "words.ctm: the file is empty, expected lines such as 'show 1 0.53 0.56 word'",
    ),
    "no times for a document": (
        {"words.ctm": CTM.replace("show", "news")},
        f"score ref heard {THROUGH_TIME}",
        "document show has no times, expected some of that name among: news",
    ),
    "no such tier": (
        {},
        f"score ref heard {THROUGH_TIME} --tier phones",
        "align/show.TextGrid: no interval tier 'phones'; the tiers are 'words': name one of them",
    ),
    "missing hypothesis": (
        {"ref/news.ne": "rien\n"},
        "score ref hyp",
        "document news has no hypothesis, expected one of that name among: show",
    ),
    "missing hypotheses": (
        {"ref/news.ne": "rien\n", "ref/debate.ne": "rien\n"},
        "score ref hyp",
        "document debate has no hypothesis (nor have 1 more), "
        "expected one of that name among: show",
    ),
    "missing reference": (
        {"hyp/news.ne": "rien\n"},
        "score ref hyp",
        "document news has no reference, expected one of that name among: show",
    ),
    "missing reference, missing hypotheses count as empty": (
        {"hyp/news.ne": "rien\n"},
        "score ref hyp --missing empty",
        "document news has no reference, expected one of that name among: show",
    ),
    "no words for a missing hypothesis": (
        {"ref/news.ne": "rien\n", "align/news.TextGrid": grid((0, 1, "rien"))},
        f"score ref heard {THROUGH_TIME} --missing empty",
        "document news has no hypothesis, and no words to count as an empty one; "
        "expected the recogniser's words for it",
    ),
    "other words without a tolerance": (
        {},
        "score ref heard",
        'show: the words differ at word 1: reference (ref/show.ne) "à [Dol]", '
        'hypothesis (heard/show.ne) "à [d\'] or"; '
        "without --tolerance or --by both sides must have the same words",
    ),
    "tolerance without times of the reference": (
        {},
        "score ref heard --words words.ctm --tolerance 0.1",
        "show: the reference has no times, a tolerance needs them: --align reads some",
    ),
    "tolerance without times of the hypothesis": (
        {},
        "score ref heard --align align --tolerance 0.1",
        "show: the hypothesis has no times, a tolerance needs them: --words reads some",
    ),
    "times given twice": (
        {"ref.jsonl": NATIVE},
        "score ref.jsonl hyp --align align --tolerance 0.1",
        "show: times were given twice, in the annotation (ref.jsonl) "
        "and in a time file (align/show.TextGrid)",
    ),
    "document twice in a file": (
        {"ref.jsonl": NATIVE + "\n" + NATIVE},
        "score ref.jsonl hyp",
        "ref.jsonl:3: document 'show' stands twice, expected ids to be unique; "
        "the first is in ref.jsonl:1",
    ),
    "document twice in a folder": (
        {"hyp/all.jsonl": NATIVE},
        "score ref hyp",
        "hyp/show.ne: document 'show' stands twice, expected ids to be unique; "
        "the first is in hyp/all.jsonl:1",
    ),
    "not UTF-8": (
        {"hyp/show.ne": HYPOTHESIS.encode("latin-1")},
        "score ref hyp",
        "hyp/show.ne:1: found byte 0xe0 at offset 0, expected utf-8; is it in another encoding?",
    ),
    "unknown encoding": (
        {},
        "score ref hyp --encoding klingon",
        "ref/show.ne: encoding 'klingon': unknown encoding: klingon",
    ),
    "not JSON": (
        {"ref.jsonl": "{]\n"},
        "score ref.jsonl hyp",
        "ref.jsonl:1: not JSON: Expecting property name enclosed in double quotes at column 2, "
        "expected a whole document, one JSON object, on each line",
    ),
    "unknown grammar": (
        {},
        "score ref hyp --grammar klingon",
        f"no grammar 'klingon', expected a TOML file or one of: {', '.join(bundled())}",
    ),
    "standard input without a format": (
        {},
        "score ref -",
        "-: standard input has no suffix: name its format, --hyp-format",
    ),
    "fuzzy reference and a tolerance": (
        {"ref.jsonl": FUZZY},
        "score ref.jsonl heard --words words.ctm --tolerance 0.1",
        "show: a fuzzy reference is projected, it takes no tolerance",
    ),
    "fuzzy reference, merge": (
        {"ref.jsonl": FUZZY},
        "score ref.jsonl hyp --unplaceable merge",
        "show: a fuzzy reference cannot be merged, its elements have no times; "
        "expected drop or miss",
    ),
    "fuzzy hypothesis": (
        {"fuzzy.jsonl": FUZZY},
        "score ref fuzzy.jsonl",
        "show: found a fuzzy reference (starts and ends), "
        "expected a document with one start and end for each element",
    ),
    "fuzzy hypothesis in LNE's format": (
        {"show.aref": "Dol"},
        "score ref show.aref",
        "show: found a fuzzy reference (starts and ends), "
        "expected a document with one start and end for each element",
    ),
    "fuzzy reference to project": (
        {"ref.jsonl": FUZZY},
        "project ref.jsonl words.ctm --tolerance 0.1",
        "show: found a fuzzy reference (starts and ends), "
        "expected a document with one start and end for each element",
    ),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input(name, files, run):
    """Bad input is one line on stderr and status 1; nothing is printed, written or left behind."""
    changed, command, message = BAD_INPUT[name]
    for path, content in changed.items():
        put(path, content)
    put("kept.json", "an older result\n")
    before = everything(files)
    expected = (1, "", f"sereval: {message}\n")
    assert run(command) == expected
    assert run(f"{command} -o new.json") == expected
    assert run(f"{command} --format json -o kept.json") == expected
    assert everything(files) == before


BAD_OUTPUT = {
    "nowhere/result.txt": "nowhere: no such folder, expected one to write to",
    "hyp": "hyp: Is a directory",
    "words.ctm/result.txt": "words.ctm: no such folder, expected one to write to",
}


@pytest.mark.parametrize("path", BAD_OUTPUT)
def test_bad_output(path, files, run):
    """An output that cannot be written is bad input too, and leaves no temporary file behind."""
    before = everything(files)
    expected = (1, "", f"sereval: {BAD_OUTPUT[path]}\n")
    assert run(f"score ref hyp -o {path}") == expected
    assert everything(files) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_output_in_a_folder_without_permission(files, run):
    """An output folder that may not be written to is named with the reason."""
    os.mkdir("locked", mode=0o500)
    expected = (1, "", "sereval: locked/result.txt: Permission denied\n")
    assert run("score ref hyp -o locked/result.txt") == expected
