"""For the tests and the examples in the package alike."""

pytest_plugins = ["extras"]
