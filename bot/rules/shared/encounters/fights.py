"""Fight procedures that all games share: gather, begin, end the turn."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from bot.rules.kernel import (
    Audience,
    Character,
    CharacterId,
    Closing,
    Document,
    EncounterView,
    Family,
    FighterLine,
    FollowUp,
    Ground,
    Outcome,
    Place,
    Procedure,
    Scene,
    SceneT,
    SettingsT,
    SheetT,
    Unsettled,
    Verdict,
    named_lines,
    nothing,
    open_words,
    settle_all,
    waive_all,
)
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import FightElsewhere, UserError
from bot.rules.kernel.tracker import ENCOUNTER, encounter_key
from bot.rules.shared.encounters.model import (
    AddOptions,
    AnyCombatant,
    CharacterT,
    DelayOptions,
    Encounter,
    EndOptions,
    FightPlace,
    FightRules,
    FightT,
    InTurnT,
    JoinOptions,
    LeaveOptions,
    NextOptions,
    OrderOptions,
    RevealOptions,
    StartOptions,
)

GATHERING = "Waiting to start"


def find_character(scene: Scene[SheetT, SettingsT], who: CharacterId | None) -> Character[SheetT] | None:
    """Find a character; None if it has left the campaign or none is given."""
    return None if who is None else scene.known(who)


def fight_of(scene: Scene) -> Encounter | None:  # type: ignore[type-arg]  # of any kind of participants
    """The fight in the scene's channel, whatever the ruleset, or None."""
    try:
        return scene.stored(Encounter, encounter_key(scene.channel))
    except UserError:  # of a ruleset without encounters
        return None


def hidden_in(scene: Scene) -> tuple[CharacterId, ...]:
    """The hidden combatants of the channel's encounter."""
    fight = fight_of(scene)
    hidden = () if fight is None else fight.hidden
    return tuple(one.character for one in hidden if one.character is not None)


def npcs_on(scene: Scene) -> tuple[CharacterId, ...]:
    """The GM's characters whose turn it is in the channel's encounter."""
    fight = fight_of(scene)
    on = () if fight is None else (one.character for one in fight.shown if fight.is_on(one.character))
    known = (find_character(scene, who) for who in on)
    return tuple(one.id for one in known if one is not None and one.owner is None)


def own_character(scene: Scene[SheetT, SettingsT], chosen: CharacterId | None) -> Character[SheetT]:
    """The chosen character (only a GM or its player may choose it), else the acting one."""
    if chosen is None:
        return scene.actor
    character = scene.character(chosen)
    if not scene.is_gm and character.owner != scene.person:
        raise UserError(f"{character.name} isn't your character.", "Only its player or a GM can do that.")
    return character


def view_of(
    scene: Scene[SheetT, SettingsT],
    encounter: Encounter[CharacterT],
    *,
    facts: Callable[[Scene[SheetT, SettingsT], Character[SheetT]], Sequence[str]],
    secrets: Callable[[Scene[SheetT, SettingsT], Character[SheetT]], Sequence[str]] = nothing,
    can_act: Callable[[Scene[SheetT, SettingsT], Character[SheetT]], bool] = lambda _scene, _one: True,
    on: str = "",
    has_acted: Callable[[CharacterT], bool] = lambda _combatant: False,
    notes: Sequence[str] = (),
    gm_notes: Sequence[str] = (),
    ground: Ground | None = None,
) -> EncounterView:
    """Build the displayed state of a fight.

    Args:
        encounter: Its fight.
        facts: What everybody sees of somebody.
        secrets: What only the GM sees besides.
        can_act: Whether somebody can do anything on their turn; others are neither marked nor pinged.
        on: Whose turn it is, where that is more than one's.
        has_acted: Whether somebody is done for this round.
        notes: What else everybody sees.
        gm_notes: What else only the GM sees.
        ground: Where everybody stands.
    """

    def line(who: CharacterId, name: str) -> FighterLine:
        character = find_character(scene, who)
        combatant = encounter.combatant(who)
        return FighterLine(
            character=who,
            name=name,
            is_on=encounter.is_on(who) and (character is None or can_act(scene, character)),
            has_acted=encounter.has_begun and combatant is not None and has_acted(combatant),
            facts=("gone",) if character is None else _filled(facts(scene, character)),
            secrets=() if character is None else _filled(secrets(scene, character)),
        )

    known = (find_character(scene, one.character) for one in encounter.hidden)
    lines = tuple(line(combatant.character, combatant.name) for combatant in encounter.shown)
    return EncounterView(
        title=f"Round {encounter.round}" if encounter.has_begun else "Before round 1",
        turn=encounter.turn_key,
        on=on or (_on(encounter, lines) if encounter.has_begun else GATHERING),
        lines=lines,
        notes=_filled(notes),
        hidden=tuple(line(one.id, one.name) for one in known if one is not None),
        secrets=_filled(gm_notes),
        ground=ground,
        has_begun=encounter.has_begun,
    )


