"""The last guard before a decision: no line is written that nobody wrote (rule D0)."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, pairwise

from blueline.diff.edits import common_end, common_start
from blueline.model.answer import IN_EFFECT, Answer
from blueline.review.file import File
from blueline.review.intake.coming_back import states_after
from blueline.review.operation import BASE
from blueline.review.weave.mark import Mark
from blueline.review.weave.weave import Run, Span, Weave

FEW_LINES = 8

_WORD = re.compile(r"\w+")


def is_invented(before: File, after: File) -> bool:
    """Whether a line of `after` is nobody's.

    A line may stand in `before`, or in an earlier version, or be an even merge: of whole words, something of
    which stood on the line before all that came or went with the decision. Both files are cut into the same
    runs.
    """
    old, new = before.live, after.live
    if old.text is None or new.text is None or old.text == new.text or not new.node.is_woven:
        return False
    number = int(new.node.value)
    if new.text in _first(before, number):
        return False
    head = old.text.rfind("\n", 0, common_start(old.text, new.text)) + 1
    tail = common_end(old.text, new.text, min(len(old.text), len(new.text)) - head)
    end = new.text.find("\n", len(new.text) - tail) if tail else -1
    lines = _Lines(before, after, before.weaves[number], after.weaves[number])
    new_lines = new.text[head : end if end >= 0 else len(new.text)].split("\n")
    is_known = _in_all_lines if len(new_lines) > FEW_LINES else _in_texts
    # Most lines stand in the file, or stood in it at first: these are quickly told.
    stands = is_known(chain([old.text], _first(before, number)))
    at = head
    for line in new_lines:
        if line.strip() and not stands(line.rstrip("\r")) and not lines.is_somebodys(line, at):
            return not _stood(before, after.weaves[number])
        at += len(line) + 1
    return False


def _stood(before: File, now: Weave) -> bool:
    """Whether a file held all of this before, with the line ends that were kept in it (rule A2)."""
    marks = {mark for run in now.runs for mark in (run.insertion, *run.deletions)}

    def is_now(then: Callable[[Mark], Answer]) -> bool:
        return all((then(mark) in IN_EFFECT) == (mark.state in IN_EFFECT) for mark in marks)

    return any(is_now(states_after(before.steps[:place])) for place in range(len(before.steps), 0, -1))


def _in_all_lines(texts: Iterable[str]) -> Callable[[str], bool]:
    """Whether some texts have a line, asked of many."""
    return {line.rstrip("\r") for text in texts for line in text.split("\n")}.__contains__


def _in_texts(texts: Iterable[str]) -> Callable[[str], bool]:
    """The same, asked of few: each is looked for, in one text after the other."""
    made: list[str] = []

    def stands(line: str) -> bool:
        if any(_has_line(text, line) for text in made):
            return True
        for text in texts:
            made.append(text)
            if _has_line(text, line):
                return True
        return False

    return stands


def _has_line(text: str, line: str) -> bool:
    at = text.find(line)
    while at >= 0:
        end = at + len(line)
        while text.startswith("\r", end):
            end += 1
        if (at == 0 or text[at - 1] == "\n") and (end == len(text) or text[end] == "\n"):
            return True
        at = text.find(line, at + 1)
    return False


def _first(file: File, number: int) -> Iterator[str]:
    """What the file held when it was first seen, if that is told apart from what was folded since."""
    if not file.folded:
        yield "".join([run.text for run in file.weaves[number].runs if run.insertion.op == BASE])


class _Lines:
    def __init__(self, before: File, after: File, was: Weave, now: Weave) -> None:
        self._steps = before.steps
        self._after = after
        self._was = was.runs
        self._now = now.runs
        self._shown = now.live

    def is_somebodys(self, line: str, at: int) -> bool:
        """Whether somebody wrote a line that begins at character `at`, or it is an even merge."""
        spans = self._shown.spans_between(at, at + len(line))
        if self._is_as_inserted(spans, at):
            return True
        first, last = self._around(spans[0][0][0], spans[-1][0][0])
        texts = [*self._versions(first, last)]
        body = line.rstrip("\r")
        # Where the runs begin and end, there may be parts of lines.
        whole = slice(1 if first else 0, -1 if last + 1 < len(self._now) else None)
        if any(body == one.rstrip("\r") for text in texts for one in text.split("\n")[whole]):
            return True
        words = {word for text in texts for word in _WORD.findall(text)}
        return words.issuperset(_WORD.findall(line)) and self._stood_before(spans, at, at + len(line))

    def _is_as_inserted(self, spans: list[tuple[Span, int]], at: int) -> bool:
        """Whether it is a whole line of what one operation inserted."""
        (first, start, _), place = spans[0]
        runs = [self._now[number] for (number, _, _), _ in spans]
        if not all(run.insertion.whole for run in runs) or len({run.insertion.op for run in runs}) > 1:
            return False
        if any(one.end != other.start for one, other in pairwise(runs)):
            return False
        begins = start + at - place
        if begins:
            return runs[0].text[begins - 1] == "\n"
        earlier = self._now[first - 1] if first else None
        if earlier is None or earlier.insertion.segment != runs[0].insertion.segment:
            return True
        return earlier.ends_line

    def _around(self, first: int, last: int) -> tuple[int, int]:
        """These runs with what is beside them, as far as the line that is looked at may ever have reached."""

        def ends(number: int) -> bool:
            return self._now[number].live and "\n" in self._now[number].text

        before = next((number for number in range(first - 1, -1, -1) if ends(number)), 0)
        after = (number for number in range(last + 1, len(self._now)) if ends(number))
        return before, next(after, len(self._now) - 1)

    def _versions(self, first: int, last: int) -> Iterator[str]:
        """What showed of these runs after each step that changed them."""
        runs = self._now[first : last + 1]
        marks = [mark for run in runs for mark in (run.insertion, *run.deletions)]
        came = {mark.came for mark in marks}
        decisions = {number for mark in marks for number, _ in mark.log}
        yield "".join(run.text for run in self._was[first : last + 1] if run.live)
        for place, step in enumerate(self._steps, 1):
            made = step.kind in ("op", "formatted")
            if step.number in (came if made else decisions):
                # What was only offered counts as if it had been made: somebody wrote that, too.
                offered = step.number if made else -1
                yield _shown(runs, states_after(self._steps[:place]), offered)

    def _on_the_line(self, first: int, last: int, end: int) -> tuple[int, int]:
        """These runs, with what is hidden beside them on the line that ends at character `end`."""
        while first and not self._now[first - 1].live and not self._now[first - 1].ends_line:
            first -= 1
            if "\n" in self._now[first].text:
                break
        # Its end may show alone of what is hidden: of a line that went whole.
        (after, _, _), _ = next(self._shown.spans_from(end), ((len(self._now), 0, 0), 0))
        is_hidden = after < len(self._now) and not self._now[after].live
        return first, max(last, after if is_hidden else after - 1)

    def _stood_before(self, spans: list[tuple[Span, int]], at: int, end: int) -> bool:
        """Whether something on the line is older than all that came or went there with the decision.

        The end of the line above, too: with that, what stands here was cut off from something else.
        """
        first, last = self._on_the_line(spans[0][0][0], spans[-1][0][0], end)
        above = [next(self._shown.spans_from(at - 1))[0][0]] if at else []
        turned = {
            mark.came
            for number in (*above, *range(first, last + 1))
            if self._came_or_went(number)
            for mark in _turned(self._was[number], self._now[number])
        }
        if not turned:
            return True
        here = (self._now[number] for (number, _, _), _ in spans)
        return any(run.insertion.came < min(turned) and not run.text.isspace() for run in here)

    def _came_or_went(self, number: int) -> bool:
        """Whether a decision has to do with what shows of a run, if only by what hid it, too."""
        now = self._now[number]
        return self._was[number].live != now.live or not any(
            mark.state in IN_EFFECT for mark in now.deletions
        )


def _turned(was: Run, now: Run) -> Iterator[Mark]:
    """The marks whose effect is not what it was."""
    for one, other in zip((was.insertion, *was.deletions), (now.insertion, *now.deletions), strict=True):
        if (one.state in IN_EFFECT) != (other.state in IN_EFFECT):
            yield one


def _shown(runs: Iterable[Run], then: Callable[[Mark], Answer], offered: int) -> str:
    def counts(mark: Mark) -> bool:
        return mark.came == offered or then(mark) in IN_EFFECT

    return "".join(
        run.text for run in runs if counts(run.insertion) and not any(counts(mark) for mark in run.deletions)
    )
