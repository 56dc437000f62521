"""Fights: view one, press its board, take a turn back, list combatants."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import (
    Audience,
    Character,
    CharacterId,
    Choice,
    EncounterView,
    FighterLine,
    FoeHealth,
    FollowUp,
    Scene,
    TrackerRules,
)
from bot.rules.kernel.dice import percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import IN_LINE, label_with
from bot.rules.kernel.tracker import ENCOUNTER, NEXT, START, encounter_key
from bot.rules.shared.encounters import Called, fight_of, find_character, join_button, npcs_on
from bot.rules.shared.offering import TryingDice, is_friend
from bot.store.records import CampaignId, CharacterRecord, EntryId, NamedCharacter, ServerId
from bot.store.transaction import Reader
from bot.table.base.access import (
    Access,
    Request,
    access_in,
    game_of,
    game_settings,
    may_play,
    of_nobody,
    seen_health,
)
from bot.table.base.access import find_character as find_record
from bot.table.base.live_rows import LiveRows, News
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, act, look, unit
from bot.table.base.typed_options import read_choice
from bot.table.campaigns.campaign_settings import shared_settings
from bot.table.gm import desk, waiting
from bot.table.journal import journal
from bot.table.journal.entries import latest_first
from bot.table.journal.journal import UndoAsks, as_part, told_parts_before
from bot.table.journal.shared_prompts import NONE_KNOWN, scene_to_look_at
from bot.table.journal.suggest import matching
from bot.table.play.actions import do
from bot.table.play.owed_answers import Offer, key_of
from bot.table.play.play import NOTHING_GIVEN, Given, move_of, presser

FEWEST = 2
MOST_AT_ONCE = 20  # NPCs that are added
TARGETS = frozenset({"target", "targets"})  # the fields that a menu of targets fills
PRESSED = "pressed"  # in an entry's facts: the board's message, the offer and the choice
MOST_BETWEEN = 8  # entries by others between the two presses of a double click
BOARD_MOVES_SECONDS = 5  # by then the board stands below a result, if it can be posted
ADORNED = re.compile(r"(?<=ttack )(?:[^·]+ )(\S+ [0-9]{1,9})(?=$| ·)")
NUMBERED = re.compile(r"(?P<kind>.+?) [0-9]{1,9}")


class SameKindOffer(Struct, frozen=True):
    """What every foe of a kind can do at once."""

    key: str  # what names it in a button
    follow_up: FollowUp  # what one of them does; its label speaks of all
    foes: tuple[CharacterId, ...]


def kind_of(name: str) -> str:
    """Return a foe's name without its number."""
    numbered = NUMBERED.fullmatch(name)
    return numbered["kind"] if numbered else name


def same_kind_offers(scene: Scene, offers: Sequence[FollowUp]) -> tuple[SameKindOffer, ...]:
    """Return the menus that two or more foes of a kind share, each as one for all of them."""
    foes: dict[str, list[CharacterId]] = defaultdict(list)
    names: dict[CharacterId, str] = {}
    for who in npcs_on(scene):
        character = find_character(scene, who)
        if character is not None:
            foes[kind_of(character.name)].append(who)
            names[who] = character.name
    return tuple(_shared(foes, names, offers))


def _shared(
    foes: dict[str, list[CharacterId]], names: dict[CharacterId, str], offers: Sequence[FollowUp]
) -> Iterator[SameKindOffer]:
    for kind, those in foes.items():
        menus = [
            one for one in offers if one.character in those and one.audience is Audience.GM and one.choices
        ]
        alike = [one for one in menus if _plain(one) == _plain(menus[0])]
        if len(alike) < FEWEST:
            continue
        first = alike[0]
        name = names[first.character] if first.character is not None else ""
        label = first.label.replace(name, f"Every {kind}", 1)
        everybody = replace(first, character=None, label=label)
        yield SameKindOffer(key_of(everybody) + f"{those[0]}", everybody, tuple(those))


def _plain(menu: FollowUp) -> FollowUp:
    return replace(menu, character=None, label="")


