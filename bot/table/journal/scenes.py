"""Scenes: load what the rules see from the store, and save what they changed."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from bot.rules.kernel import (
    FINE,
    Character,
    CharacterId,
    Document,
    DueTimer,
    FoeHealth,
    FollowUp,
    HookResult,
    PersonId,
    ResourceRule,
    Scene,
    Whole,
    WoundTrack,
    evolve,
    harm,
    timer,
)
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import ENCOUNTER
from bot.store.journalled_tables import to_text
from bot.store.records import NO_LIMIT, CharacterRecord, JsonObject
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, NoSuchCharacter, as_played, known_to_all, seen_health
from bot.table.base.results import ChangeLine
from bot.table.base.stored_rolls import load_text
from bot.table.journal.shared_prompts import document_model


class SceneKeeper:
    """Loads what a procedure reads, on demand, and saves what it changed.

    Args:
        access: Who acts, and in which campaign.
        were: Characters already changed in the unit, as they were before.
    """

    def __init__(
        self, tx: Transaction, access: Access, were: Mapping[CharacterId, Character] | None = None
    ) -> None:
        self._tx = tx
        self._were = were or {}
        self._access = access
        self._records: dict[CharacterId, CharacterRecord] = {}
        self._loaded: dict[CharacterId, Character] = {}
        self._documents: dict[str, Document | None] = {}

    def scene(self, actor: CharacterRecord | None, *, is_gm: bool | None = None) -> Scene:
        """Return the current scene.

        Args:
            actor: Who acts, or None.
            is_gm: Whether it is played with a GM's rights; by default as the person's access says.
        """
        access = self._access
        if actor is not None:
            self._take(actor)
        return Scene(
            settings=access.settings,
            clock=access.campaign.clock,
            channel=str(access.request.channel),
            moment=access.request.interaction,
            is_gm=access.is_gm if is_gm is None else is_gm,
            person=PersonId(access.request.person),
            actor_id=None if actor is None else CharacterId(actor.id),
            find_character=self._find_character,
            find_document=self._find_document,
            find_keys=self._find_keys,
            find_everybody=self._find_everybody,
        )

    def _take(self, record: CharacterRecord) -> Character:
        id_ = CharacterId(record.id)
        self._records[id_] = record
        self._loaded[id_] = as_played(self._access.game, record)
        return self._loaded[id_]

    def _find_character(self, id_: CharacterId) -> Character:
        if id_ in self._loaded:
            return self._loaded[id_]
        record = self._tx.character(self._access.request.server, id_)
        if record is None or record.campaign != self._access.campaign.id or record.is_retired:
            raise NoSuchCharacter("")
        return self._take(record)

    @property
    def loaded(self) -> tuple[CharacterId, ...]:
        """Return the characters that have been looked at."""
        return tuple(self._loaded)

    @property
    def has_seen_hidden(self) -> bool:
        """Return whether anybody hidden, or a fight in which somebody may lurk, has been looked at."""
        fights = (key for key, one in self._documents.items() if one and key.startswith(f"{ENCOUNTER}/"))
        return any(one.is_hidden for one in self._records.values()) or any(fights)

    def _find_document(self, key: str) -> Document | None:
        if key not in self._documents:
            self._documents[key] = load_document(self._tx, self._access, key)
        return self._documents[key]

    def _find_keys(self, kind: str) -> list[str]:
        access = self._access
        return self._tx.document_keys(access.request.server, access.campaign.id, f"{kind}/")

    def _find_everybody(self) -> tuple[CharacterId, ...]:
        return known_to_all(self._tx, self._access)

    def pass_time(
        self, scene: Scene, *, with_hidden: bool = False
    ) -> tuple[Scene, tuple[str, ...], tuple[FollowUp, ...]]:
        """Let timers run out if the scene's clock has moved on.

        Args:
            scene: The scene with its new clock.
            with_hidden: Whether to mention hidden characters.

        Returns:
            The scene afterwards, the notes, and the follow-ups.
        """
        if scene.clock <= self._access.campaign.clock:
            return scene, (), ()
        stored = self._tx.timers_due(self._access.request.server, self._access.campaign.id, scene.clock)
        candidates = {(CharacterId(id_), key) for id_, key in stored}
        candidates |= {(id_, key) for id_, changed in scene.characters.items() for key in changed.timers}
        due = [
            (scene.character(id_).timers[key], DueTimer(id_, key))
            for id_, key in candidates
            if scene.character(id_).timers.get(key, scene.clock + 1) <= scene.clock
        ]
        if not due:
            return scene, (), ()
        due.sort(key=lambda one: (one[0], one[1].character, one[1].key))
        timers = [timer for _moment, timer in due]
        hook_result = shown = self._access.game.timers_due(scene, timers)
        known = [timer for timer in timers if with_hidden or not self._records[timer.character].is_hidden]
        if known != timers:
            shown = self._access.game.timers_due(scene, known)
        return hook_result.scene, shown.notes, shown.follow_ups

    def changes(self, scene: Scene, *, with_hidden: bool = True) -> tuple[ChangeLine, ...]:
        """Return what the scene changed, in words; nothing is saved.

        Args:
            scene: The scene afterwards.
            with_hidden: Whether to mention hidden characters, and everything about NPCs.
        """
        lines: list[ChangeLine] = []
        for id_ in {**self._were, **scene.characters}:
            before, after = self._find_character(id_), scene.character(id_)
            if with_hidden or not self._records[id_].is_hidden:
                was = self._were.get(id_, before)
                lines += change_lines(self._access, was, after, scene.clock, for_gm=with_hidden)
        return tuple(lines)

    def keep(self, scene: Scene) -> tuple[ChangeLine, ...]:
        """Save everything the scene changed; return the changes in words, hidden ones included."""
        tx, access = self._tx, self._access
        changes = self.changes(scene)
        for id_, character in scene.characters.items():
            if character != self._find_character(id_):
                self._records[id_] = as_kept(access, self._records[id_], character)
                self._loaded[id_] = character
                tx.save_character(self._records[id_])
        for key, document in scene.documents.items():
            body: JsonObject | None = None if document is None else self._body(key, document)
            tx.save_document(access.request.server, access.campaign.id, key, body)
        if scene.settings != access.settings:
            self._keep_settings(scene)
        elif scene.clock != access.campaign.clock:
            tx.save_campaign(replace(access.campaign, clock=scene.clock))
        return changes

    def _body(self, key: str, document: Document) -> JsonObject:
        """Return a document as stored; if it can't be stored, the whole unit fails."""
        if isinstance(document, Whole):
            if wrong := document.contradiction():
                raise ValueError(f"{key}: {wrong}")
            before = self._find_document(key)
            if isinstance(before, Whole) and document != before:
                document = evolve(document, version=before.version + 1)
        body: JsonObject = document.model_dump(mode="json")
        return body

    def _keep_settings(self, scene: Scene) -> None:
        """Save the scene's ruleset settings, as far as they differ from the defaults."""
        campaign = self._access.campaign
        game: JsonObject = scene.settings.model_dump(mode="json", exclude_defaults=True)
        changed = replace(campaign, clock=scene.clock, settings={**campaign.settings, "game": game})
        self._tx.save_campaign(changed)
        refit(self._tx, replace(self._access, campaign=changed, settings=scene.settings))


