"""Which turn something belongs to, and when a turn and what works for it have ended (rule D9)."""

from collections.abc import Iterable

from blueline.model.fact import (
    CallEnded,
    SubagentEnded,
    SubagentStarted,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from blueline.model.notice import PromptGiven, SubagentSaid, WorkReported
from blueline.review.intake.file_looks import FileLooks
from blueline.review.ledger import Subagent, Turn

Process = tuple[int, int]
"""A process by its number and its start."""


class Turns(FileLooks):
    """Collects what is to be said of turns and sub-agents."""

    def current(self, conversation: str) -> Turn | None:
        """The turn that a conversation is at: of those that run, the one that began, or went on, last."""
        return max(self._running(conversation), key=lambda turn: turn.resumed, default=None)

    def _running(self, conversation: str) -> list[Turn]:
        return [turn for turn in self.ledger.running_turns() if turn.conversation == conversation]

    def is_said_twice(self, notice: PromptGiven) -> bool:
        """Whether a turn has begun with this prompt already, and nothing happened in it.

        The chat says its prompts itself, and the agent's hooks say them once more, perhaps with what the
        agent put behind them.
        """
        turn = self.current(notice.conversation)
        if turn is None or not turn.prompt or not notice.prompt.startswith(turn.prompt):
            return False
        for number in range(self.ledger.counters.call, 0, -1):
            call = self.ledger.call(number)
            if call is None or call.order < turn.order:
                break
            if call.turn == turn.number:
                return False
        return True

    def start_turn(
        self, conversation: str, agent: str, prompt: str, chat: str, process: Process | None
    ) -> int:
        """Somebody asked for something, or something happens that nobody was heard to ask for."""
        number = self.ledger.counters.turn + 1
        self.say(
            TurnStarted(
                turn=number, conversation=conversation, agent=agent, prompt=prompt, chat=chat, process=process
            )
        )
        return number

    def turn_for(self, conversation: str, agent: str, process: Process | None) -> int:
        """The turn that a conversation works for: without a prompt in between, still its last one."""
        turn = self.current(conversation) or self.ledger.last_turn_of(conversation)
        if turn is not None and (turn.ended is not None or turn.waits):
            self.say(TurnResumed(turn=turn.number, process=process))
        if turn is not None:
            return turn.number
        return self.start_turn(conversation, agent, "", "", process)

    def report(self, notice: WorkReported, agent: str, process: Process | None) -> None:
        """What was started earlier has something to say: its turn goes on."""
        subagents = [self.ledger.subagent_named(f"{notice.conversation}/{name}") for name in notice.subagents]
        calls = [self.ledger.call_named(key) for key in notice.calls]
        for known in (*subagents, *calls):
            if known is not None:
                self.say(TurnResumed(turn=known.turn, process=process))
                return
        self.turn_for(notice.conversation, agent, process)

    # Sub-agents

    def subagent_for(
        self, conversation: str, said: SubagentSaid, agent: str, process: Process | None, parent: str = ""
    ) -> Subagent:
        """The sub-agent of that name, at work. One that had stopped works for whoever calls on it again."""
        key = f"{conversation}/{said.id}"
        known = self.ledger.subagent_named(key)
        now = self.current(conversation)
        if known is not None and known.ended is not None and now is not None and now.number != known.turn:
            known = None
        if known is None:
            above = self.ledger.subagent_named(f"{conversation}/{parent}") if parent else None
            turn = above.turn if above is not None else self.turn_for(conversation, agent, process)
            number, kind, description = self.ledger.counters.subagent + 1, said.type, said.description
        else:
            turn, number = known.turn, known.number
            kind, description = said.type or known.type, said.description or known.description
            if known.ended is not None and now is None:
                self.say(TurnResumed(turn=turn, process=process))
        if known is None or known.ended is not None or (kind, description) != (known.type, known.description):
            self.say(SubagentStarted(subagent=number, turn=turn, key=key, type=kind, description=description))
        found = self.ledger.subagent(number)
        assert found is not None
        return found

    def end_subagent(self, subagent: Subagent) -> None:
        """A sub-agent has stopped, and so have its calls."""
        for call in self.ledger.open_calls():
            if call.subagent == subagent.number:
                self.say(CallEnded(call=call.number, outcome="lost"))
        self.say(SubagentEnded(subagent=subagent.number))
        turn = self.ledger.turn(subagent.turn)
        if turn is not None and turn.waits and not self._at_work(turn):
            self.say(TurnEnded(turn=turn.number))

    def working_for(self, conversation: str) -> str:
        """The conversation that a sub-agent with a thread of its own works for; empty if this is none."""
        thread = f"/{conversation}"
        above = (one.key for one in self.ledger.subagents_at_work() if one.key.endswith(thread))
        return next((key.removesuffix(thread) for key in above), "")

    def only_one_at_work(self, conversation: str) -> Subagent | None:
        """The sub-agent that works in a conversation; None if there is none, or more than one."""
        at_work = [one for turn in self._running(conversation) for one in self._at_work(turn)]
        return at_work[0] if len(at_work) == 1 else None

    def _at_work(self, turn: Turn) -> list[Subagent]:
        return [one for one in self.ledger.subagents_at_work() if one.turn == turn.number]

    # The end

    def stop(
        self, conversation: str, busy: Iterable[SubagentSaid] | None, agent: str, *, wakes: bool = True
    ) -> None:
        """The agent waits for its person. Turns are over unless a sub-agent goes on: `busy` has all."""
        if busy is not None:
            going_on = {self.subagent_for(conversation, said, agent, None).number for said in busy}
            for turn in self._running(conversation):
                for one in self._at_work(turn):
                    if one.number not in going_on:
                        self.end_subagent(one)
        for turn in self._running(conversation):
            at_work = {one.number for one in self._at_work(turn)}
            for call in self.ledger.open_calls():
                if call.turn == turn.number and call.subagent not in at_work:
                    self.say(CallEnded(call=call.number, outcome="lost"))
            if not at_work:
                self.say(TurnEnded(turn=turn.number))
            elif not wakes and not turn.waits:
                self.say(TurnEnded(turn=turn.number, waits=True))

    def bury(self, turn: Turn) -> None:
        """A turn's agent is no more: all that it did has ended."""
        for one in self._at_work(turn):
            self.end_subagent(one)
        for call in self.ledger.open_calls():
            if call.turn == turn.number:
                self.say(CallEnded(call=call.number, outcome="lost"))
        if turn in self.ledger.running_turns():
            self.say(TurnEnded(turn=turn.number))
