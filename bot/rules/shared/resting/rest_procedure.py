"""Carrying out a rest: the clock moves once, and latecomers can join afterwards."""

from collections.abc import Iterable, Sequence

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    Character,
    CharacterId,
    Family,
    FollowUp,
    Outcome,
    Place,
    Scene,
    SceneT,
    SettingsT,
    SheetT,
    Verdict,
    View,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.shared.encounters import fight_of
from bot.rules.shared.resting.rest_model import (
    HOUR_SECONDS,
    LONGEST_HOURS,
    MOST_RESTING,
    REST,
    DuringFight,
    OptionsT,
    Rest,
    Rested,
    Resting,
    RestOptions,
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


def asked_during_fight(
    scene: SceneT,
    procedure: str,
    options: DuringFight,
    hours: int,
    *,
    who: CharacterId | None = None,
) -> Outcome[SceneT] | None:
    """Ask whether to rest although a fight runs here; None where none runs, or where that was answered.

    Args:
        scene: Everything as it is.
        procedure: The procedure that rests.
        options: Its options, as they were chosen.
        hours: How many hours it would last; 0 for a rest that takes no time.
        who: The character that rests by itself; None where a GM lets others rest.
    """
    if options.in_fight or not _is_fight_known(scene):
        return None
    anyway = FollowUp(
        procedure=procedure,
        options=evolve(options, in_fight=True),
        label="Rest anyway",
        audience=Audience.GM if who is None else Audience.OWNER,
        character=who,
        group="rest",
        place=Place.OPEN,
    )
    long = f"of {hours_words(hours)}" if hours else "that takes no time"
    return Outcome(
        scene=scene,
        headline=f"asks for a rest {long} during a fight",
        notes=("A fight is running in this channel. Nobody has rested yet.",),
        follow_ups=(anyway,),
        is_public=False,
    )


def _is_fight_known(scene: SceneT) -> bool:
    """Whether a fight runs in the channel, and the person acting may know of it."""
    fight = fight_of(scene)
    if fight is None:
        return False
    return scene.is_gm or any(not one.is_hidden for one in fight.combatants)


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
    if not plan.sleepers:
        raise UserError("Nobody has joined this rest.", "Name who rests, or let players join first.")
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
        verdict=Verdict(Family.NEWS, counted(rested.hours, "hour passes", "hours pass")),
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
    found = scene.stored(Rest, options.rest)
    if found is None or found.began is None:
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


CALL, JOIN, LEAVE, CANCEL = "rest.call", "rest.join", "rest.leave", "rest.cancel"


class CallOptions(DuringFight):
    """Options for a requested rest: how long, who rests already, and whether it happens at once."""

    hours: int = Field(default=8, ge=1, le=LONGEST_HOURS)
    who: tuple[CharacterId, ...] = Field(default=(), max_length=MOST_RESTING)
    now: bool = False
    apart: bool = False


def rest(rules: RestRules[OptionsT], scene: Scene, options: OptionsT, dice: Dice) -> Outcome:
    """Start a rest or join a waiting one; the clock moves once it is carried out."""
    actor = scene.actor
    rules.assert_can(scene, actor, options)
    latest = latest_rest(scene)
    if options.hours and latest is not None and latest.is_open and not options.now:
        return _joined(scene, latest, actor, options)
    question = asked_during_fight(scene, REST, options, options.hours, who=actor.id)
    if question is not None:
        return question
    if not options.hours and rules.brief is not None:
        return rules.brief(scene, options, dice)
    if latest is not None and not options.apart and has_just_ended(scene, latest, [actor.id]):
        again = FollowUp(
            procedure=REST,
            options=evolve(options, apart=True),
            label=f"{hours_words(options.hours)} more",
            character=actor.id,
            group="rest",
        )
        return asked_whether_the_same(scene, latest, [actor.id], options.hours, again)
    plan = evolve(planned(rules, scene, options.hours, [(actor, options)]), in_fight=options.in_fight)
    if options.now or actor.is_hidden:
        return carried_out(rules, scene, plan, dice)
    return _opened(scene, plan, f"is about to rest for {hours_words(options.hours)}")


def call(rules: RestRules[OptionsT], scene: Scene, options: CallOptions, dice: Dice) -> Outcome:
    """Request a rest as the GM, for named characters or whoever joins."""
    chosen = rules.chosen(options.hours)
    sleepers = [(scene.character(who), chosen) for who in dict.fromkeys(options.who)]
    for character, _chosen in sleepers:
        rules.assert_can(scene, character, chosen)
    latest = latest_rest(scene)
    if latest is not None and latest.is_open:
        what = f"A rest of {hours_words(latest.hours)} is already open."
        raise UserError(what, "Start it or call it off.")
    question = asked_during_fight(scene, CALL, options, options.hours)
    if question is not None:
        return question
    ids = [character.id for character, _chosen in sleepers]
    if ids and latest is not None and not options.apart and has_just_ended(scene, latest, ids):
        again = FollowUp(
            procedure=CALL,
            options=evolve(options, apart=True),
            label=f"{hours_words(options.hours)} more",
            audience=Audience.GM,
            group="rest",
        )
        return asked_whether_the_same(scene, latest, ids, options.hours, again)
    plan = evolve(planned(rules, scene, options.hours, sleepers), in_fight=options.in_fight)
    if options.now:
        return carried_out(rules, scene, plan, dice)
    return _opened(scene, plan, f"calls for a rest of {hours_words(options.hours)}")


def _opened(scene: Scene, plan: Rest, words: str) -> Outcome:
    return Outcome(
        scene=with_rest(scene, plan),
        headline=words,
        gathering=plan.key,
    )


def _joined(scene: Scene, found: Rest, actor: Character, options: RestOptions) -> Outcome:
    if actor.is_hidden:
        raise UserError(
            f"Everyone sees who joins a rest, and {actor.name} is hidden.",
            "Let the others rest first: time won't pass again for anyone who rests with them.",
        )
    others = found.others(actor.id)
    sleepers = {**found.sleepers, str(actor.id): sleeper(actor, options)}
    changed = evolve(found, sleepers=sleepers, hours=max(found.hours, options.hours))
    words = f"joins the rest of {others}" if others else "joins the rest"
    return Outcome(scene=with_rest(scene, changed), headline=f"{words}, for {hours_words(options.hours)}")


def join(rules: RestRules[OptionsT], scene: Scene, options: OneRestOptions, _dice: Dice) -> Outcome:
    """Join a waiting rest."""
    actor, found = scene.actor, open_rest(scene, options.rest)
    if found.has(actor.id):
        raise UserError(f"{actor.name} is already resting with them.")
    chosen = rules.joining(found, found.hours)
    rules.assert_can(scene, actor, chosen)
    return _joined(scene, found, actor, chosen)


def leave(_rules: RestRules[OptionsT], scene: Scene, options: OneRestOptions, _dice: Dice) -> Outcome:
    """Leave a waiting rest."""
    actor, found = scene.actor, open_rest(scene, options.rest)
    if not found.has(actor.id):
        raise UserError(f"{actor.name} isn't resting with them.")
    left = {id_: one for id_, one in found.sleepers.items() if id_ != str(actor.id)}
    return Outcome(scene=with_rest(scene, evolve(found, sleepers=left)), headline="stays awake")


def cancel(_rules: RestRules[OptionsT], scene: Scene, options: OneRestOptions, _dice: Dice) -> Outcome:
    """Cancel a rest: no time passes."""
    found = open_rest(scene, options.rest)
    changed = evolve(found, is_cancelled=True)
    return Outcome(scene=with_rest(scene, changed), headline="calls the rest off")


def view_rest(shown: Rest, _scene: Scene) -> View:
    """A waiting rest: who rests, with buttons to join, leave and carry it out."""
    if shown.is_cancelled:
        return View(verdict=Verdict(Family.NEWS, "called off"))
    if shown.ended is not None:
        passed = hours_words(shown.passed)
        return View(lines=(f"Rested: {shown.names}",), verdict=Verdict(Family.NEWS, f"rested for {passed}"))
    options = OneRestOptions(rest=shown.key)

    def button(procedure: str, label: str, audience: Audience = Audience.ANYONE) -> FollowUp:
        return FollowUp(procedure=procedure, options=options, label=label, audience=audience, group=procedure)

    long = counted(shown.hours, "hour passes", "hours pass")
    return View(
        lines=(
            f"Resting: {_names(shown) or 'nobody yet'}",
            "Join now to rest too. Game time passes once for everyone.",
        ),
        follow_ups=(
            button(JOIN, "Rest too"),
            *((button(GO, f"Rest now: {long}"),) if shown.sleepers else ()),
            button(LEAVE, "Stay awake"),
            button(CANCEL, "Call it off (GM)", Audience.GM),
        ),
    )


def _names(shown: Rest) -> str:
    """The names of everybody resting, with their hours if these differ."""
    hours = {id_: one.options.get("hours", shown.hours) for id_, one in shown.sleepers.items()}
    if len(set(hours.values())) < 2:
        return shown.names
    return ", ".join(f"{one.name} ({hours[id_]} h)" for id_, one in shown.sleepers.items())
