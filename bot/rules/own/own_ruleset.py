"""A game of one's own as a ruleset, made from the text of a version; and what a new version changes."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import (
    ActGroup,
    ActPart,
    AwardRule,
    Beginner,
    CharacterId,
    Document,
    Growth,
    HookResult,
    Odds,
    OddsForm,
    Ruleset,
    RuleText,
    SheetField,
    grown,
    rolls_of,
)
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel, FoeRules
from bot.rules.kernel.outcome import evolve, shown_number
from bot.rules.kernel.tracker import ENCOUNTER
from bot.rules.own import own_sheet
from bot.rules.own.check_odds import aces_left
from bot.rules.own.game_check import read_game
from bot.rules.own.game_file import ClockRow, ResourceRow, StatRow, TrackRow
from bot.rules.own.game_parts import OwnCheck, OwnGame, PartKind
from bot.rules.own.own_acts import acts, asks, gm_acts, suggestions
from bot.rules.own.own_creation import creation_rule, excess, npc_sheet, own_creation, sheet_problems
from bot.rules.own.own_events import SESSION_END, SESSION_START, event_hook, own_procedures
from bot.rules.own.own_fights import OPPOSED, OwnEncounter, OwnFights, opposed_procedures, opposed_prompt
from bot.rules.own.own_play import answer, average, known_of, within_span
from bot.rules.own.own_procedures import (
    RollOptions,
    check_of,
    readable_answers,
    typed_answers,
    unknown_clocks,
)
from bot.rules.own.own_rolls import (
    CheckInputs,
    OwnRules,
    attempt,
    check_odds,
    check_rule,
    effect_rule,
    has_character_question,
)
from bot.rules.own.own_sheet import CLOCKS, OWN_PARTS, OwnClocks, OwnScene, OwnSheet, amount_words, numbers_of
from bot.rules.shared.offering import can_gather, gathering_acts, leaving_acts


class OwnOddsQuestion(Document):
    """A check or move whose chances are wanted."""

    what: str = Field(default="", max_length=100, description="A move or a check")
    answers: str = Field(default="", max_length=300, description="Answers, such as: stat=Bold, bonus=1")
    sheet: OwnSheet | None = None  # whose chances; an average character's where nothing is said
    # What the other side of an opposed check came to; an average character rolls where nothing is said.
    theirs: int | None = Field(default=None, ge=-1000, le=1000)


def own_ruleset(text: str, hash_: str) -> Ruleset[OwnSheet, Any] | None:
    """The ruleset of a published version; None where its text can't be read.

    Args:
        text: The file as it was published.
        hash_: The hash by which the version is found.
    """
    game, problems = read_game(text)
    return None if game is None or problems else ruleset_of(OwnRules(game, hash_))


def ruleset_of(rules: OwnRules) -> Ruleset[OwnSheet, Any]:
    """The ruleset of a version."""
    game = rules.game
    file = game.file
    fights = OwnFights(rules)
    return Ruleset[OwnSheet, Any](
        key=f"own/{file.command}",
        title=file.name,
        command=file.command,
        credit=file.credit or "A game of this server's own",
        sheet=OwnSheet,
        documents={CLOCKS: OwnClocks, ENCOUNTER: OwnEncounter},
        asks=asks(rules),
        rolls=rolls_of(check_rule(rules), effect_rule(rules), creation_rule(rules), fights.rule),
        procedures={
            one.key: one for one in (*own_procedures(rules), *opposed_procedures(rules), *fights.procedures)
        },
        shared_prompts={OPPOSED: opposed_prompt(rules)},
        tracker=fights.tracker,
        creation=own_creation(rules),
        foes=_foes(game),
        beginner=Beginner(excess=partial(excess, game)),
        sheet_problems=partial(sheet_problems, game),
        awards=tuple(_awards(game)),
        fields=_fields(game),
        growth=partial(_growth, game),
        describe=partial(own_sheet.describe, game),
        glance=partial(own_sheet.glance, game),
        health=partial(own_sheet.health, game),
        is_down=partial(own_sheet.is_down, game),
        sheet_changes=partial(own_sheet.sheet_changes, game),
        npc_changes=lambda _before, _after, _settings: (),
        start_session=lambda scene, ids: event_hook(rules, SESSION_START, scene, ids),
        end_session=partial(_ended, rules),
        suggestions=suggestions(rules),
        acts=partial(_acts, rules, fights),
        gm_acts=partial(gm_acts, rules),
        odds=OddsForm[OwnOddsQuestion, Any](
            question=OwnOddsQuestion,
            answer=partial(answer_odds, rules),
            worth=lambda question, _settings: tuple(_worth_knowing(rules, question)),
        ),
        glossary=_glossary(game),
    )


def _acts(rules: OwnRules, fights: OwnFights, scene: OwnScene) -> tuple[ActPart, ...]:
    """What a character can do: what the game says, and fights."""
    return (
        *acts(rules, scene),
        ActPart(partial(gathering_acts, fights.fights, scene), ActGroup.FIGHT, is_certain=can_gather(scene)),
        ActPart(partial(leaving_acts, fights.fights, scene), ActGroup.FIGHT, is_sure=True),
    )


def _ended(
    rules: OwnRules, scene: OwnScene, characters: Sequence[CharacterId], documents: Sequence[str]
) -> HookResult:
    """End all fights, and do what the end of a session does."""
    for key in documents:
        if scene.stored(OwnEncounter, key) is not None:
            scene = scene.with_document(key, None)
    return event_hook(rules, SESSION_END, scene, characters)


def _awards(game: OwnGame) -> Iterator[AwardRule[OwnSheet]]:
    """The counters that a GM awards: those that no event puts back."""
    for name, row in game.file.resources.items():
        if not row.reset and not game.span(name).steps:
            yield AwardRule(key=name, title=row.label, give=partial(_with_more, game, name))


def _with_more(game: OwnGame, name: str, sheet: OwnSheet, amount: int) -> OwnSheet:
    numbers = numbers_of(game, sheet)
    number = numbers[name] + amount
    nearest = within_span(game, name, number, known_of(game, numbers))
    if nearest != number:
        raise UserError(f"{game.label(name)} can't be {shown_number(number)}.", f"The nearest is {nearest}.")
    return evolve(sheet, numbers={**sheet.numbers, name: number})


def _fields(game: OwnGame) -> tuple[SheetField, ...]:
    """What a GM sets by hand on a sheet."""
    names = [name for name, kind in game.kinds.items() if kind in own_sheet.OWN_PARTS]
    return tuple(SheetField(path=f"numbers/{name}", title=game.label(name)) for name in names)


def _growth(game: OwnGame, before: OwnSheet, after: OwnSheet, _settings: object) -> Iterator[Growth]:
    """The attributes that rose."""
    old, new = numbers_of(game, before), numbers_of(game, after)
    for name in game.of_kind(PartKind.ATTRIBUTE):
        yield from grown(game.label(name), old[name], new[name])


def _foes(game: OwnGame) -> FoeRules[OwnSheet, Any]:
    """The GM's people: those of the file, and plain ones."""
    return FoeRules(
        title="Names",
        things=lambda _settings: (),
        make=lambda _level, _settings: OwnSheet(),
        give=_given,
        book={row.label: npc_sheet(game, row) for row in game.file.npcs.values()},
    )


