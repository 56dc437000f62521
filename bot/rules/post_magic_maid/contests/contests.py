"""Contests: all sides roll at once, and the difference in tiers decides."""

from collections.abc import Sequence

from pydantic import Field

from bot.rules.kernel import (
    CharacterId,
    Document,
    Family,
    FollowUp,
    NamedTerm,
    Place,
    Roll,
    Verdict,
    declare,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid.character.pairs import (
    MaidPairOptions,
    Pair,
    chosen_pair,
    named_pair,
    pair_choices,
)
from bot.rules.post_magic_maid.character.scene import Outcome, Scene
from bot.rules.post_magic_maid.character.sheet import MaidAttribute
from bot.rules.post_magic_maid.character.wounds import assert_can_act
from bot.rules.post_magic_maid.checks.actions import spend_action
from bot.rules.post_magic_maid.checks.awaiting import Awaited, answered, first_awaited, with_awaited
from bot.rules.post_magic_maid.checks.performance import Checked, CheckPlan, make_check
from bot.rules.post_magic_maid.combat.state.encounter import find_encounter
from bot.rules.post_magic_maid.combat.turns.turns import turn_buttons
from bot.rules.post_magic_maid.resolution.purposes import MaidPurpose
from bot.rules.post_magic_maid.resolution.tiers import MaidTier, contested


class MaidSide(Document):
    """One side of a contest.

    Attributes:
        character: Who.
        name: Their name.
        first: One attribute the GM has named, or None.
        second: The other one, or None.
        penalty: What several actions take off, where it is their action.
        tier: What they reached, or None while they have not rolled.
        told: How they rolled, in words; shown when everybody has.
    """

    character: CharacterId
    name: str
    first: MaidAttribute | None = None
    second: MaidAttribute | None = None
    penalty: tuple[NamedTerm, ...] = ()
    tier: MaidTier | None = None
    told: str = ""

    @property
    def pair(self) -> Pair | None:
        """The attributes that the GM chose, or None."""
        return None if self.first is None or self.second is None else (self.first, self.second)


class MaidContest(Document):
    """A contest whose rolls are hidden until all are in."""

    sides: tuple[MaidSide, ...]

    def side(self, character: CharacterId) -> MaidSide | None:
        """A character's side, or None."""
        return next((side for side in self.sides if side.character == character), None)

    def with_side(self, side: MaidSide) -> "MaidContest":
        """The same contest with one side changed."""
        return MaidContest(
            sides=tuple(side if old.character == side.character else old for old in self.sides)
        )


class ContestOptions(Document):
    """Options for a contest.

    Attributes:
        one: One side; where it is their turn, it is their action.
        other: The other side.
        more: Further sides, if any.
        first: One attribute of the first side, or None to let them choose.
        second: Its other attribute.
        other_first: One attribute of the other sides; as for the first side without it.
        other_second: Their other attribute.
    """

    one: CharacterId
    other: CharacterId
    more: tuple[CharacterId, ...] = Field(default=(), max_length=8)
    first: MaidAttribute | None = None
    second: MaidAttribute | None = None
    other_first: MaidAttribute | None = None
    other_second: MaidAttribute | None = None


class MaidOpposeOptions(MaidPairOptions):
    """Options for rolling in a contest.

    Attributes:
        contest: Which one; the oldest without it.
    """

    contest: str = ""


def declare_contest(scene: Scene, options: ContestOptions, _dice: Dice) -> Outcome:
    """Have two or more sides roll against each other.

    Source: PMM-CON-01 (PMM-R34; PMM-R47: only a contest that one starts on one's own turn is an action).
    """
    ids = (options.one, options.other, *options.more)
    if len(set(ids)) < len(ids):
        raise UserError("A contest needs two different characters.", try_this="Choose someone else.")
    for id_ in ids:
        assert_can_act(scene.character(id_))
    others = (options.other_first or options.first, options.other_second or options.second)
    for pair in ((options.first, options.second), others):
        named_pair(*pair)
    scene, penalty = _as_action(scene, options.one)
    sides = tuple(
        MaidSide(
            character=id_,
            name=scene.character(id_).name,
            first=options.first if id_ == options.one else others[0],
            second=options.second if id_ == options.one else others[1],
            penalty=penalty if id_ == options.one else (),
        )
        for id_ in ids
    )
    key = f"contest/{scene.moment}"
    scene = scene.with_document(key, MaidContest(sides=sides))
    for id_ in ids:
        scene = with_awaited(scene, id_, Awaited.CONTESTS, key)
    return Outcome(
        scene=scene,
        headline=f"calls for a contest: {' against '.join(side.name for side in sides)}",
        notes=("The rolls stay hidden until everyone has rolled.",),
        follow_ups=tuple(roll_button(scene, side, key) for side in sides),
    )


declare("contest", ContestOptions, declare_contest, gm_only=True, needs_actor=False)


def _as_action(scene: Scene, starter: CharacterId) -> tuple[Scene, tuple[NamedTerm, ...]]:
    """Spend the starter's action if it is their turn."""
    encounter = find_encounter(scene)
    if encounter is None or not encounter.is_turn_of(starter):
        return scene, ()
    return spend_action(scene, scene.character(starter))


def roll_button(scene: Scene, side: MaidSide, key: str) -> FollowUp:
    """The button or menu with which a side rolls in a contest."""
    name = side.name[:40]
    if side.pair is not None:
        return FollowUp(
            procedure="oppose",
            options=MaidOpposeOptions(contest=key),
            label=f"{name}: roll {side.first} + {side.second}",
            character=side.character,
            group=f"side/{side.character}",
            place=Place.VERDICT,
        )
    return FollowUp(
        procedure="oppose",
        options=MaidOpposeOptions(contest=key),
        label=f"{name}: roll …",
        character=side.character,
        choices=pair_choices(scene.character(side.character), lambda _pair: ""),
        chosen="pair",
        group=f"side/{side.character}",
        place=Place.VERDICT,
    )


def oppose(scene: Scene, options: MaidOpposeOptions, dice: Dice) -> Outcome:
    """Roll in a contest; the last roll reveals everything.

    Source: PMM-CON-01, PMM-CON-02, PMM-BLZ-11, PMM-AST-01 (PMM-R46: the assisted tier is compared).
    """
    actor = scene.actor
    key = options.contest or first_awaited(scene, actor.id, Awaited.CONTESTS)
    contest = scene.document(key) if key else None
    side = contest.side(actor.id) if isinstance(contest, MaidContest) else None
    if not isinstance(contest, MaidContest) or side is None:
        raise UserError(
            f"There is no contest for {actor.name} to roll in.",
            try_this="A GM starts one with /maid-gm contest.",
        )
    if side.tier is not None:
        raise UserError(f"{actor.name} has already rolled in this contest.")
    first, second = chosen_pair(options, side.pair)
    plan = CheckPlan(
        first=first,
        second=second,
        ability=options.ability,
        bonus_dice=options.bonus_dice,
        is_action=False,
        penalty=side.penalty,
    )
    checked = make_check(scene, actor.id, plan, dice, MaidPurpose.CONTEST)
    words = f"{actor.name}: {roll_words(checked.roll)}, {checked.tier.words}"
    contest = contest.with_side(evolve(side, tier=checked.tier, told=words))
    scene = answered(checked.scene, actor.id, Awaited.CONTESTS, key)
    if any(each.tier is None for each in contest.sides):
        return _hidden(scene.with_document(key, contest), contest, checked, plan)
    return _shown(scene.with_document(key, None), contest, checked, plan)


declare("oppose", MaidOpposeOptions, oppose)


def roll_words(roll: Roll) -> str:
    """A check's dice, terms and total in words."""
    if not roll.dice:
        return f"automatic {roll.total}"
    dice = " + ".join(f"{die.label} d{die.sides} {die.face}" for die in roll.dice if die.is_kept)
    terms = "".join(
        f" {'+' if term.value > 0 else '−'} {term.label} {abs(term.value)}" for term in roll.terms
    )
    return f"{dice}{terms} = {roll.total}"


def _hidden(scene: Scene, contest: MaidContest, checked: Checked, plan: CheckPlan) -> Outcome:
    missing = ", ".join(side.name for side in contest.sides if side.tier is None)
    return Outcome(
        scene=scene,
        headline=f"rolls {plan.words} in the contest",
        verdict=checked.roll.verdict,
        rolls=(checked.roll,),
        notes=(*checked.notes, f"Still to roll: {missing}. Until then, only you see this."),
        is_public=False,
    )


def _shown(scene: Scene, contest: MaidContest, checked: Checked, plan: CheckPlan) -> Outcome:
    others = tuple(side.told for side in contest.sides if side.told and side.character != scene.actor.id)
    encounter = find_encounter(scene)
    on_turn = encounter.current if encounter else None
    return Outcome(
        scene=scene,
        headline=f"is the last to roll in the contest, {plan.words}",
        verdict=contest_verdict(contest),
        rolls=(checked.roll,),
        notes=(*others, *checked.notes),
        follow_ups=turn_buttons(scene, on_turn.character) if on_turn else (),
    )


def contest_verdict(contest: MaidContest) -> Verdict:
    """The verdict of a contest: the winner and tier (best against next best), or who ties.

    Source: PMM-CON-01, PMM-CON-02 (PMM-R33, PMM-R34).
    """
    ranked = sorted(contest.sides, key=lambda side: _level(side), reverse=True)
    best = _level(ranked[0])
    success = contested(ranked[0].tier or MaidTier.BELOW_10, ranked[1].tier or MaidTier.BELOW_10)
    if success is None:
        return Verdict(Family.PARTIAL, _tie([side.name for side in ranked if _level(side) == best], ranked))
    return Verdict(Family.NEWS, f"{ranked[0].name} wins, {success.words}")


def _tie(level: Sequence[str], sides: Sequence[MaidSide]) -> str:
    """Who ties for the best result and who loses: "Mina and Nettle tie, Goblin is out"."""
    out = [side.name for side in sides if side.name not in level]
    behind = f", {_names(out)} {'is' if len(out) == 1 else 'are'} out" if out else ""
    return f"{_names(level)} tie{behind}"


def _names(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _level(side: MaidSide) -> int:
    return (side.tier or MaidTier.BELOW_10).level
