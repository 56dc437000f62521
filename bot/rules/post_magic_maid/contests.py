"""Own checks, checks that the GM requests, and contests."""

from collections.abc import Sequence

from msgspec.structs import replace
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
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import advice, decisive, label_with
from bot.rules.post_magic_maid.cards import MaidPurpose
from bot.rules.post_magic_maid.encounter import find_encounter
from bot.rules.post_magic_maid.performance import (
    Awaited,
    Checked,
    CheckPlan,
    MaidCheckOptions,
    answered,
    drop_awaited,
    first_awaited,
    inputs_of,
    make_check,
    plan_of,
    spend_action,
    with_awaited,
)
from bot.rules.post_magic_maid.sheet import MaidAttribute, Outcome, Scene
from bot.rules.post_magic_maid.tier_check import chance_to_reach
from bot.rules.post_magic_maid.tiers import MaidTier, contested
from bot.rules.post_magic_maid.turns import turn_buttons
from bot.rules.post_magic_maid.wounds import (
    MaidPairOptions,
    Pair,
    assert_can_act,
    chosen_pair,
    named_pair,
    pair_choices,
)


class MaidCall(Document):
    """A check that the GM requests from a character."""

    character: CharacterId
    first: MaidAttribute
    second: MaidAttribute
    ability: str = ""
    needed: MaidTier | None = None


class MaidCallOptions(Document):
    """Options for requesting a check."""

    character: CharacterId  # from whom
    first: MaidAttribute
    second: MaidAttribute  # another attribute
    ability: str = Field(default="", max_length=100)  # the ability that applies, or nothing
    needed: MaidTier | None = None


class MaidAnswerOptions(Document):
    """Options for answering a requested check."""

    call: str = ""  # which one; the oldest without it
    ability: str = Field(default="", max_length=100)  # the ability that is used; the GM's choice without it
    bonus_dice: int = Field(default=0, ge=0, le=12)  # bonus d8s from one's pool thrown in


def told_check(checked: Checked, plan: CheckPlan, character: CharacterId) -> Outcome:
    """The outcome of a plain check."""
    return Outcome(
        scene=checked.scene,
        headline=f"checks {plan.words}",
        verdict=checked.roll.verdict,
        rolls=(checked.roll,),
        notes=checked.notes,
        follow_ups=turn_buttons(checked.scene, character),
    )


@procedure("check", can_repeat=True)
def own_check(scene: Scene, options: MaidCheckOptions, dice: Dice) -> Outcome:
    """Make a check as the acting character. [PMM-CHK-02, PMM-CHK-06]"""
    plan = plan_of(options)
    return told_check(make_check(scene, scene.actor.id, plan, dice), plan, scene.actor.id)


@procedure("called")
def called_check(scene: Scene, options: MaidCheckOptions, dice: Dice) -> Outcome:
    """Make a check that the GM has requested; it takes no action. [PMM-CHK-02]"""
    plan = replace(plan_of(options), is_action=False)
    return told_check(make_check(scene, scene.actor.id, plan, dice), plan, scene.actor.id)


@procedure("call", gm_only=True, needs_actor=False)
def call_for_check(scene: Scene, options: MaidCallOptions, _dice: Dice) -> Outcome:
    """Request a check from a character; its player rolls by button and no action is spent. [PMM-CHK-02]"""
    character = scene.character(options.character)
    named_pair(options.first, options.second)
    call = MaidCall(**dict(options))
    plan = _call_plan(call, MaidAnswerOptions())
    key = f"call/{scene.moment}"
    button = answer_button(scene, call, key)
    scene = scene.with_document(key, call)
    scene = with_awaited(scene, character.id, Awaited.CALLS, key)
    wanted = f", {options.needed.words} needed" if options.needed else ""
    headline = f"calls for a check of {character.name}: {plan.words}{wanted}"
    return Outcome(scene=scene, headline=headline, follow_ups=(button,))


def answer_button(scene: Scene, call: MaidCall, key: str) -> FollowUp:
    """The button that makes a requested check, with its chance where a tier is needed."""
    plan = _call_plan(call, MaidAnswerOptions())
    inputs = inputs_of(scene, scene.character(call.character), plan)
    chance = f" · {percent(chance_to_reach(inputs, call.needed))}" if call.needed else ""
    return FollowUp(
        procedure="answer",
        options=MaidAnswerOptions(call=key),
        label=label_with(plan.words, chance, before="Roll "),
        character=call.character,
        group="answer",
    )