def _given(sheet: OwnSheet, _level: FoeLevel, _names: object, _settings: object) -> OwnSheet:
    return sheet


def _glossary(game: OwnGame) -> tuple[RuleText, ...]:
    """The game's own texts, and those of its checks and moves."""
    texts = [(title, text) for title, text in game.file.rules.items()]
    texts += [(row.label or key, row.text) for key, row in game.file.checks.items() if row.text]
    return tuple(
        RuleText((f"{game.file.command.upper()}-{number:02}",), title, text)
        for number, (title, text) in enumerate(texts, start=1)
    )


def _sides(rules: OwnRules, question: OwnOddsQuestion) -> tuple[OwnCheck, CheckInputs, CheckInputs | None]:
    """What somebody wants the chances of, by default the first move; and what each side rolls with.

    The other side is an average character, where an opposed check is not counted against a number.
    """
    game = rules.game
    what = question.what or next(iter(game.moves or game.checks), "")
    check, move = check_of(game, what)
    if check is None:
        raise UserError(f"{what} rolls no dice.")
    if question.theirs is not None and not check.is_opposed:
        raise UserError(f"{what} is not opposed.", try_this="Leave out the number to beat.")
    typical = average(game)
    numbers = typical | ({} if question.sheet is None else numbers_of(game, question.sheet))
    given = typed_answers(check, move, RollOptions(what=what, answers=question.answers))
    unknown = unknown_clocks(game, move, is_gm=False)
    readable, _ = readable_answers(game, question.sheet or OwnSheet(), check, given, unknown)
    owner = has_character_question(check) or "at"
    aimed = {f"{owner}.{name}": number for name, number in typical.items()}

    def side(numbers: Mapping[str, int]) -> CheckInputs:
        answers = answer(game, check, readable, numbers)
        return CheckInputs(
            check=check.key,
            answers=dict(answers.numbers),
            names=dict(answers.names),
            numbers={**numbers, **aimed},
            theirs=question.theirs,
        )

    rolls_too = check.is_opposed and question.theirs is None
    return check, side(numbers), side(typical) if rolls_too else None


