"""Fight procedures that all games share: gather, begin, end the turn."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    Family,
    FollowUp,
    Outcome,
    Place,
    Procedure,
    Scene,
    SceneT,
    SettingsT,
    SheetT,
    Verdict,
)
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.encounters.closing import end, leave
from bot.rules.shared.encounters.model import AnyCombatant, FightT
from bot.rules.shared.encounters.rules import (
    AddOptions,
    DelayOptions,
    EndOptions,
    FightRules,
    JoinOptions,
    LeaveOptions,
    NextOptions,
    OrderOptions,
    RevealOptions,
    StartOptions,
)
from bot.rules.shared.encounters.views import find_character, own_character

OptionsT = TypeVar("OptionsT", bound=Document)
FEWEST = 2  # who take part in a first round
SEE_WHO = "The board shows who is."

# --- before and in the order -------------------------------------------------------------------


def start(
    rules: FightRules[FightT, SheetT, SettingsT],
    scene: Scene[SheetT, SettingsT],
    options: StartOptions,
    dice: Dice,
) -> Outcome[Scene[SheetT, SettingsT]]:
    """Start a fight in the channel; combatants gather until its order is set."""
    if rules.place.find(scene) is not None:
        raise UserError(
            "There is already an encounter in this channel.",
            try_this="Join it with /encounter join; a GM can end it with /gm encounter end.",
        )
    ids = dict.fromkeys((*(() if scene.actor_id is None else (scene.actor_id,)), *options.others))
    combatants = [_new_combatant(rules, scene, who) for who in ids]
    encounter = rules.opened(scene, options).with_newcomers(combatants)
    scene = rules.place.keep(scene, encounter)
    if options.at_once and len(combatants) > 1:
        return replace(rules.begin(scene, dice), headline="starts an encounter")
    names = f"Fighting: {encounter.names}." if combatants else "Nobody has joined yet."
    return Outcome(
        scene=scene,
        headline="starts an encounter",
        notes=(*rules.opening_words(scene), names),
        follow_ups=(join_button(), *rules.gathering(scene)),
    )


def _new_combatant(rules: FightRules[FightT], scene: Scene, who: CharacterId) -> AnyCombatant:
    character = scene.character(who)
    if character.is_hidden:
        raise UserError(
            f"{character.name} is hidden, and everyone can see who is in an encounter.",
            try_this=f"To keep {character.name} hidden, use /gm encounter add with hidden.",
        )
    return rules.new_combatant(scene, character)


def join_button() -> FollowUp:
    """The button to join with your own character."""
    return FollowUp(
        procedure=keys.JOIN,
        options=JoinOptions(),
        label="Join",
        audience=Audience.ANYONE,
        group="join",
        stays=True,
    )


def next_button(rules: FightRules[FightT], scene: Scene, label: str = "") -> FollowUp:
    """The button that ends exactly the current turn or, before the first round, sets the order."""
    encounter = rules.place.the(scene)
    on = [one for one in encounter.shown if encounter.is_on(one.character)]
    is_own = rules.players_advance and len(on) == 1 and find_character(scene, on[0].character) is not None
    is_gms = encounter.has_begun or rules.gm_begins(scene)
    audience = Audience.GM if is_gms else Audience.ANYONE
    return FollowUp(
        procedure=keys.NEXT,
        options=NextOptions(turn=encounter.turn_key),
        label=label or ("End the turn" if encounter.has_begun else rules.begin_label(scene)),
        audience=Audience.OWNER if is_own else audience,
        character=on[0].character if is_own else None,
        group="turn",
        place=Place.APART,
    )


def next_buttons(rules: FightRules[FightT], scene: Scene) -> tuple[FollowUp, ...]:
    """That button, or none while there are too few combatants for a first round."""
    encounter = rules.place.the(scene)
    can_go_on = encounter.has_begun or encounter.count >= FEWEST
    return (next_button(rules, scene),) if can_go_on else ()


def turn_ends(rules: FightRules[FightT], scene: Scene) -> tuple[FollowUp, ...]:
    """The same; also none without a fight."""
    return () if rules.place.find(scene) is None else next_buttons(rules, scene)


def join(rules: FightRules[FightT], scene: Scene, options: JoinOptions, dice: Dice) -> Outcome:
    """Join the fight; once the order is set, the rules give the newcomer a place."""
    newcomer = own_character(scene, options.character)
    encounter = rules.place.the(scene)
    if encounter.combatant(newcomer.id) is not None:
        raise UserError(f"{newcomer.name} is already in the encounter.")
    is_own = scene.actor_id == newcomer.id
    words = "joins the encounter" if is_own else f"brings {newcomer.name} into the encounter"
    return _let_in(rules, scene, [newcomer.id], words, dice)


def _let_in(
    rules: FightRules[FightT], scene: Scene, ids: Sequence[CharacterId], words: str, dice: Dice
) -> Outcome:
    encounter = rules.place.the(scene)
    combatants = [_new_combatant(rules, scene, who) for who in ids]
    if encounter.has_begun:
        return replace(rules.enter(scene, ids, dice), headline=words)
    joined = encounter.with_newcomers(combatants)
    return Outcome(scene=rules.place.keep(scene, joined), headline=words)


def add(rules: FightRules[FightT], scene: Scene, options: AddOptions, dice: Dice) -> Outcome:
    """Add characters of the GM's choice; hidden ones have no place in the order yet."""
    encounter = rules.place.the(scene)
    ids = list(dict.fromkeys(options.characters))
    there = {one.character for one in encounter.combatants}
    for who in ids:
        if who in there:
            raise UserError(f"{scene.character(who).name} is already in the encounter.")
    hidden = [who for who in ids if options.hidden or scene.character(who).is_hidden]
    names = ", ".join(scene.character(who).name for who in ids)
    if hidden:
        combatants = [rules.new_combatant(scene, scene.character(who)) for who in hidden]
        scene = rules.place.keep(scene, encounter.with_hidden(combatants))
    rest = [who for who in ids if who not in hidden]
    if not rest:
        notes = ("Players don't know. Reveal them on the desk (Secrets) or with /gm encounter reveal.",)
        return Outcome(scene=scene, headline=f"hides {names} in the encounter", notes=notes, is_public=False)
    done = _let_in(rules, scene, rest, f"adds {names} to the encounter", dice)
    return replace(done, is_public=not hidden)


