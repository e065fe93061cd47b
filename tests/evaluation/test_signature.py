"""Signatures are names with values, which are printed once."""

from sereval.evaluation.signature import Signature, joint


def read(text):
    """A signature from its printed form."""
    parts = (part.partition(":") for part in text.split("|"))
    return Signature((name, value if colon else None) for name, colon, value in parts)


def test_a_signature_prints_its_pairs():
    """A name without a value stands alone; a value may have a colon, or be empty."""
    signature = Signature([("SER", None), ("a", "1:2"), ("b", "")])
    assert str(signature) == "SER|a:1:2|b:"
    assert read("SER|a:1:2|b:") == signature


def test_other_values_change_nothing_else():
    """The order stays, and what is not there is not added."""
    assert str(read("SER|a:1|b:2").but(a="3", c="4")) == "SER|a:3|b:2"


def test_joint_signatures_have_what_each_of_them_has():
    """Values of one name stand together in the order in which they come; the version is last."""
    signatures = ["SER|a:1,2|x|version:1", "SER|a:2,3|version:1", "SER|b:|c:4|version:2"]
    assert str(joint(map(read, signatures))) == "SER|a:1,2,3|x|b|c:4|version:1,2"
    assert str(joint([read("SER|a:1:2|version:1")])) == "SER|a:1:2|version:1"