def load_document(reader: Reader, access: Access, key: str) -> Document | None:
    """Return a document of the campaign as its ruleset's model, or None.

    Raises:
        UserError: If the ruleset knows no such kind of document.
    """
    model = document_model(access.game, key)
    if model is None:
        raise UserError(f"{access.game.title} doesn't have that.")
    text = reader.document_text(access.request.server, access.campaign.id, key)
    return None if text is None else load_text(model, text, f"The {key.split('/')[0]} of this channel")


def as_kept(access: Access, record: CharacterRecord, character: Character) -> CharacterRecord:
    """Return a rules character as its record, with the caps and capacities its sheet gives it.

    If a cap fell below a character's value, the character keeps the value but can't gain more.
    """
    game, settings = access.game, access.settings
    return replace(
        record,
        name=character.name,
        is_hidden=character.is_hidden,
        sheet=to_text(character.sheet.model_dump(mode="json")),
        sheet_version=game.sheet_version,
        resources={
            rule.key: _counted(
                character.left(rule.key),
                rule.cap(character.sheet, settings),
                record.resources.get(rule.key, (0, None))[0],
            )
            for rule in game.resources
        },
        wounds={
            track.key: _boxes(track, character, record.wounds.get(track.key, ())) for track in game.wounds
        },
        timers=character.timers,
    )


def refit(tx: Transaction, access: Access) -> None:
    """Update every character's caps to the settings; values over a cap stay."""
    for stored in tx.characters(access.request.server, access.campaign.id, limit=NO_LIMIT):
        fitted = as_kept(access, stored, as_played(access.game, stored))
        if fitted != stored:
            tx.save_character(fitted)


def _counted(value: int, cap: int | None, before: int) -> tuple[int, int | None]:
    """Return a value with its cap, the cap raised to an earlier value that was higher."""
    return value, max(cap, value) if cap is not None and value <= before else cap


def _boxes(
    track: WoundTrack, character: Character, before: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, int], ...]:
    capacities = track.capacities(character.sheet)
    filled = character.wounds.get(track.key, (0,) * len(capacities))
    were = [had for had, _capacity in before] if len(before) == len(capacities) else [0] * len(capacities)
    return tuple(
        (now, max(capacity, now) if now <= was else capacity)
        for now, capacity, was in zip(filled, capacities, were, strict=True)
    )