def _attack_with_all(at: Turn, offer: SameKindOffer, given: Given) -> tuple[Result, ...]:
    """Let each foe of a kind act, one after the other; those who can't any more are left out.

    Raises:
        UserError: If none of them can; then nothing has changed.
    """
    done: list[Result] = []
    refused: UserError | None = None
    for foe in offer.foes:
        found = at.tx.campaign(at.server, at.campaign.id)
        if found is None:  # campaigns are never deleted while they are played
            raise LookupError(f"campaign {at.campaign.id} is gone")
        access = access_in(at.table, at.tx, as_part(at.request, len(done)), found)
        follow_up = replace(offer.follow_up, character=foe)
        try:
            actor = find_record(at.tx, access, int(foe))
            done.append(do(at.table, at.tx, move_of(at.tx, access, follow_up, actor, given)))
        except UserError as error:
            refused = refused or error
    if not done:
        raise refused or UserError("The fight has moved on.")
    return tuple(done)


PAGE = 100
MOST_LOOKED_THROUGH = 2000  # entries, for the latest turn


class NoTracker(UserError):
    """The campaign's ruleset has no fight tracker."""

    def __init__(self, title: str) -> None:
        super().__init__(f"{title} has no fights.")


class NoEncounter(UserError):
    """There is no fight in the channel."""

    def __init__(self) -> None:
        super().__init__("There is no fight in this channel.", try_this="Start one with /encounter start.")


class Look(Struct, frozen=True, kw_only=True):
    """A fight as a person may see it."""

    server: ServerId
    campaign: CampaignId
    channel: int
    name: str  # name of the campaign
    is_gm: bool  # whether the person sees the GM's view
    view: EncounterView  # the fight; without the GM's secrets for anybody else
    offers: tuple[Offer, ...]  # what can be done now
    same_kind: tuple[SameKindOffer, ...] = ()  # what every foe of a kind can do at once
    bright: tuple[Offer, ...] = ()  # what players whose turn it is do most often, one button each
    ends: tuple[Offer, ...] = ()  # what ends a player's turn, or begins the fight
    waits: tuple[str, ...] = ()  # what has to be answered before the fight goes on, in words
    players: tuple[int, ...]  # the Discord ids of those whose turn it is
    takes_order: bool = False  # whether a GM may set the order of turns by hand
    npcs: frozenset[CharacterId] = frozenset()  # those in the fight whom the GM plays

    def is_gms(self, follow_up: FollowUp) -> bool:
        """Whether only a GM presses what is offered: it is theirs, or one of their characters'."""
        return follow_up.audience is Audience.GM or follow_up.character in self.npcs


def tracker_of(access: Access) -> TrackerRules:
    """Return the fight tracker of the campaign's ruleset.

    Raises:
        NoTracker: If it has none.
    """
    if access.game.tracker is None:
        raise NoTracker(access.game.title)
    return access.game.tracker


def look_from(reader: Reader, access: Access, *, for_board: bool = False) -> Look | None:
    """Return the channel's fight as this access may see it, or None.

    Args:
        for_board: Whether what stands only on the pages behind a board's buttons may be left out.
    """
    tracker = access.game.tracker
    if tracker is None:
        return None
    scene = _scene_at_once(reader, access)
    view = tracker.view(scene)
    if view is None:
        return None
    shown = _with_health(scene, access, view)
    on = [line.character for line in view.lines if line.is_on]
    acting = [one for one in (find_character(scene, who) for who in on) if one is not None]
    waits = view.waits or tuple(_waits(access, scene, view))
    is_brief = for_board and view.has_begun and not waits
    own = (_on_board(tracker, scene, acting) if is_brief else ()) or tracker.choices(scene)
    may_join = not (for_board and view.has_begun) and _can_join(reader, access, scene)
    joins = (join_button(),) if may_join else ()
    everything = (*own, *joins) if view.has_begun else (*joins, *own)
    owners = (one.owner for one in acting)
    offers = tuple(Offer(key_of(one), one) for one in everything)
    return Look(
        server=access.campaign.server,
        campaign=access.campaign.id,
        channel=access.request.channel,
        name=access.campaign.name,
        is_gm=access.is_gm,
        view=shown if access.is_gm else for_everybody(shown),
        offers=offers,
        bright=tuple(_bright(access, scene, own)),
        ends=tuple(one for one in offers if one.follow_up.procedure in tracker.ends),
        waits=waits,
        same_kind=() if for_board else same_kind_offers(scene, own),
        players=tuple(dict.fromkeys(owner for owner in owners if owner is not None)),
        takes_order=tracker.takes_order,
        npcs=frozenset(_npcs(scene, own)),
    )


