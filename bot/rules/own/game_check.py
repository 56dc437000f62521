"""Reading a game's file: every problem at once."""

import re
from collections.abc import Iterable, Mapping

from bot.rules.kernel import FileKind, Unreadable, parse
from bot.rules.kernel.parsing import Path, lines_of
from bot.rules.own.check_links import CheckReader
from bot.rules.own.dice_groups import ONE
from bot.rules.own.expressions import ZERO, BadExpression, Expression, Number, expression, in_order, names_in
from bot.rules.own.game_file import (
    MOST_BYTES,
    MOST_CHOICES,
    EntriesRow,
    GameFile,
    ResourceRow,
    StatRow,
    TrackRow,
)
from bot.rules.own.game_parts import CHANGEABLE, DIE_STEPS, EVENTS, OwnGame, OwnItem, Span, die_of
from bot.rules.own.game_problems import GameNames, GameProblem, Problems, validated

MOST_DERIVED_DEPTH = 8


def read_game(text: str | bytes) -> tuple[OwnGame | None, tuple[GameProblem, ...]]:
    """Read a game's file.

    Returns:
        The game, or None where too much is wrong with it, and all its problems. Only a game without any is
        whole.
    """
    if (
        len(text) > MOST_BYTES
        or len(text if isinstance(text, bytes) else text.encode("utf-8", "replace")) > MOST_BYTES
    ):
        return None, (GameProblem(None, "", f"The file has more than {MOST_BYTES:,} bytes."),)
    try:
        plain = plain_text(text)
        parsed = parse(plain, FileKind.TOML)
        written = parsed if isinstance(parsed, dict) else {}
    except UnicodeDecodeError as error:
        return None, (GameProblem(None, "", f"The file isn't UTF-8 (byte {error.start + 1})."),)
    except (Unreadable, RecursionError) as error:
        said = re.search(r"(?:at line |^Line )([0-9]+)", str(error))
        last = plain.count("\n") + 1 if "at end of document" in str(error) else None
        return None, (GameProblem(int(said[1]) if said else last, "", f"{error}."),)
    problems = Problems()
    file = validated(written, problems)
    game = _Linker(file, written, problems).game() if file is not None else None
    return game, problems.placed(lines_of(plain, FileKind.TOML)) if problems.found else ()


def plain_text(text: str | bytes) -> str:
    """A file's text, without what only says how it was saved."""
    plain = text.decode("utf-8") if isinstance(text, bytes) else text
    return plain.removeprefix("\ufeff").replace("\r\n", "\n")