def change_lines(
    access: Access, before: Character, after: Character, clock: int, *, for_gm: bool = True
) -> Iterator[ChangeLine]:
    """Return the changes of a character's counted values: resources, wounds, timers and the game's own.

    Args:
        access: The access to its campaign.
        clock: The game clock.
        for_gm: Whether only a GM reads it; others learn less about NPCs.
    """
    game = access.game
    seen = seen_health(access.campaign)
    is_npc = after.owner is None and not for_gm and seen is not FoeHealth.NUMBERS
    sheet_changes = game.npc_changes if is_npc and game.npc_changes else game.sheet_changes
    for rule in access.game.resources:
        if not (is_npc and rule.is_health):
            yield from _resource_line(access, rule, before, after)
    for track in () if is_npc else access.game.wounds:
        yield from _wound_lines(track, before, after)
    if is_npc and seen is FoeHealth.WORDS:
        yield from _looks_line(access, before, after)
    if before.sheet != after.sheet:
        for what, was, now in sheet_changes(before.sheet, after.sheet, access.settings):
            yield ChangeLine(after.name, what, was, now)
    for key in {**before.timers, **after.timers}:
        due_before, due = before.timers.get(key), after.timers.get(key)
        has_run_out = due_before is not None and due_before <= clock  # what that does is told in words
        if due_before != due and not has_run_out and key not in access.game.quiet_timers:
            yield ChangeLine(after.name, timer(f"{key} timer"), _left(due_before, clock), _left(due, clock))


def _resource_line(
    access: Access, rule: ResourceRule, before: Character, after: Character
) -> Iterator[ChangeLine]:
    was, now = before.left(rule.key), after.left(rule.key)
    if was != now:
        shown = (
            rule.shown(one.sheet, access.settings, amount) for one, amount in ((before, was), (after, now))
        )
        title = rule.changed_title or rule.title
        yield ChangeLine(after.name, harm(title) if rule.is_health else title, *shown)


def _wound_lines(track: WoundTrack, before: Character, after: Character) -> Iterator[ChangeLine]:
    none = (0,) * len(track.levels)
    was, now = before.wounds.get(track.key, none), after.wounds.get(track.key, none)
    for level, old, new in zip(track.levels, was, now, strict=True):
        if old != new:
            yield ChangeLine(after.name, harm(f"{track.title} {level}"), str(old), str(new))


def _looks_line(access: Access, before: Character, after: Character) -> Iterator[ChangeLine]:
    """Yield how an NPC looks now, if that has changed."""
    was, now = (access.game.health(one, access.settings).looks for one in (before, after))
    if was != now:
        yield ChangeLine(after.name, harm("Condition"), was or FINE, now or FINE)


def _left(due: int | None, clock: int) -> str:
    """Return the game time left until a moment: "8 h left", "59 min left", "due now" or "none"."""
    if due is None:
        return "none"
    seconds = due - clock
    if seconds <= 0:
        return "due now"
    hours, minutes = divmod((seconds + 59) // 60, 60)
    return f"{f'{hours} h ' if hours else ''}{f'{minutes} min ' if minutes else ''}left"


Hook = Callable[[Scene, Sequence[CharacterId]], HookResult]


def characters_of(reader: Reader, access: Access, *, with_hidden: bool = True) -> list[CharacterId]:
    """Return every character of the campaign that is not retired."""
    found = reader.character_names(
        access.campaign.server, access.campaign.id, with_hidden=with_hidden, limit=NO_LIMIT
    )
    return [CharacterId(one.id) for one in found]


def run_hook(tx: Transaction, access: Access, hook: Hook) -> tuple[HookResult, tuple[ChangeLine, ...]]:
    """Run a hook on every character of the campaign and save its result.

    Returns:
        The text (without hidden characters in its notes and follow-ups), and what changed about
        the visible characters, with everything else that was reset.
    """
    keeper = SceneKeeper(tx, access)
    scene = keeper.scene(None)
    hook_result = hook(scene, characters_of(tx, access))
    shown = hook(scene, characters_of(tx, access, with_hidden=False))
    lines = (*keeper.changes(hook_result.scene, with_hidden=False), *put_back_lines(shown))
    keeper.keep(hook_result.scene)
    return shown, lines


def put_back_lines(hook_result: HookResult) -> tuple[ChangeLine, ...]:
    """Return what was reset besides the characters' counted values."""
    return tuple(ChangeLine(one.who, one.what, one.before, one.after) for one in hook_result.put_back)


def run_arrival(
    tx: Transaction, access: Access, newcomer: CharacterId
) -> tuple[HookResult, tuple[ChangeLine, ...]]:
    """Run the arrival hook for a new character if a session is running."""
    keeper = SceneKeeper(tx, access)
    hook_result = access.game.arrive(keeper.scene(None), newcomer)
    return hook_result, keeper.keep(hook_result.scene)