def _on_board(tracker: TrackerRules, scene: Scene, acting: Sequence[Character]) -> tuple[FollowUp, ...]:
    """Return what a board shows of a turn; nothing where that is not known without all the rest.

    Of all that the GM's characters can do, it only says that their turn can be ended.
    """
    if all(one.owner is None for one in acting):
        ends = tracker.turn_ends(scene)
        npcs = {*_npcs(scene, ends)}
        return ends if all(one.audience is Audience.GM or one.character in npcs for one in ends) else ()
    return () if tracker.on_board is None else tracker.on_board(scene)


def _can_join(reader: Reader, access: Access, scene: Scene) -> bool:
    """Return whether joining is still of use to the person or, where nobody in particular looks, to anybody.

    Whoever has no character yet is told by the button how to get one, until all who have one fight.
    """
    fight = fight_of(scene)
    fighting = set() if fight is None else {one.character for one in fight.combatants}
    known = reader.character_names(access.campaign.server, access.campaign.id, with_hidden=False)
    players = {one.owner for one in known if one.owner is not None}
    there = {one.owner for one in known if one.id in fighting}
    return access.request.person not in there and (not players or bool(players - there))


def _waits(access: Access, scene: Scene, view: EncounterView) -> Iterator[str]:
    """Yield what the visible combatants still have to answer."""
    fighting = {line.character for line in view.lines}
    for one in access.game.unsettled(scene):
        if fighting & {*one.concerns}:
            yield one.what


def _npcs(scene: Scene, offers: Sequence[FollowUp]) -> Iterator[CharacterId]:
    """Yield those of the GM's characters who are offered something."""
    for who in {one.character for one in offers if one.character is not None}:
        character = find_character(scene, who)
        if character is not None and character.owner is None:
            yield who


def attacks_of(tracker: TrackerRules, offers: Sequence[FollowUp]) -> Iterator[FollowUp]:
    """Yield the attack that each combatant makes most often, aimed at the first in its menu."""
    seen: set[CharacterId | None] = set()
    for one in offers:
        if one.procedure not in tracker.attacks or one.character is None or one.character in seen:
            continue
        seen.add(one.character)
        if not one.choices:
            yield one
            continue
        aim = one.choices[0]
        options = read_choice(type(one.options), one.chosen, aim.value)
        chosen = type(one.options).model_validate({**one.options.model_dump(), one.chosen: options})
        yield replace(one, options=chosen, choices=(), chosen="", label=_label(f"Attack {aim.label}"))


def _bright(access: Access, scene: Scene, offers: Sequence[FollowUp]) -> Iterator[Offer]:
    """Yield the attacks of those who may act, with chances, and with names where they are many."""
    at_foes = [one for one in offers if not _is_on_friend(scene, one)]
    found = list(attacks_of(tracker_of(access), at_foes))
    names = _short_names([_name_in(scene, one.character) for one in found])
    tells_chances = tracker_of(access).tells_chances
    for one, name in zip(found, names, strict=True):
        own = one.label if len(found) == 1 else f"{name}: {one.label}"
        chance = "" if tells_chances or "%" in one.label else _chance(access, scene, one)
        yield Offer(key_of(one), replace(one, label=_label(_in_line(f"{own}{chance}"))))


def _short_names(names: Sequence[str]) -> list[str]:
    """Return the first word of each name where that tells them apart: a button of a phone is one line."""
    firsts = [name.split(" ")[0] for name in names]
    return firsts if len({*firsts}) == len({*names}) else [*names]


def _in_line(label: str) -> str:
    """Return a label in a phone's line: of "Street Brawler 1" only "Brawler 1" where it would be longer."""
    return label if len(label) <= IN_LINE else ADORNED.sub(r"\1", label, count=1)


def _label(words: str) -> str:
    """A button's label: where it is too long, the names before the first dot give way."""
    names, dot, rest = words.partition(" · ")
    return label_with(names, f"{dot}{rest}")


def _is_on_friend(scene: Scene, offer: FollowUp) -> bool:
    """Whether the first in a menu of targets is on the side of whoever acts: then there is no foe."""
    if not offer.choices or offer.chosen not in TARGETS:
        return False
    target = find_character(scene, CharacterId(int(offer.choices[0].value)))
    return target is not None and is_friend(replace(scene, actor_id=offer.character), target)