def _on(encounter: Encounter[CharacterT], lines: Sequence[FighterLine]) -> str:
    on = next((one for one in lines if encounter.is_on(one.character)), None)
    if on is None:
        return "Nobody acts"
    return f"{on.name} acts" if on.is_on else f"{on.name} can't act"


def _filled(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word)


MOST_ANSWERS = 10


def leave(rules: FightRules[FightT], scene: Scene, options: LeaveOptions, dice: Dice) -> Outcome:
    """Leave the fight; the combatant's current turn ends first.

    Whoever still has something to answer stays until that is settled; a GM takes them out all the same.
    """
    who = own_character(scene, options.character)
    encounter = rules.place.the(scene)
    is_known = encounter.combatant(who.id) is not None
    if not is_known and not (scene.is_gm and encounter.hides(who.id)):
        raise UserError(f"{who.name} isn't in the fight.")
    words = "leaves the fight" if scene.actor_id == who.id else f"takes {who.name} out of the fight"
    if not is_known:
        return Outcome(
            scene=rules.place.keep(scene, encounter.without(who.id)), headline=words, is_public=False
        )
    if encounter.has_begun and encounter.count < 2:
        raise UserError(
            "Nobody would be left in the fight.",
            try_this="A GM can end the fight with /gm encounter end.",
        )
    waived = _without_their_own(rules, scene, who)
    scene, encounter = waived.scene, rules.place.the(waived.scene)
    on = [one for one in encounter.shown if encounter.is_on(one.character)]
    passed = Outcome(scene=scene, headline=words)
    if encounter.has_begun and len(on) == 1 and on[0].character == who.id:
        passed = rules.advance(scene, dice)
        _, colon, whose = passed.headline.partition(": ")  # whose turn it is now, where it is said there
        passed = replace(passed, headline=f"{words}{colon}{whose}")
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
        headline=f"ends the fight {when}",
        rolls=(*closed.rolls, *done.rolls),
        notes=(*closed.notes, *done.notes),
        follow_ups=(*closed.follow_ups, *done.follow_ups),
        moments=(*closed.moments, *done.moments),
        settled=closed.settled,
        deal=_deal(found, options.unsettled),
    )


def _deal(found: tuple[Unsettled, ...], how: Closing) -> str:
    """A mark of the open things, so that only what the GM has read about is waived."""
    return "; ".join(one.what for one in found) if how is Closing.WAIVE else ""


def _not_yet(scene: Scene, found: tuple[Unsettled, ...]) -> Outcome:
    """List what is open, with buttons to settle or waive; hidden characters for the GM only."""
    answers = [
        replace(button, place=Place.BELOW) if button.place is Place.VERDICT else button
        for one in found
        for button in one.answers
    ][:MOST_ANSWERS]
    count = "it" if len(found) == 1 else f"all {len(found)}"
    return Outcome(
        scene=scene,
        headline=f"can't end the fight yet: {open_words(found)}",
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
        rewinds=True,  # closes the answers
    )


def _is_hidden(scene: Scene, who: CharacterId) -> bool:
    found = find_character(scene, who)
    return found is not None and found.is_hidden


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
            "There is already a fight in this channel.",
            try_this="Press Join on its board; a GM can end it with /gm encounter end.",
        )
    ids = dict.fromkeys((*(() if scene.actor_id is None else (scene.actor_id,)), *options.others))
    combatants = [_new_combatant(rules, scene, who) for who in ids]
    encounter = rules.opened(scene, options).with_newcomers(combatants)
    scene = rules.place.keep(scene, encounter)
    if options.at_once and len(combatants) > 1:
        return replace(rules.begin(scene, dice), headline="starts a fight")
    names = (f"Fighting: {encounter.names}.",) if combatants else ()
    return Outcome(
        scene=scene,
        headline="starts a fight",
        notes=(*rules.opening_words(scene), *names),
        follow_ups=(join_button(), *rules.gathering(scene)),
    )


def _new_combatant(rules: FightRules[FightT], scene: Scene, who: CharacterId) -> AnyCombatant:
    character = scene.character(who)
    if character.is_hidden:
        raise UserError(
            f"{character.name} is hidden, and everyone can see who is in a fight.",
            try_this=f"To keep {character.name} hidden, use /gm encounter add with hidden.",
        )
    if character.owner is not None:
        _assert_in_no_other(scene, character)
    return rules.new_combatant(scene, character)


