"""Flashbacks: a player proposes one, others may join, and the GM allows it or says why not."""

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    Family,
    FollowUp,
    SharedPrompt,
    Verdict,
    View,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.lucky_breaks import (
    Flashback,
    allow_flashback,
    deny_flashback,
    lucky_breaks_left,
    propose_flashback,
)
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.module.basics import lucky_breaks
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.module_files import module_in
from bot.rules.rpj.teamwork.assisting import assert_known, found, kept_at, name_of
from bot.rules.rpj.teamwork.opposing import NO

FLASHBACK = "flashback"
MOST_JOINED = 9
LONGEST_LABEL = 80


class FlashbackOptions(Document):
    """The options of a flashback."""

    words: str = Field(min_length=1, max_length=300)


class FlashbackPayment(Document):
    """A payment for a flashback: a character's Lucky Breaks before and after."""

    who: CharacterId
    before: int
    after: int


class Proposed(Document):
    """A proposed flashback. [RPJ-LUCK-04]"""

    key: str  # its own key
    by: CharacterId
    flashback: Flashback  # its text and the GM's answer
    joined: tuple[CharacterId, ...] = ()  # who else takes part; everyone pays for themselves
    is_allowed: bool = False  # whether the GM allowed it
    paid: tuple[FlashbackPayment, ...] = ()

    @property
    def members(self) -> tuple[CharacterId, ...]:
        """Everyone who takes part."""
        return (self.by, *self.joined)


class FlashbackAtOptions(Document):
    """The options of a button on a flashback."""

    at: str


class DenyOptions(Document):
    """The options of denying a flashback."""

    at: str
    reason: str = Field(default="", max_length=300)
    instead: str = Field(default="", max_length=300)


def _module(scene: Scene) -> Module:
    return module_in(scene.settings)


@procedure(FLASHBACK)
def propose(scene: Scene, options: FlashbackOptions, _dice: Dice) -> Outcome:
    """Propose a flashback; it costs nothing until the GM allows it. [RPJ-LUCK-04 (R-025)]

    Raises:
        NotEnoughLuckyBreaks: If it could not be paid for.
    """
    actor = scene.actor
    assert_known(actor)
    flashback = propose_flashback(actor, options.words.strip(), _module(scene))
    key = f"{FLASHBACK}/{scene.moment}"
    proposal = Proposed(key=key, by=actor.id, flashback=flashback)
    return Outcome(
        scene=scene.with_document(key, proposal),
        headline=f"proposes a flashback: {flashback.words}",
        gathering=key,
    )


def _waiting(scene: Scene, at: str) -> Proposed:
    proposal = kept_at(scene, at, Proposed)
    if proposal.flashback.is_settled:
        raise UserError("This flashback has already been decided.")
    return proposal


@procedure("join_flashback")
def join(scene: Scene, options: FlashbackAtOptions, _dice: Dice) -> Outcome:
    """Join a flashback and pay separately. [RPJ-LUCK-04]

    Raises:
        NotEnoughLuckyBreaks: If it could not be paid for.
    """
    proposal, actor = _waiting(scene, options.at), scene.actor
    if actor.id in proposal.members:
        raise UserError(f"{actor.name} has already joined.")
    if len(proposal.joined) == MOST_JOINED:
        raise UserError(f"This flashback is full: {MOST_JOINED + 1} characters take part.")
    assert_known(actor)
    propose_flashback(actor, proposal.flashback.words, _module(scene))
    joined = evolve(proposal, joined=(*proposal.joined, actor.id))
    return Outcome(scene=scene.with_document(proposal.key, joined), headline="joins the flashback")


@procedure("leave_flashback")
def leave(scene: Scene, options: FlashbackAtOptions, _dice: Dice) -> Outcome:
    """Leave a flashback; if its proposer leaves, it becomes the next one's. [RPJ-LUCK-04]

    Raises:
        UserError: If the character takes no part in it, or nobody would be left.
    """
    proposal, actor = _waiting(scene, options.at), scene.actor
    if actor.id not in proposal.members:
        raise UserError(f"{actor.name} isn't part of this flashback.")
    rest = tuple(id_ for id_ in proposal.members if id_ != actor.id)
    if not rest:
        raise UserError("Nobody else has joined.", "Use /undo to take back the proposal.")
    left = evolve(proposal, by=rest[0], joined=rest[1:])
    return Outcome(scene=scene.with_document(proposal.key, left), headline="leaves the flashback")


def _payments(proposal: Proposed, scene: Scene) -> tuple[FlashbackPayment, ...]:
    """The payments of everyone who can pay."""
    cost = _module(scene).luck.flashback_cost
    who = [found(scene, id_) for id_ in proposal.members]
    left = [(one.id, lucky_breaks_left(one)) for one in who if one is not None]
    return tuple(
        FlashbackPayment(who=id_, before=before, after=before - cost)
        for id_, before in left
        if before >= cost
    )


def _lacking(proposal: Proposed, scene: Scene) -> tuple[str, ...]:
    """A sentence for each who can no longer pay."""
    cost, paying = _module(scene).luck.flashback_cost, {one.who for one in _payments(proposal, scene)}
    lacking = [(id_, found(scene, id_)) for id_ in proposal.members if id_ not in paying]
    return tuple(
        f"{name_of(scene, id_)} can't pay: {0 if who is None else lucky_breaks_left(who)} "
        f"of {lucky_breaks(cost)} left."
        for id_, who in lacking
    )