def answer_odds(rules: OwnRules, question: OwnOddsQuestion) -> Odds:
    """The exact chances of a check or move, for an average character or a sheet.

    An opposed one is counted against the number that is said, or else against an average character.

    Raises:
        UserError: If there is no such check, or it can't be counted.
    """
    _, ours, theirs = _sides(rules, question)
    found = check_odds(rules, ours, theirs)
    if found is None:
        raise UserError("There are too many outcomes to count.")
    return found


def _worth_knowing(rules: OwnRules, question: OwnOddsQuestion) -> Iterator[str]:
    """What chances are counted against, and how often aces would go on."""
    check, ours, _ = _sides(rules, question)
    if check.is_opposed:
        theirs = "an average character" if question.theirs is None else shown_number(question.theirs)
        yield f"against {theirs}"
    if left := aces_left(check, attempt(rules, ours).known(ours.numbers)):
        yield f"aces are rolled ten times at most, too few in {left} of all rolls"


SECTIONS: Mapping[str, str] = {
    "attributes": "attribute",
    "derived": "derived number",
    "resources": "counter",
    "tracks": "track",
    "clocks": "clock",
    "entries": "kind of entry",
    "lists": "list",
    "checks": "check",
    "moves": "move",
    "resets": "event",
    "npcs": "NPC",
    "heroes": "ready-made hero",
    "rules": "rule",
}
"""The parts of a file with rows by name, and what one of them is called."""

_SMALL_SECTIONS = frozenset({"npcs", "heroes", "rules", "create"})
_WORDS = frozenset({"label", "text", "credit", "licence", "origin", "name", "version", "group", "was"})
_HEAD = ("name", "text", "credit", "licence", "fight", "create")


class GameChange(Struct, frozen=True):
    """One thing that a new version changes."""

    words: str
    is_small: bool  # whether it may be published while a session runs: a label, or something new


def game_changes(before: OwnGame, after: OwnGame) -> tuple[GameChange, ...]:
    """Everything that a new version changes about a game, what is gone or changed first."""
    old, new = (one.file.model_dump(mode="json", by_alias=True) for one in (before, after))
    found = [*_sections(before, after, old, new), *_head(old, new)]
    return tuple(sorted(found, key=lambda one: one.is_small))


