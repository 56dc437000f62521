"""Carrying out a rest: the clock moves once, and latecomers can join afterwards."""

from collections.abc import Iterable, Sequence

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Family,
    FollowUp,
    Outcome,
    Scene,
    SceneT,
    SettingsT,
    SheetT,
    Verdict,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.resting.during_fights import asked_during_fight
from bot.rules.shared.resting.rest_model import (
    HOUR_SECONDS,
    MOST_RESTING,
    DuringFight,
    OptionsT,
    Rest,
    Rested,
    Resting,
    RestRules,
    has_just_ended,
    hours_words,
    known_names,
    latest_rest,
    open_rest,
    planned,
    sleeper,
    with_rest,
)

GO, LATE = "rest.go", "rest.late"
MOST_DICE = 12  # in the message of a rest


class OneRestOptions(DuringFight):
    """Which rest it is about."""

    rest: str


class LateOptions(OneRestOptions):
    """Options for joining late: the rest, and who else rested (by default the acting character)."""

    who: tuple[CharacterId, ...] = Field(default=(), max_length=MOST_RESTING)


def go(rules: RestRules[OptionsT], scene: Scene, options: OneRestOptions, dice: Dice) -> Outcome:
    """Carry out a rest: everybody in it rests, and the clock moves once."""
    found = open_rest(scene, options.rest)
    if not (scene.is_gm or found.has(scene.actor_id)):
        raise UserError("Only someone resting or a GM can start it.", "Join it first.")
    chosen = evolve(options, in_fight=options.in_fight or found.in_fight)
    who = scene.actor_id if found.has(scene.actor_id) else None
    question = asked_during_fight(scene, GO, chosen, found.hours, who=who)
    return question or carried_out(rules, scene, found, dice)


def at_once(
    rules: RestRules[OptionsT, SheetT, SettingsT],
    scene: Scene[SheetT, SettingsT],
    sleepers: Iterable[Resting[OptionsT]],
    dice: Dice,
    again: FollowUp | None = None,
) -> Outcome[Scene[SheetT, SettingsT]]:
    """Let some rest at once, as a GM says it; others join afterwards for the same hours.

    Args:
        rules: What is the game's own.
        scene: Everything as it is.
        sleepers: Who rests.
        dice: Where the dice come from.
        again: The press that lets them rest for hours of their own; where others have just rested, it is
            asked first whether these are the same hours. None takes them as more hours.

    Raises:
        UserError: If one of them cannot.
    """
    chosen = {one.who: one.options for one in sleepers}
    found = [(scene.character(who), options) for who, options in chosen.items()]
    for character, options in found:
        rules.assert_can(scene, character, options)
    hours = max((options.hours for options in chosen.values()), default=0)
    latest = latest_rest(scene)
    if again is not None and latest is not None and has_just_ended(scene, latest, chosen):
        return asked_whether_the_same(scene, latest, tuple(chosen), hours, again)
    return carried_out(rules, scene, planned(rules, scene, hours, found), dice)


def asked_whether_the_same(
    scene: SceneT, latest: Rest, who: Sequence[CharacterId], hours: int, again: FollowUp
) -> Outcome[SceneT]:
    """Ask, where somebody rests right after others, whether these are the same hours, or more."""
    is_own = tuple(who) == (scene.actor_id,)
    names = ", ".join(scene.character(one).name for one in who)
    same = FollowUp(
        procedure=LATE,
        options=LateOptions(rest=latest.key, who=() if is_own else tuple(who)),
        label=f"The same {hours_words(min(latest.passed, hours))}: no extra time passes",
        audience=Audience.OWNER if is_own else Audience.GM,
        character=scene.actor_id if is_own else None,
        group="rest",
    )
    return Outcome(
        scene=scene,
        headline=f"rests for {hours_words(hours)}: which hours?"
        if is_own
        else f"lets {names} rest for {hours_words(hours)}: which hours?",
        notes=(f"Just now {known_names(scene, latest)} rested for {hours_words(latest.passed)}.",),
        follow_ups=(same, again),
    )