def _payment_words(payments: tuple[FlashbackPayment, ...], scene: Scene) -> tuple[str, ...]:
    return tuple(f"{name_of(scene, one.who)}: Lucky Breaks {one.before} → {one.after}" for one in payments)


def _deal(proposal: Proposed, payments: tuple[FlashbackPayment, ...], scene: Scene) -> str:
    """What the GM is asked to allow: the flashback, and what each pays."""
    return " · ".join((proposal.flashback.words, *_payment_words(payments, scene)))


@procedure("allow_flashback", gm_only=True, needs_actor=False)
def allow(scene: Scene, options: FlashbackAtOptions, _dice: Dice) -> Outcome:
    """Allow a flashback: everyone who takes part and can pay does so; the others are left out.

    Raises:
        UserError: If nobody can pay.

    [RPJ-LUCK-04 (R-025)]
    """
    proposal, module = _waiting(scene, options.at), _module(scene)
    payments, settled = _payments(proposal, scene), proposal.flashback
    if not payments:
        raise UserError(" ".join(_lacking(proposal, scene)), "Deny it, or restore Lucky Breaks first.")
    deal = _deal(proposal, payments, scene)
    for one in payments:
        settled, poorer = allow_flashback(proposal.flashback, scene.character(one.who), module)
        scene = scene.with_character(poorer)
    ids = [one.who for one in payments]
    allowed = evolve(
        proposal, flashback=settled, by=ids[0], joined=tuple(ids[1:]), is_allowed=True, paid=payments
    )
    return Outcome(
        scene=scene.with_document(proposal.key, allowed), headline="allows the flashback", deal=deal
    )


@procedure("deny_flashback", gm_only=True, needs_actor=False)
def deny(scene: Scene, options: DenyOptions, _dice: Dice) -> Outcome:
    """Deny a flashback, with a reason or an alternative; it costs nothing.

    [RPJ-LUCK-04 (R-025), RPJ-GM-05]
    """
    proposal = _waiting(scene, options.at)
    settled = deny_flashback(proposal.flashback, options.reason, options.instead)
    denied = evolve(proposal, flashback=settled)
    return Outcome(scene=scene.with_document(proposal.key, denied), headline="denies the flashback")


def view_flashback(proposal: Proposed, scene: Scene) -> View:
    """The message: who takes part, what it costs them, and the GM's answer."""
    if proposal.is_allowed:
        lines = _payment_words(proposal.paid, scene) or _paid_before(proposal, scene)
        return View(lines=lines, verdict=Verdict(Family.SUCCESS, "allowed"))
    if proposal.flashback.is_settled:
        return View(
            lines=(proposal.flashback.answer, "It costs nothing."), verdict=Verdict(Family.FAILURE, "denied")
        )
    together = (
        (f"With {', '.join(name_of(scene, id_) for id_ in proposal.joined)}.",) if proposal.joined else ()
    )
    lines = (
        *together,
        *_lacking(proposal, scene),
        "It can change the recent past, but nothing already established.",
    )
    return View(lines=lines, follow_ups=_buttons(proposal, scene))


def _paid_before(proposal: Proposed, scene: Scene) -> tuple[str, ...]:
    """The payers of a flashback allowed by an earlier version, which did not store payments."""
    names = ", ".join(name_of(scene, id_) for id_ in proposal.members)
    return (f"{names}: {lucky_breaks(_module(scene).luck.flashback_cost)} each",)


def _buttons(proposal: Proposed, scene: Scene) -> tuple[FollowUp, ...]:
    cost, payments = _module(scene).luck.flashback_cost, _payments(proposal, scene)
    at = FlashbackAtOptions(at=proposal.key)
    allow_it = FollowUp(
        procedure="allow_flashback",
        options=at,
        label=_allow_label(proposal, payments, scene),
        audience=Audience.GM,
        group="allow",
        is_owed=True,
        deal=_deal(proposal, payments, scene),
    )
    turn_down = FollowUp(
        procedure="deny_flashback",
        options=DenyOptions(at=proposal.key),
        label="Deny … (GM)",
        audience=Audience.GM,
        blanks=NO,
        group="deny",
        is_owed=True,
    )
    take_part = FollowUp(
        procedure="join_flashback",
        options=at,
        label=f"Join · costs you {lucky_breaks(cost)}",
        audience=Audience.ANYONE,
        group="join",
    )
    leave_it = FollowUp(
        procedure="leave_flashback",
        options=at,
        label="Leave",
        audience=Audience.ANYONE,
        group="leave",
    )
    has_room = len(proposal.joined) < MOST_JOINED
    return (
        *((allow_it,) if payments else ()),
        turn_down,
        *((take_part,) if has_room else ()),
        *((leave_it,) if proposal.joined else ()),
    )


def _allow_label(proposal: Proposed, payments: tuple[FlashbackPayment, ...], scene: Scene) -> str:
    """The label of the GM's button: who is left out, and what the others pay."""
    out = [name_of(scene, id_) for id_ in proposal.members if id_ not in {one.who for one in payments}]
    without = f" without {', '.join(out)}" if out else ""
    price = f"{lucky_breaks(_module(scene).luck.flashback_cost)} each"
    if len(payments) == 1:
        price = f"Lucky Breaks {payments[0].before} → {payments[0].after}"
    whole = f"Allow it{without} · {price} (GM)"
    return whole if len(whole) <= LONGEST_LABEL else f"Allow it for {len(payments)} · {price} (GM)"


FLASHBACK_PROMPT = SharedPrompt(model=Proposed, view=view_flashback, tells=("allow_flashback",))