def reveal(rules: FightRules[FightT], scene: Scene, options: RevealOptions, dice: Dice) -> Outcome:
    """Reveal a hidden combatant and give it a place in the order."""
    encounter = rules.place.the(scene)
    if not encounter.hides(options.character):
        raise UserError(f"{scene.character(options.character).name} isn't hidden in this encounter.")
    character = scene.character(options.character)
    scene = scene.with_character(replace(character, is_hidden=False))
    return _let_in(rules, scene, [character.id], f"reveals {character.name}", dice)


def next_turn(rules: FightRules[FightT], scene: Scene, options: NextOptions, dice: Dice) -> Outcome:
    """End the current turn or, before the first round, set the order."""
    encounter = rules.place.the(scene)
    if options.turn and options.turn != encounter.turn_key:
        raise UserError("That turn is already over.", _who_is_on(rules, scene))
    if not encounter.has_begun:
        _assert_can_begin(rules, scene, encounter)
        return rules.begin(scene, dice)
    on = [one for one in encounter.shown if encounter.is_on(one.character)]
    if not scene.is_gm and not (rules.players_advance and _plays_one_of(scene, on)):
        raise UserError(
            _who_is_on(rules, scene), "Only its player or a GM can end it." if on else "Only a GM can end it."
        )
    return rules.advance(scene, dice)


def _who_is_on(rules: FightRules[FightT], scene: Scene) -> str:
    encounter = rules.place.the(scene)
    on = [combatant.name for combatant in encounter.shown if encounter.is_on(combatant.character)]
    return f"It is {', '.join(on)}'s turn." if len(on) == 1 else "Someone else is acting."


def _plays_one_of(scene: Scene, combatants: Sequence[AnyCombatant]) -> bool:
    found = (find_character(scene, combatant.character) for combatant in combatants)
    return any(one is not None and one.owner == scene.person for one in found)


def _assert_can_begin(rules: FightRules[FightT], scene: Scene, encounter: FightT) -> None:
    """Raise `UserError` unless the order can be set and the person may do so."""
    if encounter.count < FEWEST:
        raise UserError("Nobody else has joined yet.", try_this="Others can join with /encounter join.")
    if not scene.is_gm and not _plays_one_of(scene, encounter.shown):
        raise UserError("Only someone in the encounter or a GM can start the first round.")
    if not scene.is_gm and rules.gm_begins(scene):
        raise UserError("Only a GM can start the first round.")


# --- out of the order --------------------------------------------------------------------------


def delay(rules: FightRules[FightT], scene: Scene, options: DelayOptions, _dice: Dice) -> Outcome:
    """Move to a later place in the order, if the ruleset allows it."""
    who = own_character(scene, options.character)
    encounter = rules.place.the(scene)
    for one in (who.id, *(() if options.after is None else (options.after,))):
        if encounter.combatant(one) is None:
            raise UserError(f"{scene.character(one).name} isn't in the encounter.", SEE_WHO)
    if isinstance(rules.delay, str):
        raise UserError(rules.delay)
    return rules.delay(scene, who.id, options.after)


def set_order(rules: FightRules[FightT], scene: Scene, options: OrderOptions, _dice: Dice) -> Outcome:
    """Set the order by hand, if the ruleset leaves it to the GM."""
    encounter = rules.place.the(scene)
    for who in options.characters:
        if encounter.combatant(who) is None:
            raise UserError(f"{scene.character(who).name} isn't in the encounter.", SEE_WHO)
    if isinstance(rules.reorder, str):
        raise UserError(rules.reorder)
    return rules.reorder(scene, tuple(dict.fromkeys(options.characters)))


# --- a plain order -----------------------------------------------------------------------------


def on_now(scene: SceneT, name: str, headline: str, notes: tuple[str, ...] = ()) -> Outcome[SceneT]:
    """The note at the start of a turn."""
    return Outcome(scene=scene, headline=headline, verdict=Verdict(Family.NEWS, f"{name} acts"), notes=notes)


def fight_procedures(rules: FightRules[FightT]) -> tuple[Procedure, ...]:
    """The procedures of a ruleset's fights; they have the keys of `bot.rules.kernel.tracker`."""

    def of(
        key: str,
        options: type[OptionsT],
        do: Callable[[FightRules[FightT], Scene, OptionsT, Dice], Outcome],
        *,
        gm_only: bool = False,
    ) -> Procedure[OptionsT]:
        return Procedure(
            key=key,
            options=options,
            run=lambda scene, chosen, dice: do(rules, scene, chosen, dice),
            gm_only=gm_only,
            needs_actor=False,
        )

    return (
        of(keys.START, StartOptions, start),
        of(keys.JOIN, JoinOptions, join),
        of(keys.ADD, AddOptions, add, gm_only=True),
        of(keys.NEXT, NextOptions, next_turn),
        of(keys.DELAY, DelayOptions, delay),
        of(keys.LEAVE, LeaveOptions, leave),
        of(keys.REVEAL, RevealOptions, reveal, gm_only=True),
        of(keys.ORDER, OrderOptions, set_order, gm_only=True),
        of(keys.END, EndOptions, end, gm_only=True),
    )
