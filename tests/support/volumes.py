"""How often a law is tried: some times with each check, many times for long."""

import pytest


def seeds(few, many, times, quick=0):
    """Seeds, each with how often: the first `quick` of `few` always, `few` by check, once each;
    `many` more for long, so many times each."""
    once = [
        pytest.param(f"{k}", 1, marks=[] if k < quick else pytest.mark.check) for k in range(few)
    ]
    return [
        *once,
        *(pytest.param(f"many-{k}", times, marks=pytest.mark.long) for k in range(many)),
    ]
