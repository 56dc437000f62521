"""What an action gives away of those whom only the GM knows to be there: decided in this one place."""

import dataclasses
import re
from collections.abc import Iterable, Iterator, Set

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import CharacterId, Document, FollowUp, Outcome, Roll, Scene
from bot.rules.kernel.errors import UserError
from bot.rules.shared.encounters import fight_of
from bot.table.base.typed_options import characters_in

SOMEONE = "someone hidden"


class HiddenFoes(Struct, frozen=True):
    """Those hidden from the players, and what they are called."""

    # Their names; those in a crowd are no characters and have no id.
    hidden: Set[tuple[CharacterId | None, str]]
    known: Set[str]  # the names of others, which may contain one of theirs ("Goblin" in "Goblin 2")

    @property
    def names(self) -> frozenset[str]:
        """Return their names."""
        return frozenset(name for _id, name in self.hidden if name)

    def besides(self, chosen: Iterable[CharacterId], typed: str) -> "HiddenFoes":
        """Return these without those whom the person has named: that gives nothing away.

        Args:
            chosen: Characters that they have chosen, and that everybody knows.
            typed: What they have typed.
        """
        ids = {*chosen}
        rest = (one for one in self.hidden if one[0] not in ids and not (one[1] and one[1] in typed))
        return replace(self, hidden=frozenset(rest))

    def are_in(self, outcome: Outcome, options: Document, actor: int | None) -> bool:
        """Return whether an action concerns any of them: acts, is chosen, rolls, answers or is named."""
        concerned = {actor, *characters_in(options), *_concerned(outcome)} - {None}
        is_concerned = any(id_ in concerned for id_, _name in self.hidden)
        return is_concerned or any(self.masked_text(text) != text for text in _texts(outcome))

    def masked(self, outcome: Outcome) -> Outcome:
        """Return an outcome whose words call none of them by name, for somebody who is no GM."""
        return replace(
            outcome,
            headline=self.masked_text(outcome.headline),
            verdict=outcome.verdict
            and dataclasses.replace(outcome.verdict, title=self.masked_text(outcome.verdict.title)),
            notes=tuple(self.masked_text(note) for note in outcome.notes),
            rolls=tuple(self._masked_roll(roll) for roll in outcome.rolls),
            follow_ups=tuple(self._masked_button(button) for button in outcome.follow_ups),
        )

    def masked_error(self, error: UserError) -> UserError:
        """Return a refusal that calls none of them by name; the same one if it never did."""
        if all(self.masked_text(sentence) == sentence for sentence in error.sentences):
            return error
        return UserError(
            self.masked_text(error.what), self.masked_text(error.allowed), self.masked_text(error.try_this)
        )

    def masked_text(self, text: str) -> str:
        """Return a text that calls none of them by name."""
        names = self.names
        if not any(name in text for name in names):
            return text
        longest_first = sorted({*names, *self.known}, key=len, reverse=True)
        pattern = rf"(?<!\w)(?:{'|'.join(re.escape(name) for name in longest_first)})(?!\w)"
        return re.sub(pattern, self._called, text)

    def _called(self, found: re.Match[str]) -> str:
        if found[0] not in self.names:
            return found[0]
        before = found.string[: found.start()].rstrip("*_ ")
        return SOMEONE if before and before[-1] not in ".!?\n" else SOMEONE.capitalize()

    def _masked_roll(self, roll: Roll) -> Roll:
        if roll.roller is None:
            return roll
        return replace(roll, roller=dataclasses.replace(roll.roller, name=self.masked_text(roll.roller.name)))

    def _masked_button(self, button: FollowUp) -> FollowUp:
        choices = [
            replace(one, label=self.masked_text(one.label), note=self.masked_text(one.note))
            for one in button.choices
        ]
        return replace(
            button,
            label=self.masked_text(button.label),
            note=self.masked_text(button.note),
            choices=tuple(choices),
        )


def hidden_foes(before: Scene, after: Scene, loaded: Iterable[CharacterId]) -> HiddenFoes:
    """Return those whom only the GM knows of, or knows to be in the channel's encounter.

    Whoever is revealed between the two scenes is no longer hidden.

    Args:
        before: The scene before an action.
        after: The scene after it; the same, if it was refused.
        loaded: The characters that the action has looked at.
    """
    fights = [fight for fight in (fight_of(before), fight_of(after)) if fight is not None]
    last = fights[-1].combatants if fights else ()
    shown = {(one.character, one.name) for one in last if not one.is_hidden}
    lurking = {(one.character, one.name) for fight in fights for one in fight.hidden} - shown
    ids = {id_ for id_, _name in lurking if id_ is not None}
    seen = [after.character(id_) for id_ in loaded]
    hidden = {(one.id, one.name) for one in seen if one.is_hidden or one.id in ids}
    known = {name for _id, name in shown} | {one.name for one in seen if (one.id, one.name) not in hidden}
    return HiddenFoes(hidden=frozenset(lurking | hidden), known=frozenset(known))


def _concerned(outcome: Outcome) -> Iterator[int]:
    """Yield everybody who has rolled in an outcome, or is to press something."""
    yield from (roll.roller.id for roll in outcome.rolls if roll.roller and roll.roller.id is not None)
    yield from (one.character for one in outcome.follow_ups if one.character is not None)


def _texts(outcome: Outcome) -> Iterator[str]:
    """Yield everything that an outcome says with names in it."""
    yield outcome.headline
    if outcome.verdict is not None:
        yield outcome.verdict.title
    yield from outcome.notes
    yield from (roll.roller.name for roll in outcome.rolls if roll.roller)
    for button in outcome.follow_ups:
        yield from (button.label, button.note)
        yield from (text for choice in button.choices for text in (choice.label, choice.note))