def _assert_in_no_other(scene: Scene, character: Character) -> None:
    """Refuse a player's character whom everybody sees in another channel's fight.

    Raises:
        FightElsewhere: If there is such a fight.
    """
    own = encounter_key(scene.channel)
    for key, found in scene.every(Encounter, ENCOUNTER):
        if key != own and found.combatant(character.id) is not None:
            raise FightElsewhere(character.name, key.partition("/")[2])


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
        label=label or ("End turn" if encounter.has_begun else rules.begin_label(scene)),
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
        raise UserError(f"{newcomer.name} is already in the fight.")
    is_own = scene.actor_id == newcomer.id
    words = "joins the fight" if is_own else f"brings {newcomer.name} into the fight"
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
            raise UserError(f"{scene.character(who).name} is already in the fight.")
    hidden = [who for who in ids if options.hidden or scene.character(who).is_hidden]
    names = ", ".join(scene.character(who).name for who in ids)
    if hidden:
        combatants = [rules.new_combatant(scene, scene.character(who)) for who in hidden]
        scene = rules.place.keep(scene, encounter.with_hidden(combatants))
    rest = [who for who in ids if who not in hidden]
    if not rest:
        notes = ("Players don't know. Reveal them on the desk (Secrets) or with /gm encounter reveal.",)
        return Outcome(scene=scene, headline=f"hides {names} in the fight", notes=notes, is_public=False)
    done = _let_in(rules, scene, rest, f"adds {names} to the fight", dice)
    return replace(done, is_public=not hidden)


def reveal(rules: FightRules[FightT], scene: Scene, options: RevealOptions, dice: Dice) -> Outcome:
    """Reveal a hidden combatant and give it a place in the order."""
    encounter = rules.place.the(scene)
    if not encounter.hides(options.character):
        raise UserError(f"{scene.character(options.character).name} isn't hidden in this fight.")
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
        raise UserError("Nobody else has joined yet.", try_this="Others can press Join on the board.")
    if not scene.is_gm and not _plays_one_of(scene, encounter.shown):
        raise UserError("Only someone in the fight or a GM can start the first round.")
    if not scene.is_gm and rules.gm_begins(scene):
        raise UserError("Only a GM can start the first round.")


# --- out of the order --------------------------------------------------------------------------


def delay(rules: FightRules[FightT], scene: Scene, options: DelayOptions, _dice: Dice) -> Outcome:
    """Move to a later place in the order, if the ruleset allows it."""
    who = own_character(scene, options.character)
    encounter = rules.place.the(scene)
    for one in (who.id, *(() if options.after is None else (options.after,))):
        if encounter.combatant(one) is None:
            raise UserError(f"{scene.character(one).name} isn't in the fight.", SEE_WHO)
    if isinstance(rules.delay, str):
        raise UserError(rules.delay)
    return rules.delay(scene, who.id, options.after)


def set_order(rules: FightRules[FightT], scene: Scene, options: OrderOptions, _dice: Dice) -> Outcome:
    """Set the order by hand, if the ruleset leaves it to the GM."""
    encounter = rules.place.the(scene)
    for who in options.characters:
        if encounter.combatant(who) is None:
            raise UserError(f"{scene.character(who).name} isn't in the fight.", SEE_WHO)
    if isinstance(rules.reorder, str):
        raise UserError(rules.reorder)
    return rules.reorder(scene, tuple(dict.fromkeys(options.characters)))


# --- a plain order -----------------------------------------------------------------------------


def on_now(scene: SceneT, name: str, headline: str, notes: tuple[str, ...] = ()) -> Outcome[SceneT]:
    """The note at the start of a turn."""
    return Outcome(scene=scene, headline=headline, verdict=Verdict(Family.NEWS, f"{name} acts"), notes=notes)


def pass_turn(
    place: FightPlace[InTurnT], scene: SceneT, can_act: Callable[[SceneT, Any], bool]
) -> Outcome[SceneT]:
    """End the turn; the next combatant who can act follows."""
    before = place.the(scene)
    encounter, skipped = before.passed_on(), list[str]()
    for _ in before.shown[1:]:
        character = find_character(scene, encounter.acting.character)
        if character is None or can_act(scene, character):
            break
        skipped.append(f"{character.name} can't act and is skipped.")
        encounter = encounter.passed_on()
    new_round = (f"Round {encounter.round} starts.",) if encounter.round != before.round else ()
    kept = place.keep(scene, encounter)
    return on_now(kept, encounter.acting.name, "ends the turn", (*skipped, *new_round))


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
