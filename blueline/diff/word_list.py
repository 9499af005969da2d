"""Words of a line, one after the other. Lists cut lines with this, so nothing else is loaded for it."""

import re

# A line end is one word, so that no edit can come between its two characters.
_WORD = re.compile(r"\r\n|\n|\ufeff|\w+|[^\S\r\n\ufeff]+|\r|[^\w\s]")


def words(text: str) -> list[str]:
    """The text cut into words, blanks and single signs; joined they are the text again."""
    return _WORD.findall(text)
