"""Leaving and ending fights, without losing anything unsettled."""

from dataclasses import replace

from bot.rules.kernel import (
    Audience,
    Character,
    CharacterId,
    Closing,
    FollowUp,
    Outcome,
    Scene,
    Unsettled,
    named_lines,
    open_words,
    settle_all,
    waive_all,
)
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.encounters.model import FightT
from bot.rules.shared.encounters.rules import EndOptions, FightRules, LeaveOptions
from bot.rules.shared.encounters.views import find_character, own_character

MOST_ANSWERS = 10


def leave(rules: FightRules[FightT], scene: Scene, options: LeaveOptions, dice: Dice) -> Outcome:
    """Leave the fight; the combatant's current turn ends first.

    Whoever still has something to answer stays until that is settled; a GM takes them out all the same.
    """
    who = own_character(scene, options.character)
    encounter = rules.place.the(scene)
    is_known = encounter.combatant(who.id) is not None
    if not is_known and not (scene.is_gm and encounter.hides(who.id)):
        raise UserError(f"{who.name} isn't in the encounter.")
    words = "leaves the encounter" if scene.actor_id == who.id else f"takes {who.name} out of the encounter"
    if not is_known:
        return Outcome(
            scene=rules.place.keep(scene, encounter.without(who.id)), headline=words, is_public=False
        )
    if encounter.has_begun and encounter.count < 2:
        raise UserError(
            "Nobody would be left in the encounter.",
            try_this="A GM can end the encounter with /gm encounter end.",
        )
    waived = _without_their_own(rules, scene, who)
    scene, encounter = waived.scene, rules.place.the(waived.scene)
    on = [one for one in encounter.shown if encounter.is_on(one.character)]
    passed = Outcome(scene=scene, headline=words)
    if encounter.has_begun and len(on) == 1 and on[0].character == who.id:
        passed = replace(rules.advance(scene, dice), headline=words)
    scene = rules.leave(passed.scene, who.id)
    left = rules.place.keep(scene, rules.place.the(scene).without(who.id))
    return replace(passed, scene=left, notes=(*waived.notes, *passed.notes))


def _without_their_own(rules: FightRules[FightT], scene: Scene, who: Character) -> Outcome:
    """Waive a combatant's unsettled things, which only a GM may do.

    Raises:
        UserError: If something waits for them, and the person is no GM.
    """

    def theirs(now: Scene) -> tuple[Unsettled, ...]:
        return tuple(one for one in rules.unsettled(now) if who.id in one.concerns)

    found = theirs(scene)
    if found and not scene.is_gm:
        raise UserError(
            f"{who.name} can't leave yet.",
            f"Still open: {found[0].what}.",
            "Settle that first, or ask a GM to take them out.",
        )
    return waive_all(scene, theirs)


def end(rules: FightRules[FightT], scene: Scene, options: EndOptions, dice: Dice) -> Outcome:
    """End the channel's fight with everything that lasts as long as it does.

    While something is open the fight goes on, until it is settled or the GM settles or waives all of it.
    """
    encounter = rules.place.the(scene)
    found = rules.unsettled(scene)
    if found and options.unsettled is Closing.ASK:
        return _not_yet(scene, found)
    closed = Outcome(scene=scene, headline="")
    if found:
        is_waived = options.unsettled is Closing.WAIVE
        closed = waive_all(scene, rules.unsettled) if is_waived else settle_all(scene, rules.unsettled, dice)
    when = f"in round {encounter.round}" if encounter.has_begun else "before the first round"
    done = rules.finish(closed.scene, dice)
    return replace(
        done,
        scene=rules.place.drop(done.scene),
        headline=f"ends the encounter {when}",
        rolls=(*closed.rolls, *done.rolls),
        notes=(*closed.notes, *done.notes),
        follow_ups=(*closed.follow_ups, *done.follow_ups),
        moments=(*closed.moments, *done.moments),
        deal=_deal(found, options.unsettled),
    )


def _deal(found: tuple[Unsettled, ...], how: Closing) -> str:
    """A mark of the open things, so that only what the GM has read about is waived."""
    return "; ".join(one.what for one in found) if how is Closing.WAIVE else ""


def _not_yet(scene: Scene, found: tuple[Unsettled, ...]) -> Outcome:
    """List what is open, with buttons to settle or waive; hidden characters for the GM only."""
    answers = [button for one in found for button in one.answers][:MOST_ANSWERS]
    count = "it" if len(found) == 1 else f"all {len(found)}"
    return Outcome(
        scene=scene,
        headline=f"can't end the encounter yet: {open_words(found)}",
        notes=named_lines(found),
        follow_ups=(
            *answers,
            _end_button(f"Settle {count} and end (GM)", Closing.SETTLE),
            _end_button(f"Waive {count} and end (GM)", Closing.WAIVE, _deal(found, Closing.WAIVE)),
        ),
        is_public=not any(_is_hidden(scene, who) for one in found for who in one.concerns),
    )


def _end_button(label: str, how: Closing, deal: str = "") -> FollowUp:
    return FollowUp(
        procedure=keys.END,
        options=EndOptions(unsettled=how),
        label=label,
        audience=Audience.GM,
        group="end",
        deal=deal,
    )


def _is_hidden(scene: Scene, who: CharacterId) -> bool:
    found = find_character(scene, who)
    return found is not None and found.is_hidden