def _name_in(scene: Scene, who: CharacterId | None) -> str:
    character = find_character(scene, who)
    return "" if character is None else character.name


def _chance(access: Access, scene: Scene, act: FollowUp) -> str:
    """The exact chance of an act, found by trying it on a copy of the scene; nothing where it has none."""
    acting = replace(scene, actor_id=act.character)
    try:
        outcome = access.game.procedures[act.procedure].run(acting, act.options, TryingDice())
    except UserError:
        return ""
    odds = outcome.rolls[0].told_odds if outcome.rolls else None
    if odds is None:
        return ""
    needed = odds.needed or tracker_of(access).hits
    return "" if needed is None else f" · {percent(odds.at_least(needed))}"


def _scene(reader: Reader, access: Access, known: Mapping[int, CharacterRecord] = NONE_KNOWN) -> Scene:
    """Load the channel's scene, to be read, with the characters that are in hand."""
    scene = scene_to_look_at(reader, access, for_gm=access.is_gm, known=known)
    return replace(scene, channel=str(access.request.channel))


def _scene_at_once(reader: Reader, access: Access) -> Scene:
    """Load the channel's scene, to be read as a whole: the characters of its fight come together."""
    known: dict[int, CharacterRecord] = {}
    scene = _scene(reader, access, known)
    fight = fight_of(scene)
    if fight is not None:
        ids = [one.character for one in fight.combatants if one.character is not None]
        known.update(reader.characters_with(access.campaign.server, ids))
    return scene


def _with_health(scene: Scene, access: Access, view: EncounterView) -> EncounterView:
    """Add how hurt each NPC is: as far as players may see it, and all of it for the GM."""
    seen = seen_health(access.campaign)

    def added(line: FighterLine) -> FighterLine:
        character = find_character(scene, line.character)
        if character is None or character.owner is not None:
            return line
        health = access.game.health(character, access.settings)
        secrets = () if seen is FoeHealth.NUMBERS else health.numbers
        looks = (one for one in health.seen(seen) if one not in line.facts)
        return replace(line, facts=(*looks, *line.facts), secrets=(*secrets, *line.secrets))

    return replace(
        view,
        lines=tuple(added(line) for line in view.lines),
        hidden=tuple(added(line) for line in view.hidden),
    )


def for_everybody(view: EncounterView) -> EncounterView:
    """Return a fight without anything only the GM knows."""
    lines = tuple(replace(line, secrets=()) for line in view.lines)
    return replace(view, lines=lines, hidden=(), secrets=())


# --- looking and pressing ----------------------------------------------------------------------