def _head(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[GameChange]:
    for key in _HEAD:
        if old[key] != new[key]:
            noun = {"fight": "How fights go", "create": "How characters are made"}.get(
                key, f"The game's {key}"
            )
            yield GameChange(f"{noun} changes.", key != "fight")


def _sections(
    before: OwnGame, after: OwnGame, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[GameChange]:
    renamed = renames(before, after)
    for section, noun in SECTIONS.items():
        had, has = old[section], new[section]
        for name in dict.fromkeys((*had, *has)):
            if name in has and name in renamed.values() and name not in had:
                was = next(one for one, now in renamed.items() if now == name)
                old_label, label = before.label(was), after.label(name)
                becomes = f"becomes {label}" if label != old_label else f"becomes “{name}” in the file"
                yield GameChange(f"{old_label} {becomes} (renamed {noun}).", False)
            elif name not in has:
                if name not in renamed:
                    sleeps = " Its values sleep." if name in before.spans and section != "clocks" else ""
                    yield GameChange(f"{_title(had, name)} goes ({noun}).{sleeps}", False)
            elif name not in had:
                yield GameChange(f"{_title(has, name)} is new ({noun}).", True)
            elif had[name] != has[name]:
                small = section in _SMALL_SECTIONS or _is_small(had[name], has[name])
                yield GameChange(
                    f"{_title(has, name)} changes ({noun}{_changed_fields(had[name], has[name])}).", small
                )


def _title(rows: Mapping[str, Any], name: str) -> str:
    row = rows[name]
    return str(row.get("label") or name) if isinstance(row, dict) else name.replace("_", " ").capitalize()


def _changed_fields(had: object, has: object) -> str:
    """Which fields of a row change."""
    if not isinstance(had, dict) or not isinstance(has, dict):
        return ""
    names = [name for name in dict.fromkeys((*had, *has)) if had.get(name) != has.get(name)]
    return f": {', '.join(names[:4])}{', …' if len(names) > 4 else ''}" if names else ""


def _is_small(had: object, has: object) -> bool:
    """Whether only words differ, or something was added to a list of things."""
    if not isinstance(had, dict) or not isinstance(has, dict):
        return False
    for name in dict.fromkeys((*had, *has)):
        old, new = had.get(name), has.get(name)
        if old == new or name in _WORDS or (name in ("full", "empty") and isinstance(new, str)):
            continue
        if not isinstance(old, dict) or not isinstance(new, dict) or name != "items":
            return False
        if not all(key in new and (new[key] == row or _is_small(row, new[key])) for key, row in old.items()):
            return False
    return True


def renames(before: OwnGame, after: OwnGame) -> dict[str, str]:
    """What was renamed: the old name and the new one."""
    files = after.file
    rows: dict[str, StatRow | ResourceRow | TrackRow | ClockRow] = {**files.attributes, **files.resources}
    rows |= {**files.tracks, **files.clocks}
    return {
        row.was: name
        for name, row in rows.items()
        if row.was is not None
        and row.was in before.kinds
        and row.was not in after.kinds
        and name not in before.kinds
        and before.kinds[row.was] is after.kinds[name]
    }


def moved_sheet(
    before: OwnGame, after: OwnGame, sheet: OwnSheet
) -> tuple[OwnSheet, tuple[tuple[str, str, str], ...]]:
    """A sheet under a new version, and what of it changed: what, before, after.

    Renamed numbers move, those beyond a new end are brought back to it, and those that are gone sleep.
    """
    names = renames(before, after)
    old = numbers_of(before, sheet)
    kept = {names.get(name, name): number for name, number in {**sheet.numbers, **old}.items()}
    boxes = {names.get(name, name): number for name, number in sheet.boxes.items()}
    moved = evolve(sheet, numbers=kept, boxes=boxes)
    new = numbers_of(after, moved)
    was = {names.get(name, name): (name, number) for name, number in old.items()}
    lines = []
    for name, number in new.items():
        shown = amount_words(after, name, number)
        if name in was:
            former, before_number = was[name]
            if amount_words(before, former, before_number) != shown:
                lines.append((after.label(name), amount_words(before, former, before_number), shown))
        elif name in sheet.numbers:
            lines.append((after.label(name), "asleep", shown))
    for name, number in old.items():
        if name not in names and after.kinds.get(name) not in OWN_PARTS:
            lines.append((before.label(name), amount_words(before, name, number), "asleep"))
    return evolve(moved, numbers={**kept, **new}), tuple(lines)


def moved_clocks(
    before: OwnGame, after: OwnGame, clocks: OwnClocks
) -> tuple[OwnClocks, tuple[tuple[str, str, str], ...]]:
    """The table's clocks under a new version, and what of them changed."""
    names = renames(before, after)
    kept = {names.get(name, name): number for name, number in clocks.numbers.items()}
    lines = []
    for name in after.of_kind(PartKind.CLOCK):
        if name in kept and (nearest := within_span(after, name, kept[name])) != kept[name]:
            lines.append((after.label(name), shown_number(kept[name]), shown_number(nearest)))
            kept[name] = nearest
    return evolve(clocks, numbers=kept), tuple(lines)