def carried_out(
    rules: RestRules[OptionsT, SheetT, SettingsT], scene: Scene[SheetT, SettingsT], plan: Rest, dice: Dice
) -> Outcome[Scene[SheetT, SettingsT]]:
    """Let everybody rest who can rest, and move the clock once.

    Raises:
        UserError: If nobody can.
    """
    able, why_not = _able(rules, scene, plan)
    if not able:
        raise UserError("None of them can rest.", " ".join(why_not))
    began = scene.clock
    rested = rules.rest(scene, able, began, dice)
    ids = {str(one.who) for one in able}
    done = evolve(
        plan,
        sleepers={id_: one for id_, one in plan.sleepers.items() if id_ in ids},
        began=began,
        ended=began + rested.hours * HOUR_SECONDS,
    )
    after = rested.scene.at_clock(began + rested.hours * HOUR_SECONDS)
    is_known = not all(scene.character(one.who).is_hidden for one in able)
    return Outcome(
        scene=with_rest(after, done) if is_known else after,
        headline=_words(scene, done, plan.hours, rested.hours),
        verdict=Verdict(
            Family.NEWS, "1 hour passes" if rested.hours == 1 else f"{hours_words(rested.hours)} pass"
        ),
        rolls=rested.rolls,
        notes=(*rested.notes, *why_not),
        follow_ups=(_late_button(done),) if is_known and rested.hours else (),
        is_brief=_has_many_dice(rested),
    )


def _has_many_dice(rested: Rested) -> bool:
    """Whether a rest has more dice than a message has room for."""
    return sum(len(roll.dice) for roll in rested.rolls) > MOST_DICE


def _able(
    rules: RestRules[OptionsT], scene: Scene, plan: Rest
) -> tuple[list[Resting[OptionsT]], tuple[str, ...]]:
    """Who can rest now, and why the others can't."""
    able: list[Resting[OptionsT]] = []
    why_not = []
    for id_, one in plan.sleepers.items():
        options, who = rules.options.model_validate(one.options), CharacterId(int(id_))
        try:
            rules.assert_can(scene, scene.character(who), options)
        except UserError as mistake:
            why_not.append(f"{one.name} doesn't rest: {mistake.what}")
        else:
            able.append(Resting(who, options))
    return able, tuple(why_not)


def _words(scene: Scene, done: Rest, hours: int, passed: int) -> str:
    """What is done, from the side of whoever says that it begins."""
    long = hours_words(passed) if passed == hours else f"{passed} of {hours_words(hours)}"
    if not done.has(scene.actor_id):
        return f"lets {done.names} rest for {long}"
    others = done.others(scene.actor_id)
    return f"rests for {long} with {others}" if others else f"rests for {long}"


def _late_button(done: Rest) -> FollowUp:
    return FollowUp(
        procedure=LATE,
        options=LateOptions(rest=done.key),
        label=f"I rested with them ({hours_words(done.passed)})",
        audience=Audience.ANYONE,
        group="late",
        stays=True,
    )


def join_late(rules: RestRules[OptionsT], scene: Scene, options: LateOptions, dice: Dice) -> Outcome:
    """Rest through the hours that others have just rested; the clock does not move again."""
    if options.who and not scene.is_gm:
        raise UserError("Only a GM can let others rest.", "Leave them out to rest alone.")
    ids = tuple(dict.fromkeys(options.who)) or (scene.actor.id,)
    found = scene.document(options.rest)
    if not isinstance(found, Rest) or found.began is None:
        raise UserError("That rest is already over.", try_this="Start another one.")
    if found.ended != scene.clock:
        raise UserError("Game time has passed since then.", try_this="Start a rest of your own.")
    resting, sleepers = [], dict(found.sleepers)
    for who in ids:
        character, chosen = scene.character(who), rules.joining(found, found.passed)
        if found.has(who):
            raise UserError(f"{character.name} has already rested with them.")
        rules.assert_can(scene, character, chosen)
        resting.append(Resting(who, chosen))
        if not character.is_hidden:
            sleepers[str(who)] = sleeper(character, chosen)
    rested = rules.rest(scene, resting, found.began, dice)
    names = ", ".join(scene.character(who).name for who in ids)
    words = f"rested for {hours_words(rested.hours)} with {known_names(scene, found)}"
    return Outcome(
        scene=with_rest(rested.scene.at_clock(scene.clock), evolve(found, sleepers=sleepers)),
        headline=f"says that {names} {words}" if options.who else words,
        verdict=Verdict(Family.NEWS, "the same hours"),
        rolls=rested.rolls,
        notes=rested.notes,
        is_brief=_has_many_dice(rested),
    )
