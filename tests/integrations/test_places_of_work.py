"""The modules, projects and scorers for other programs, run in these programs."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from paths import DATA, ROOT

import sereval

pytestmark = pytest.mark.check

EXAMPLES = ROOT / "docs" / "examples"
GOLD = [["B-A", "I-A", "O"], ["B-B", "O", "B-A"], ["O", "B-B", "O"]]
FOUND = [["B-A", "O", "O"], ["B-B", "O", "B-B"], ["O", "B-B", "O"]]


def run_alone(folder, *words):
    """Run a program in a folder, without a network, with the packages of the tests."""
    paths = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
    own = {"PATH": paths, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_module_of_evaluate(tmp_path):
    """Hugging Face loads the folder; batches, settings and combination give what `score` gives."""
    pytest.importorskip("evaluate")
    program = f"""
import json, evaluate
module = evaluate.load({str(EXAMPLES / "huggingface" / "ser")!r})
gold, found = {GOLD!r}, {FOUND!r}
whole = module.compute(predictions=found, references=gold)
strict = module.compute(predictions=found, references=gold, pairing="label")
for one, other in zip(gold, found):
    module.add(prediction=other, reference=one)
single = module.compute()
both = evaluate.combine([module]).compute(predictions=found, references=gold)
print(json.dumps([one["ser"] for one in (whole, strict, single, both)]))
"""
    whole, strict, single, both = json.loads(run_alone(tmp_path, "-c", program).splitlines()[-1])
    assert whole == single == both == sereval.score(GOLD, FOUND).ser
    assert strict == sereval.score(GOLD, FOUND, pairing="label").ser


def test_the_scorer_of_scikit_learn():
    """A scorer chooses the model with the least slot error rate."""
    base = pytest.importorskip("sklearn.base")
    metrics = pytest.importorskip("sklearn.metrics")
    selection = pytest.importorskip("sklearn.model_selection")

    class Tagger(base.ClassifierMixin, base.BaseEstimator):
        """Gives every word one tag, whatever it learns."""

        def __init__(self, tag="O"):
            self.tag = tag

        def fit(self, X, y):
            self.classes_ = sorted({tag for tags in y for tag in tags})
            return self

        def predict(self, X):
            return [[self.tag] * len(words) for words in X]

    words = [["a", "b", "c"]] * len(GOLD)
    scorer = metrics.make_scorer(sereval.ser_score, greater_is_better=False)
    scores = selection.cross_val_score(Tagger(), words, GOLD, scoring=scorer, cv=3)
    assert scores.tolist() == [-1.0, -1.0, -1.0]
    search = selection.GridSearchCV(Tagger(), {"tag": ["O", "B-B"]}, scoring=scorer, cv=3)
    search.fit(words, GOLD)
    expected = [
        -sum(sereval.ser_score([gold], [[tag] * 3]) for gold in GOLD) / 3 for tag in ("O", "B-B")
    ]
    assert search.cv_results_["mean_test_score"].tolist() == pytest.approx(expected)


@pytest.mark.long
def test_the_project_of_spacy(tmp_path):
    """The project makes files, trains, and writes a report that counts the held-out elements."""
    folder = shutil.copytree(EXAMPLES / "spacy", tmp_path / "project")
    project, config = folder / "project.yml", folder / "configs" / "config.cfg"
    few = project.read_text("utf-8").replace("../../../data/ref", DATA.as_posix() + "/ref")
    project.write_text(few.replace("max_steps: 2000", "max_steps: 2"), "utf-8")
    often = config.read_text("utf-8").replace("eval_frequency = 200", "eval_frequency = 1")
    config.write_text(often.replace("sizes = [1, 2, 3, 4, 5]", "sizes = [1, 2]"), "utf-8")
    out = run_alone(folder, "-m", "spacy", "project", "run", "all")
    assert "NEG_SER" in out
    report = json.loads((folder / "training" / "report.json").read_text("utf-8"))
    held_out = [one for one in sereval.read(DATA / "ref") if one.id in ("librivox", "panama")]
    assert report["counts"]["Ref"] == sum(len(one.elements) for one in held_out)
