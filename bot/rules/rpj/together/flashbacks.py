"""Flashbacks: a player proposes what was done before, others may join, the GM allows it or says why not."""

from pydantic import Field

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.rpj.luck import (
    Flashback,
    allow_flashback,
    deny_flashback,
    lucky_breaks_left,
    propose_flashback,
)
from bot.rules.rpj.module import Module
from bot.rules.rpj.settings import module_in, settings_of
from bot.rules.rpj.together.finding import assert_known, found, kept_at, name_of
from bot.rules.rpj.together.opposing import NO
from bot.rules.ruleset import (
    Audience,
    CharacterId,
    Document,
    Family,
    FollowUp,
    Gathering,
    Outcome,
    Procedure,
    Scene,
    Verdict,
    View,
)

FLASHBACK = "flashback"
MOST_JOINED = 9


class FlashbackOptions(Document):
    """What was done before."""

    words: str = Field(min_length=1, max_length=300)


class Proposed(Document):
    """A flashback that waits for the GM, or is settled.

    Attributes:
        key: Its own key.
        by: Whose idea it is.
        flashback: What was done, and what the GM has said.
        joined: Who else takes part; everybody pays for themselves.
        is_allowed: Whether it came to be so.

    Source: RPJ-LUCK-04.
    """

    key: str
    by: CharacterId
    flashback: Flashback
    joined: tuple[CharacterId, ...] = ()
    is_allowed: bool = False

    @property
    def payers(self) -> tuple[CharacterId, ...]:
        """Everybody who takes part."""
        return (self.by, *self.joined)


class AtOptions(Document):
    """Which flashback is meant."""

    at: str


class DenyOptions(Document):
    """Why not, or what would do instead."""

    at: str
    reason: str = Field(default="", max_length=300)
    instead: str = Field(default="", max_length=300)


def _module(scene: Scene) -> Module:
    return module_in(settings_of(scene))


def propose(scene: Scene, options: FlashbackOptions, _dice: Dice) -> Outcome:
    """Propose a flashback; it costs nothing before the GM allows it.

    Raises:
        NotEnoughLuckyBreaks: If it could not be paid.

    Source: RPJ-LUCK-04 (R-025).
    """
    actor = scene.actor
    assert_known(actor)
    flashback = propose_flashback(actor, options.words.strip(), _module(scene))
    key = f"{FLASHBACK}/{scene.moment}"
    kept = Proposed(key=key, by=actor.id, flashback=flashback)
    return Outcome(
        scene=scene.with_document(key, kept),
        headline=f"flashes back: {flashback.words}",
        gathering=key,
    )


def _waiting(scene: Scene, at: str) -> Proposed:
    kept = kept_at(scene, at, Proposed)
    if kept.flashback.is_settled:
        raise Mistake("This flashback is settled already.")
    return kept


def join(scene: Scene, options: AtOptions, _dice: Dice) -> Outcome:
    """Take part in somebody's flashback, at a price of one's own.

    Raises:
        NotEnoughLuckyBreaks: If it could not be paid.

    Source: RPJ-LUCK-04.
    """
    kept, actor = _waiting(scene, options.at), scene.actor
    if actor.id in kept.payers or len(kept.joined) == MOST_JOINED:
        raise Mistake(f"{actor.name} takes part already, or there is no room.")
    assert_known(actor)
    propose_flashback(actor, kept.flashback.words, _module(scene))
    joined = kept.model_copy(update={"joined": (*kept.joined, actor.id)})
    return Outcome(scene=scene.with_document(kept.key, joined), headline="takes part in the flashback")


def allow(scene: Scene, options: AtOptions, _dice: Dice) -> Outcome:
    """Allow a flashback: everybody who takes part pays with that.

    Raises:
        NotEnoughLuckyBreaks: If one of them cannot pay any more.

    Source: RPJ-LUCK-04 (R-025).
    """
    kept, module = _waiting(scene, options.at), _module(scene)
    settled = kept.flashback
    for id_ in kept.payers:
        settled, poorer = allow_flashback(kept.flashback, scene.character(id_), module)
        scene = scene.with_character(poorer)
    allowed = kept.model_copy(update={"flashback": settled, "is_allowed": True})
    return Outcome(scene=scene.with_document(kept.key, allowed), headline="allows the flashback")


def deny(scene: Scene, options: DenyOptions, _dice: Dice) -> Outcome:
    """Turn a flashback down, with the reason or with what would do instead; it costs nothing.

    Source: RPJ-LUCK-04 (R-025), RPJ-GM-05.
    """
    kept = _waiting(scene, options.at)
    settled = deny_flashback(kept.flashback, options.reason, options.instead)
    denied = kept.model_copy(update={"flashback": settled})
    return Outcome(scene=scene.with_document(kept.key, denied), headline="turns the flashback down")


def view_flashback(kept: Proposed, scene: Scene) -> View:
    """Who takes part, what it costs them, and what the GM has said."""
    cost = _module(scene).luck.flashback_cost
    names = ", ".join(name_of(scene, id_) for id_ in kept.payers)
    if kept.is_allowed:
        who = f"So it was. {names}: {cost} Lucky Breaks each." if kept.joined else "So it was."
        return View(lines=(who,), verdict=Verdict(Family.SUCCESS, "allowed"))
    if kept.flashback.is_settled:
        return View(
            lines=(kept.flashback.answer, "It costs nothing."), verdict=Verdict(Family.FAILURE, "turned down")
        )
    together = (f"With {', '.join(name_of(scene, id_) for id_ in kept.joined)}.",) if kept.joined else ()
    lines = (*together, "It changes the recent past, nothing that is established already.")
    return View(lines=lines, follow_ups=_buttons(kept, scene, cost))


def _buttons(kept: Proposed, scene: Scene, cost: int) -> tuple[FollowUp, ...]:
    by = found(scene, kept.by)
    left = 0 if by is None else lucky_breaks_left(by)
    price = f"Lucky Breaks {left} → {left - cost}" if not kept.joined else f"{cost} Lucky Breaks each"
    at = AtOptions(at=kept.key)
    return (
        FollowUp(
            procedure="allow_flashback",
            options=at,
            label=f"Allow it (GM) · {price}",
            audience=Audience.GM,
            group="allow",
        ),
        FollowUp(
            procedure="deny_flashback",
            options=DenyOptions(at=kept.key),
            label="Turn it down … (GM)",
            audience=Audience.GM,
            blanks=NO,
            group="deny",
        ),
        FollowUp(
            procedure="join_flashback",
            options=at,
            label=f"Take part as well · {cost} Lucky Breaks of yours",
            audience=Audience.ANYONE,
            group="join",
        ),
    )


FLASHBACK_GATHERING = Gathering(model=Proposed, view=view_flashback)
FLASHBACK_PROCEDURES = (
    Procedure(key=FLASHBACK, options=FlashbackOptions, run=propose),
    Procedure(key="join_flashback", options=AtOptions, run=join),
    Procedure(key="allow_flashback", options=AtOptions, run=allow, gm_only=True, needs_actor=False),
    Procedure(key="deny_flashback", options=DenyOptions, run=deny, gm_only=True, needs_actor=False),
)