@look()
def fight_here(at: ReadTurn, campaign: int | None = None) -> Look:
    """Return the channel's fight as the person may see it, with what they may press themselves.

    Args:
        campaign: The campaign; by default that of the place.

    Raises:
        UserError: If there is none.
    """
    at = at.in_campaign(campaign)
    tracker_of(at.access)
    found = look_from(at.reader, at.access)
    if found is None:
        raise NoEncounter

    def theirs(offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
        return tuple(one for one in offers if _may_press(at, found, one))

    return replace(found, offers=theirs(found.offers), bright=theirs(found.bright), ends=theirs(found.ends))


def _may_press(at: ReadTurn, fight: Look, offer: Offer) -> bool:
    """Whether it is the person's to press; the end of a turn only for those whose turn it is, or a GM."""
    follow_up = offer.follow_up
    if follow_up.audience is Audience.ANYONE:
        is_end = fight.view.has_begun and offer in fight.ends
        return not is_end or at.request.person in fight.players
    try:
        presser(at.reader, at.access, follow_up)
    except UserError:
        return False
    return True


@look()
def gm_look(at: ReadTurn, campaign: int) -> Look:
    """Return the same for a GM; anybody else is refused."""
    at = at.in_campaign(campaign)
    at.access.require_gm()
    found = look_from(at.reader, at.access)
    if found is None:
        raise NoEncounter
    return found


@act()
def take_up(at: Turn, campaign: int, key: str, given: Given = NOTHING_GIVEN) -> Result:
    """Do what the channel's board offers.

    Args:
        campaign: The campaign of the board.
        key: The key of the offer; see `key_of`.
        given: The choice or text that came with it.

    Raises:
        FormWanted: If the person must fill in a form first.
        UserError: If the person may not, or the fight has gone on since; then nothing has changed.
    """
    at = at.in_campaign(campaign)
    if at.campaign.is_archived:
        raise UserError("That campaign is archived.")
    tracker, scene = tracker_of(at.access), _scene(at.tx, at.access)
    if fight_of(scene) is None:
        raise NoEncounter
    offer = next((one for one in _pressable(tracker, scene) if key in _keys(one)), None)
    if offer is None:
        raise _moved_on(look_from(at.tx, at.access))
    actor = presser(at.tx, at.access, offer)
    pressed = f"{at.request.message}/{key}/{given.chosen or ''}" if at.request.message else ""
    _refuse_double_click(at, pressed)
    move = move_of(at.tx, at.access, offer, actor, given)
    return do(at.table, at.tx, replace(move, facts={**move.facts, PRESSED: pressed}))


def _refuse_double_click(at: Turn, pressed: str) -> None:
    """Refuse what the person has just rolled by the same button of the same message.

    The board goes below each result, as a new message: whoever means to roll again presses there.
    """
    latest = latest_first(at.tx, at.server, at.campaign.id, page=MOST_BETWEEN)
    for one in islice(latest, MOST_BETWEEN):
        is_it = one.person == at.request.person and one.at > at.table.now() - BOARD_MOVES_SECONDS
        if pressed and is_it and one.rolls and not one.is_secret and one.undone_by is None:
            facts = one.told.get("facts")
            if isinstance(facts, dict) and facts.get(PRESSED) == pressed:
                raise UserError("That is done already.", "Once the board has moved, you can do it again.")


@unit()
def take_up_with_all(at: Turn, campaign: int, key: str, given: Given = NOTHING_GIVEN) -> tuple[Result, ...]:
    """Let every foe of a kind do what the channel's board offers them.

    Raises:
        UserError: If the fight has gone on since; then nothing has changed.
    """
    again = told_parts_before(at.tx, at.request)
    if again:
        return again
    at = at.in_campaign(campaign)
    at.access.require_gm()
    if at.campaign.is_archived:
        raise UserError("That campaign is archived.")
    found = look_from(at.tx, at.access)
    if found is None:
        raise NoEncounter
    offer = next((one for one in found.same_kind if one.key == key), None)
    if offer is None:
        raise _moved_on(found)
    return _attack_with_all(at, offer, given)


def _pressable(tracker: TrackerRules, scene: Scene) -> Iterator[FollowUp]:
    """Yield what a board offers, fast ones first, and what boards of earlier releases still do."""
    yield from tracker.turn_ends(scene)
    offers = tracker.choices(scene)
    yield from offers
    yield from attacks_of(tracker, offers)
    yield join_button()
    yield from tracker.unshown(scene)


def _moved_on(found: Look | None) -> UserError:
    """Return the refusal of a press that the fight no longer offers."""
    return UserError("The fight has moved on.", "" if found is None else f"Now: {found.view.on}.")


def _keys(offer: FollowUp) -> tuple[str, ...]:
    """Return an offer's key, and the key it had on boards of releases without deals."""
    without_deal = (key_of(replace(offer, deal="")),) if offer.deal else ()
    return key_of(offer), *without_deal


# --- one turn back -----------------------------------------------------------------------------


async def back(
    table: Table, request: Request
) -> journal.Undone | journal.UndoBlocked | journal.UndoNeedsGm | UndoAsks:
    """Undo the latest turn ended in the channel, with all its effects.

    Raises:
        UserError: If there is none.
    """
    entry = await _latest_turn(table, request)
    return await journal.undo(table, request, entry)


@look()
def _latest_turn(at: ReadTurn) -> EntryId:
    tracker_of(at.access)
    channel = at.request.channel
    entries = latest_first(at.reader, at.server, at.campaign.id, page=PAGE)
    for entry in islice(entries, MOST_LOOKED_THROUGH):
        if entry.kind == f"play.{NEXT}" and entry.channel == channel and entry.undone_by is None:
            return entry.id
        if entry.kind == f"play.{START}" and entry.channel == channel:
            break
    raise UserError("No turn has ended in this fight yet.", try_this="Use /undo for anything else.")


# --- names to offer ----------------------------------------------------------------------------


@look()
def participants(
    at: ReadTurn, typed: str, *, only_own: bool = False, only_hidden: bool = False
) -> list[Choice]:
    """Return the names of combatants that the person may choose from.

    Args:
        typed: The part of a name typed so far.
        only_own: Whether to offer only characters that the person may play.
        only_hidden: Whether to offer only hidden combatants.
    """
    fight = fight_of(_scene(at.reader, at.access))
    if fight is None or (only_hidden and not at.is_gm):
        return []
    shown = () if only_hidden else fight.called()
    hidden = fight.called_hidden() if only_hidden or (only_own and at.is_gm) else ()
    ids = [one.character for one in (*shown, *hidden) if one.character is not None]
    known = at.reader.named_characters(at.server, at.campaign.id, ids)
    if only_own:
        known = {id_: one for id_, one in known.items() if _is_own(at.reader, at.access, one)}

    def is_offered(one: Called) -> bool:
        return one.character in known or (one.character is None and not only_own)

    names = [one.name for one in shown if is_offered(one)]
    names += [known[one.character].name if one.character else one.name for one in hidden if is_offered(one)]
    return [Choice(name, name) for name in matching(names, typed)]


def _is_own(reader: Reader, access: Access, character: NamedCharacter) -> bool:
    """Return whether the person may play a character."""
    if access.is_gm or character.owner == access.request.person:
        return True
    record = None if access.game.leader is None else reader.character(access.request.server, character.id)
    return record is not None and may_play(reader, access, record)


class FightPlace(Struct, frozen=True):
    """The channel a fight is or was in."""

    server: ServerId
    campaign: CampaignId
    channel: int


class FightBoard(Struct, frozen=True, kw_only=True):
    """A board as everybody should see it."""

    place: FightPlace  # the channel of the fight
    look: Look | None  # the fight as everybody sees it, or None once it is over
    message: int | None  # its message; None before it is posted
    shown: str  # the fingerprint of what it showed last
    pings: bool  # whether the campaign pings players when their turn comes


async def board(table: Table, place: FightPlace) -> FightBoard | None:
    """Return a board as it should look now; None if there is and was no fight."""

    def query(reader: Reader) -> FightBoard | None:
        campaign = reader.campaign(place.server, place.campaign)
        game = None if campaign is None else game_of(table, reader, campaign)
        stored = reader.board(place.server, place.campaign, encounter_key(place.channel))
        if campaign is None or game is None:
            return None
        nobody = of_nobody(place.server, place.channel)
        access = Access(nobody, campaign, game, game_settings(table, reader, game, campaign), is_gm=False)
        found = look_from(reader, access, for_board=True)
        if found is None and stored is None:
            return None
        return FightBoard(
            place=place,
            look=found,
            message=None if stored is None else stored.message,
            shown="" if stored is None else stored.shown,
            pings=shared_settings(campaign).ping_turns,
        )

    return await table.store.read(query)


@look(gm=True)
def place_at_desk(at: ReadTurn) -> FightPlace | None:
    """Return where the fight on a GM's desk is: in this channel, else the campaign's first; or None."""
    found = (FightPlace(at.server, at.campaign.id, one) for one in desk.fights_of(at.reader, at.access))
    return next(found, None)


@look(gm=True)
def fight_at_desk(at: ReadTurn) -> Look | None:
    """Return that fight as the GM sees it; or None."""
    found = (waiting.in_channel(at.access, one) for one in desk.fights_of(at.reader, at.access))
    there = next(found, None)
    return None if there is None else look_from(at.reader, there)


def _fights_of(_table: Table, reader: Reader, news: News) -> list[FightPlace]:
    """Return the fights running in a campaign."""
    keys = reader.document_keys(news.server, news.campaign, f"{ENCOUNTER}/")
    return [FightPlace(news.server, news.campaign, int(key.removeprefix(f"{ENCOUNTER}/"))) for key in keys]


ROWS = LiveRows(
    kind=ENCOUNTER,
    tables=frozenset({"documents"}),
    place_of=lambda row: FightPlace(row.server, row.campaign, row.channel),
    key_of=lambda _reader, place: (place.server, place.campaign, encounter_key(place.channel)),
    more=_fights_of,
    are_made_when_posted=True,
)