def _call_plan(call: MaidCall, options: MaidAnswerOptions) -> CheckPlan:
    return CheckPlan(
        first=call.first,
        second=call.second,
        ability=options.ability or call.ability,
        bonus_dice=options.bonus_dice,
        needed=call.needed,
        is_action=False,
    )


@procedure("answer")
def answer_call(scene: Scene, options: MaidAnswerOptions, dice: Dice) -> Outcome:
    """Make the check that the GM has requested."""
    character = scene.actor
    key = options.call or first_awaited(scene, character.id, Awaited.CALLS)
    call = scene.stored(MaidCall, key) if key else None
    if call is None or call.character != character.id:
        raise UserError(
            f"No check is waiting for {character.name}.", try_this="Roll your own with /maid check."
        )
    plan = _call_plan(call, options)
    checked = make_check(scene, character.id, plan, dice)
    scene = drop_awaited(checked.scene, character.id, Awaited.CALLS, key)
    return told_check(
        Checked(scene=scene, roll=checked.roll, tier=checked.tier, notes=checked.notes), plan, character.id
    )


class MaidSide(Document):
    """One side of a contest."""

    character: CharacterId
    name: str
    first: MaidAttribute | None = None  # one attribute the GM has named, or None
    second: MaidAttribute | None = None  # the other one, or None
    penalty: tuple[NamedTerm, ...] = ()  # what several actions take off, where it is their action
    tier: MaidTier | None = None  # what they reached, or None while they have not rolled
    told: str = ""  # how they rolled, in words; shown when everybody has

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
    """Options for a contest."""

    one: CharacterId  # one side; where it is their turn, it is their action
    other: CharacterId  # the other side
    more: tuple[CharacterId, ...] = Field(default=(), max_length=8)  # further sides, if any
    first: MaidAttribute | None = None  # one attribute of the first side, or None to let them choose
    second: MaidAttribute | None = None  # its other attribute
    # One attribute of the other sides; as for the first side without it.
    other_first: MaidAttribute | None = None
    other_second: MaidAttribute | None = None


class MaidOpposeOptions(MaidPairOptions):
    """Options for rolling in a contest."""

    contest: str = ""  # which one; the oldest without it


@procedure("contest", gm_only=True, needs_actor=False)
def declare_contest(scene: Scene, options: ContestOptions, _dice: Dice) -> Outcome:
    """Have two or more sides roll against each other.

    [PMM-CON-01 (PMM-R34; PMM-R47: only a contest that one starts on one's own turn is an action)]
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
        notes=(advice("The rolls stay hidden until everyone has rolled."),),
        follow_ups=tuple(roll_button(scene, side, key) for side in sides),
    )


def _as_action(scene: Scene, starter: CharacterId) -> tuple[Scene, tuple[NamedTerm, ...]]:
    """Spend the starter's action if it is their turn."""
    encounter = find_encounter(scene)
    if encounter is None or not encounter.is_turn_of(starter):
        return scene, ()
    return spend_action(scene, scene.character(starter))


def roll_button(scene: Scene, side: MaidSide, key: str) -> FollowUp:
    """The button or menu with which a side rolls in a contest."""
    name = side.name
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


@procedure("oppose")
def oppose(scene: Scene, options: MaidOpposeOptions, dice: Dice) -> Outcome:
    """Roll in a contest; the last roll reveals everything.

    [PMM-CON-01, PMM-CON-02, PMM-BLZ-11, PMM-AST-01 (PMM-R46: the assisted tier is compared)]
    """
    actor = scene.actor
    key = options.contest or first_awaited(scene, actor.id, Awaited.CONTESTS)
    contest = scene.stored(MaidContest, key) if key else None
    side = None if contest is None else contest.side(actor.id)
    if contest is None or side is None:
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
    others = tuple(
        decisive(side.told) for side in contest.sides if side.told and side.character != scene.actor.id
    )
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

    [PMM-CON-01, PMM-CON-02 (PMM-R33, PMM-R34)]
    """
    ranked = sorted(contest.sides, key=lambda side: _level(side), reverse=True)
    first, second = ranked[:2]
    success = contested(first.tier or MaidTier.BELOW_10, second.tier or MaidTier.BELOW_10)
    if success is None:
        best = [side.name for side in ranked if _level(side) == _level(first)]
        return Verdict(Family.PARTIAL, _tie(best, ranked))
    return Verdict(Family.NEWS, f"{first.name} wins, {success.words}")


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
