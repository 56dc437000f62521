"""Starting and joining a rest, and how it is shown while it waits."""

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    Character,
    CharacterId,
    Family,
    FollowUp,
    Outcome,
    Scene,
    Verdict,
    View,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.resting.during_fights import asked_during_fight
from bot.rules.shared.resting.rest_model import (
    LONGEST_HOURS,
    MOST_RESTING,
    REST,
    DuringFight,
    OptionsT,
    Rest,
    RestOptions,
    RestRules,
    has_just_ended,
    hours_words,
    latest_rest,
    open_rest,
    planned,
    sleeper,
    with_rest,
)
from bot.rules.shared.resting.rest_procedure import GO, OneRestOptions, asked_whether_the_same, carried_out

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
    if not options.hours and rules.brief is None:
        raise UserError("A rest must be at least 1 hour.")
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

    long = "1 hour passes" if shown.hours == 1 else f"{hours_words(shown.hours)} pass"
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