class _Linker:
    """Makes a game of a file, noting what is wrong."""

    def __init__(self, file: GameFile, written: Mapping[str, object], problems: Problems) -> None:
        self.names = names = GameNames(file, written, problems)
        self.file, self.problems = file, problems
        self.kinds, self.excused, self.dice = names.kinds, names.excused, names.dice
        self.slots: dict[str, Expression] = {}

    def game(self) -> OwnGame:
        """The whole game."""
        file = self.file
        self.names.name_everything()
        self.names.entries |= {name: _entries_span(row) or Span(1, ONE) for name, row in file.entries.items()}
        spans = self._spans()
        starts = self._starts()
        derived = self._derived()
        self._check_creation()
        reader = CheckReader(self.names)
        checks = {key: reader.check(key, row) for key, row in file.checks.items()}
        moves = {key: reader.move(key, row, checks) for key, row in file.moves.items()}
        full = {
            name: self.names.effects((section, name, "full_do"), row.full_do, self.names.sheet())
            for section, rows in (
                ("resources", file.resources),
                ("tracks", file.tracks),
                ("clocks", file.clocks),
            )
            for name, row in rows.items()
        }
        empty = {
            name: self.names.effects(("resources", name, "empty_do"), row.empty_do, self.names.sheet())
            for name, row in file.resources.items()
        }
        resets = {
            event: self.names.effects(("resets", event), effects, self.names.sheet())
            for event, effects in file.resets.items()
        }
        self._check_events()
        self._check_overflow()
        items = self._items()
        self._check_people()
        order = self._order()
        rolled = {
            name: found
            for name, code in file.create.roll.items()
            if (
                found := self.names.expression(
                    ("create", "roll", name), code, self.names.sheet(), with_dice=True
                )
            )
        }
        return OwnGame(
            file=file,
            kinds=self.kinds,
            spans=spans,
            starts=starts,
            derived=derived,
            checks={key: check for key, check in checks.items() if check is not None},
            moves={key: move for key, move in moves.items() if move is not None},
            full=full,
            empty=empty,
            resets=resets,
            rolled=rolled,
            entry_spans=self.names.entries,
            items=items,
            slots=self.slots,
            order=order,
        )

    def _steps(self, path: Path, row: StatRow | ResourceRow) -> tuple[int, ...]:
        """The dice that an attribute or a usage die can be; none where it is a number."""
        named = {"start": row.start, "min": row.min, "max": row.max}
        dice = {name: sides for name, written in named.items() if (sides := die_of(written)) is not None}
        for name, sides in dice.items():
            if sides not in DIE_STEPS:
                steps = ", ".join(f"d{one}" for one in DIE_STEPS)
                self.problems.add((*path, name), f"d{sides} has no place among the steps: {steps}.")
        if not dice:
            return ()
        for name, written in named.items():
            if name not in dice and written not in (None, 0):
                self.problems.add((*path, name), "this should be a die too, such as “d6”.")
        lowest, highest = dice.get("min", DIE_STEPS[0]), dice.get("max", 12)
        found = tuple(one for one in DIE_STEPS if lowest <= one <= highest)
        start = dice.get("start", lowest)
        if start not in found and start in DIE_STEPS:
            self.problems.add((*path, "start"), f"d{start} is not between d{lowest} and d{highest}.")
        return found if isinstance(row, StatRow) else (0, *found)

    def _spans(self) -> dict[str, Span]:
        spans: dict[str, Span] = {}
        for name, row in self.file.attributes.items():
            path = ("attributes", name)
            if steps := self._steps(path, row):
                self.dice[name] = steps
                spans[name] = Span(steps[0], Number(steps[-1]), steps)
                continue
            for end in ("min", "max"):
                if isinstance(getattr(row, end), str):
                    self.problems.add((*path, end), "this should be a whole number or a die.")
            low = row.min if isinstance(row.min, int) else 0
            high = row.max if isinstance(row.max, int) else None
            if high is not None and high < low:
                self.problems.add((*path, "max"), f"{high} is below the least, {low}.")
            spans[name] = Span(low, Number(high) if high is not None else None)
        for name, counter in self.file.resources.items():
            path = ("resources", name)
            if steps := self._steps(path, counter):
                self.dice[name] = steps
                spans[name] = Span(steps[0], Number(steps[-1]), steps)
                continue
            top = self.names.amount((*path, "max"), counter.max)
            spans[name] = Span(counter.min, top)
            if isinstance(counter.max, int) and counter.max < counter.min:
                self.problems.add((*path, "max"), f"{counter.max} is below the least, {counter.min}.")
        for name, track in self.file.tracks.items():
            boxes = track.boxes if isinstance(track.boxes, int) else len(track.boxes)
            spans[name] = Span(0, Number(boxes))
        for name, clock in self.file.clocks.items():
            spans[name] = Span(0, Number(clock.size))
        return spans

    def _starts(self) -> dict[str, Expression]:
        """What each part of a sheet begins with, in an order in which that can be reckoned."""
        found: dict[str, Expression] = {}
        paths: dict[str, Path] = {}
        for section, rows in (
            ("attributes", self.file.attributes),
            ("resources", self.file.resources),
        ):
            for name, row in rows.items():
                paths[name] = (section, name, "start")
                if name in self.dice:
                    sides = die_of(row.start)
                    found[name] = Number(self.dice[name][0] if sides is None else sides)
                    continue
                start = self.names.amount(paths[name], row.start)
                low = row.min if isinstance(row.min, int) else 0
                found[name] = start if start is not None else Number(max(low, 0))
                self._check_start(paths[name], row, start)
        for name in (*self.file.tracks, *self.file.clocks):
            found[name] = ZERO
        derived = {name: set(self._names_of_derived(name, set())) for name in self.file.derived}
        needs = {
            name: {inner for one in names_in(start) for inner in derived.get(one, {one}) if inner in found}
            for name, start in found.items()
        }
        order, circle = in_order(needs)
        for name in circle:
            self.problems.add(paths.get(name, ()), f"“{name}” begins with what depends on itself.")
        return {name: found[name] for name in (*order, *circle)}

    def _names_of_derived(self, name: str, seen: set[str]) -> Iterable[str]:
        """The parts of a sheet that a derived number rests on."""
        if name not in self.file.derived:
            yield name
        elif name not in seen:
            seen.add(name)
            try:
                read = expression(self.file.derived[name])
            except BadExpression:  # noted where it stands
                return
            for one in names_in(read):
                yield from self._names_of_derived(one, seen)

    def _check_start(self, path: Path, row: StatRow | ResourceRow, start: Expression | None) -> None:
        if not isinstance(start, Number):
            return
        low = row.min if isinstance(row.min, int) else start.value
        high = row.max if isinstance(row.max, int) else start.value
        if not low <= start.value <= high:
            self.problems.add(path, f"{start.value} is not between {low} and {high}.")

    def _derived(self) -> dict[str, Expression]:
        found: dict[str, Expression] = {}
        for name, code in self.file.derived.items():
            read = self.names.expression(("derived", name), code, self.names.sheet())
            if read is not None:
                found[name] = read
        needs = {name: set(names_in(amount)) & set(found) for name, amount in found.items()}
        order, circle = in_order(needs)
        for name in circle:
            self.problems.add(("derived", name), f"“{name}” depends on itself.")
        depths: dict[str, int] = {}
        for name in order:
            depths[name] = 1 + max((depths[one] for one in needs[name]), default=0)
            if depths[name] == MOST_DERIVED_DEPTH + 1:
                self.problems.add(
                    ("derived", name),
                    f"this rests on {depths[name]} numbers; {MOST_DERIVED_DEPTH} is the most.",
                )
        return {name: found[name] for name in order}

    def _check_events(self) -> None:
        known = {*EVENTS, *self.file.resets}
        places: list[tuple[Path, tuple[str, ...]]] = []
        places += [(("resources", name, "reset"), row.reset) for name, row in self.file.resources.items()]
        places += [(("tracks", name, "heal"), row.heal) for name, row in self.file.tracks.items()]
        places += [
            (("lists", name, "items", item, "reset"), row.reset)
            for name, rows in self.file.lists.items()
            for item, row in rows.items.items()
        ]
        for path, events in places:
            for event in events:
                if event not in known:
                    self.problems.unknown(path, event, "no event; name yours under [resets]", known)

    def _check_overflow(self) -> None:
        rows: dict[str, ResourceRow | TrackRow] = {**self.file.resources, **self.file.tracks}
        sections = {
            **dict.fromkeys(self.file.resources, "resources"),
            **dict.fromkeys(self.file.tracks, "tracks"),
        }
        targets = {name for name, kind in self.kinds.items() if kind in CHANGEABLE} - set(self.dice)
        for name, row in rows.items():
            for other in row.overflow:
                if other not in targets and other not in self.excused - set(self.kinds):
                    path = (sections[name], name, "overflow")
                    self.problems.unknown(path, other, "nothing that can take it", targets - {name})
        needs = {name: {one for one in row.overflow if one in rows} for name, row in rows.items()}
        for name in in_order(needs)[1]:
            self.problems.add((sections[name], name, "overflow"), "this leads into a circle.")

    def _items(self) -> dict[str, OwnItem]:
        found: dict[str, OwnItem] = {}
        for name, rows in self.file.lists.items():
            slots = self.names.amount(("lists", name, "slots"), rows.slots)
            self.slots |= {name: slots} if slots is not None else {}
            for item, row in rows.items.items():
                path: Path = ("lists", name, "items", item)
                cost = self.names.effects((*path, "cost"), row.cost, self.names.sheet())
                effects = self.names.effects((*path, "do"), row.do, self.names.sheet())
                if item in found:
                    self.problems.add(path, f"“{item}” is in two lists.")
                found[item] = OwnItem(item, row, name, cost, effects)
        for name, entries in self.file.entries.items():
            if _entries_span(entries) is None and entries.value != "words":
                self.problems.add(("entries", name, "value"), "this should be “1..6”, “d4..d12” or “words”.")
        return found

    def _check_creation(self) -> None:
        create, attributes = self.file.create, self.file.attributes
        groups = {row.group for row in attributes.values() if row.group}
        if len(create.spread) > len(attributes):
            self.problems.add(
                ("create", "spread"),
                f"there are {len(create.spread)} numbers for {len(attributes)} attributes.",
            )
        if (
            create.points is not None
            and create.points.group is not None
            and create.points.group not in groups
        ):
            self.problems.unknown(
                ("create", "points", "group"), create.points.group, "no group of attributes", groups
            )
        for name in create.roll:
            if name not in attributes and name not in self.file.resources and name not in self.excused:
                self.problems.unknown(("create", "roll"), name, "no attribute", attributes)
        for key, playbook in create.playbooks.items():
            path: Path = ("create", "playbooks", key)
            self._check_given_numbers(path, "attributes", playbook.attributes, self.file.attributes)
            self._check_given_numbers(path, "resources", playbook.resources, self.file.resources)
            for move in playbook.moves:
                if move not in self.names.written_in("moves"):
                    self.problems.unknown((*path, "moves"), move, "no move", self.file.moves)
            self._check_items(path, playbook.items)

    def _check_people(self) -> None:
        for key, hero in self.file.heroes.items():
            path: Path = ("heroes", key)
            self._check_given_numbers(path, "attributes", hero.attributes, self.file.attributes)
            self._check_given_numbers(path, "resources", hero.resources, self.file.resources)
            self._check_items(path, hero.items)
            if hero.playbook is not None and hero.playbook not in self.file.create.playbooks:
                known = self.file.create.playbooks
                self.problems.unknown((*path, "playbook"), hero.playbook, "no playbook", known)
            for name in hero.words:
                if name not in self.file.create.ask:
                    self.problems.unknown(
                        (*path, "words"), name, "no question of creation", self.file.create.ask
                    )
            for name in hero.entries:
                if name not in self.file.entries and name not in self.excused:
                    self.problems.unknown((*path, "entries"), name, "no kind of entries", self.file.entries)
        for key, npc in self.file.npcs.items():
            path = ("npcs", key)
            self._check_given_numbers(path, "attributes", npc.attributes, self.file.attributes)
            self._check_given_numbers(path, "resources", npc.resources, self.file.resources)
            self._check_given_numbers(path, "tracks", npc.tracks, self.file.tracks)

    def _check_given_numbers(
        self, path: Path, section: str, given: Mapping[str, int | str], known: Iterable[str]
    ) -> None:
        for name, written in given.items():
            if name not in known:
                if name not in self.excused - set(self.kinds):
                    self.problems.unknown((*path, section), name, f"no {section.removesuffix('s')}", known)
            elif name in self.dice and die_of(written) not in self.dice[name]:
                steps = ", ".join(f"d{one}" for one in self.dice[name] if one)
                self.problems.add((*path, section, name), f"this should be one of {steps}.")
            elif name not in self.dice and not isinstance(written, int):
                self.problems.add((*path, section, name), "this should be a whole number.")

    def _check_items(self, path: Path, items: Iterable[str]) -> None:
        known = {item for rows in self.file.lists.values() for item in rows.items}
        for item in items:
            if item not in known:
                self.problems.unknown((*path, "items"), item, "in no list", known)

    def _order(self) -> Expression | None:
        """What decides the order in a fight; also checks the rest of what is said of fights."""
        fight = self.file.fight
        order = None
        if fight.by is not None:
            order = self.names.expression(("fight", "by"), fight.by, self.names.sheet(), with_dice=True)
        if fight.check is not None and fight.check not in self.names.written_in("checks"):
            self.problems.unknown(("fight", "check"), fight.check, "no check", self.file.checks)
        if fight.order == "roll" and fight.by is None and fight.check is None:
            self.problems.add(("fight", "order"), 'say what is rolled: by = "d20 + quick", or a check.')
        places = {**self.file.tracks, **self.file.resources}
        if fight.out is not None and fight.out not in places and fight.out not in self.excused:
            self.problems.unknown(("fight", "out"), fight.out, "no track or resource", places)
        return order


_ENTRIES = re.compile(r"(d?)([0-9]{1,4})\s*\.\.\s*\1([0-9]{1,4})")


def _entries_span(row: EntriesRow) -> Span | None:
    """What entries can be; None where they are only words."""
    found = _ENTRIES.fullmatch(row.value.strip())
    low, high = (int(found[2]), int(found[3])) if found else (0, 0)
    steps = tuple(die for die in DIE_STEPS if low <= die <= high) if found and found[1] else ()
    is_right = low < high and low - high <= MOST_CHOICES and (steps or not (found and found[1]))
    return Span(low, Number(high), steps) if is_right else None
