"""What `read` refuses, and in which words."""

import pytest

from sereval.errors import InputError
from sereval.formats import read


def refusal(*args, **options):
    """The message of what `read` refuses."""
    with pytest.raises(InputError) as caught:
        read(*args, **options)
    return str(caught.value)
