"""A target in this process that always fails."""


def answer(_messages: list[dict[str, str]]) -> str:
    """No answer."""
    raise RuntimeError("out of order")
