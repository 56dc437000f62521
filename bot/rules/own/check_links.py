"""Checks and moves of a game's file: questions, dice, readings and tiers, linked to what they name."""

import re
from collections.abc import Mapping, Sequence

from bot.rules.kernel.parsing import Path
from bot.rules.own.dice_groups import Reading, WrittenGroup, dice_group, reading
from bot.rules.own.expressions import ZERO, Expression, Name, in_order, names_in
from bot.rules.own.game_file import (
    KEY,
    MOST_GROUPS,
    READINGS_A_GROUP,
    AfterRow,
    CheckRow,
    MoveRow,
    ResultRow,
)
from bot.rules.own.game_parts import (
    EDGES,
    NONE,
    THEIRS,
    VALUE,
    YES_NO,
    AfterRoll,
    GameEffect,
    GameTier,
    Let,
    Linked,
    OwnCheck,
    OwnMove,
    OwnQuestion,
    PartKind,
    QuestionKind,
    Stage,
    span_of,
)
from bot.rules.own.game_problems import GameNames, Scope

MOST_RANGE = 1000


class CheckReader:
    """Makes checks and moves of their rows, noting what is wrong."""

    def __init__(self, names: GameNames) -> None:
        self.names = names
        self.file, self.problems = names.file, names.problems
        self.kinds, self.excused = names.kinds, names.excused

    def check(self, key: str, row: CheckRow) -> OwnCheck | None:
        """A check; None if anything is wrong with it."""
        before = len(self.problems.found)
        path: Path = ("checks", key)
        questions = {
            name: question
            for name, ask in row.ask.items()
            if (question := self._question((*path, "ask", name), name, ask)) is not None
        }
        owners = tuple(name for name, one in questions.items() if one.kind is QuestionKind.CHARACTER)
        scope = self.names.sheet()
        scope.excused |= frozenset(row.ask)
        scope.names |= {name for name in questions if name not in owners}
        scope.names |= {f"{owner}.{name}" for owner in owners for name in self.kinds}
        cost = self.names.effects((*path, "cost"), row.cost, scope, questions, owners)
        for kind, names in (("ask", row.ask), ("read", row.read), ("let", row.let)):
            for name in names:
                self._check_own_name((*path, kind, name), name, row, kind)
        lets = self._lets(path, row, scope)
        fixed, dice_names = _parted(lets, set(row.read))
        groups = self._groups(path, row, Scope(scope.names | set(fixed), scope.excused), dice_names)
        inner = Scope(scope.names | set(row.read) | set(row.let), scope.excused)
        readings = self._readings(path, row, inner, groups)
        edged = self._edged(path, row, groups)
        edge = self._edge(path, row, questions)
        stages = self._stages(path, readings, {name: lets[name] for name in lets if name in dice_names})
        value = self.names.expression((*path, "value"), row.value, inner) if row.value is not None else None
        if row.value is None and len(row.read) == 1:
            value = Name(next(iter(row.read)))
        last = Scope(
            inner.names | ({VALUE} if value is not None else set()) | ({THEIRS} if row.opposed else set()),
            inner.excused | ({VALUE} if row.value is not None else frozenset()),
        )
        if row.opposed and value is None and row.value is None:
            self.problems.add((*path, "opposed"), "say with “value” what the two sides compare.")
        tiers = [
            self._tier((*path, "tiers", at), one, last, value, questions, owners)
            for at, one in enumerate(row.tiers)
        ]
        self._check_tier_order(path, row)
        after = [
            self._after((*path, "after", at), one, last, row, questions, owners)
            for at, one in enumerate(row.after)
        ]
        if len(self.problems.found) > before:
            return None
        return OwnCheck(
            key=key,
            label=row.label or key.replace("_", " ").capitalize(),
            questions=tuple(questions.values()),
            cost=cost,
            groups=groups,
            edged=edged,
            edge=edge,
            fixed=tuple(fixed.items()),
            stages=stages,
            value=value,
            is_opposed=row.opposed,
            tiers=tuple(one for one in tiers if one is not None),
            after=tuple(one for one in after if one is not None),
        )

    def _check_own_name(self, path: Path, name: str, row: CheckRow, kind: str) -> None:
        self.names.check_name(path, name)
        if name in self.kinds:
            self.problems.add(path, f"“{name}” has a meaning on the sheet already.")
        earlier = {"ask": (), "read": (row.ask,), "let": (row.ask, row.read)}[kind]
        if any(name in names for names in earlier):
            self.problems.add(path, f"“{name}” stands twice in this check.")

    def _question(self, path: Path, key: str, ask: str | list[str] | dict[str, int]) -> OwnQuestion | None:
        if isinstance(ask, dict):
            return OwnQuestion(key, QuestionKind.NUMBER, ask)
        if isinstance(ask, list):
            return self._listed_question(path, key, ask)
        if ask == "yes/no":
            return OwnQuestion(key, QuestionKind.NUMBER, YES_NO)
        if ask == "edge":
            return OwnQuestion(key, QuestionKind.NUMBER, EDGES)
        if ask == "character":
            return OwnQuestion(key, QuestionKind.CHARACTER)
        if ask == "clock":
            if not self.file.clocks:
                self.problems.add(path, "there are no clocks to choose from.")
            return OwnQuestion(key, QuestionKind.CLOCK, names=tuple(self.file.clocks))
        if ask in self.file.entries:
            return OwnQuestion(key, QuestionKind.ENTRY, entries=ask)
        if ask in self.file.lists:
            items = {item: row.value for item, row in self.file.lists[ask].items.items()}
            return OwnQuestion(key, QuestionKind.NUMBER, items)
        if ask == "attribute" or ask.startswith("attribute of "):
            return self._attribute_question(path, key, ask.removeprefix("attribute").removeprefix(" of "))
        if _RANGE.fullmatch(ask.strip()) is not None:
            return self._range_question(path, key, ask)
        if ask not in self.excused:
            known = (
                "attribute",
                "yes/no",
                "edge",
                "clock",
                "character",
                *self.file.entries,
                *self.file.lists,
            )
            self.problems.unknown(path, ask, "no kind of question", known)
        return None

    def _attribute_question(self, path: Path, key: str, group: str) -> OwnQuestion | None:
        names = tuple(name for name, row in self.file.attributes.items() if not group or row.group == group)
        if names:
            return OwnQuestion(key, QuestionKind.NAME, names=names)
        groups = {row.group for row in self.file.attributes.values() if row.group}
        if group:
            self.problems.unknown(path, group, "no group of attributes", groups)
        elif not self.excused:
            self.problems.add(path, "there are no attributes to choose from.")
        return None

    def _range_question(self, path: Path, key: str, ask: str) -> OwnQuestion | None:
        low, _, high = ask.replace("−", "-").partition("..")
        span = int(low), int(high)
        if not 0 <= span[1] - span[0] <= MOST_RANGE:
            self.problems.add(path, f"a range goes up, and by {MOST_RANGE:,} at most.")
            return None
        return OwnQuestion(key, QuestionKind.NUMBER, span=span)

    def _listed_question(self, path: Path, key: str, ask: list[str]) -> OwnQuestion | None:
        if not ask or len(set(ask)) < len(ask):
            self.problems.add(path, "every choice should be there once, and one at least.")
            return None
        named = [one for one in ask if one in self.kinds]
        if named and (len(named) == len(ask) or all(re.fullmatch(KEY, one) for one in ask)):
            for one in ask:
                if one not in self.kinds and one not in self.excused:
                    self.problems.unknown(path, one, "no name I know here", self.kinds)
            return OwnQuestion(key, QuestionKind.NAME, names=tuple(named))
        numbers = [re.fullmatch(r"[+-]?[0-9]{1,7}", one.replace("−", "-")) for one in ask]
        if all(numbers):
            return OwnQuestion(key, QuestionKind.NUMBER, {one: int(one.replace("−", "-")) for one in ask})
        return OwnQuestion(key, QuestionKind.NUMBER, {one: at for at, one in enumerate(ask, start=1)})

    def _lets(self, path: Path, row: CheckRow, scope: Scope) -> dict[str, Expression]:
        inner = Scope(scope.names | set(row.read) | set(row.let), scope.excused)
        found: dict[str, Expression] = {}
        for name, code in row.let.items():
            read = self.names.expression((*path, "let", name), code, inner)
            if read is not None:
                found[name] = read
        order, circle = in_order({name: set(names_in(amount)) & set(found) for name, amount in found.items()})
        for name in circle:
            self.problems.add((*path, "let", name), f"“{name}” depends on itself.")
        return {name: found[name] for name in order}

    def _groups(
        self, path: Path, row: CheckRow, scope: Scope, dice_names: frozenset[str]
    ) -> dict[str, WrittenGroup]:
        number = len([name for name in row.dice if name != NONE])
        if number > MOST_GROUPS:
            self.problems.add(
                (*path, "dice"), f"there are {number} groups of dice; {MOST_GROUPS} is the most."
            )
        if NONE in row.dice and number == 0:
            self.problems.add((*path, "dice", NONE), "“none” stands in for another group, which is missing.")
        found: dict[str, WrittenGroup] = {}
        for name, code in row.dice.items():
            place = (*path, "dice", name)
            group = self.problems.read(place, dice_group, code)
            if group is None:
                continue
            for part in (group.count, group.sides, group.kept):
                if dice_names.intersection(names_in(part)):
                    self.problems.add(place, "how many dice are rolled can't depend on what they show.")
                else:
                    self.names.are_known(place, part, scope)
            found[name] = group
        return found

    def _readings(
        self, path: Path, row: CheckRow, scope: Scope, groups: Mapping[str, WrittenGroup]
    ) -> dict[str, Reading]:
        found: dict[str, Reading] = {}
        times: dict[str, int] = {}
        for name, code in row.read.items():
            place = (*path, "read", name)
            read = self.problems.read(place, reading, code)
            if read is None:
                continue
            for group in read.groups:
                times[group] = times.get(group, 0) + 1
                if group not in row.dice or group == NONE:
                    self.problems.unknown(place, group, "no group of dice", set(row.dice) - {NONE})
                elif times[group] == READINGS_A_GROUP + 1:
                    number = sum(bool(re.search(rf"\b{group}\b", one)) for one in row.read.values())
                    self.problems.add(
                        place,
                        f"“{group}” is read {number} times; {READINGS_A_GROUP} is the most for a group.",
                    )
            is_suited = read.kind == "suit" or read.sign == "suit"
            if is_suited and any(
                group in groups and groups[group].source != "cards" for group in read.groups
            ):
                self.problems.add(place, "only cards have suits.")
            for part in read.against:
                self.names.are_known(place, part, scope)
            found[name] = read
        return found

    def _edged(
        self, path: Path, row: CheckRow, groups: Mapping[str, WrittenGroup]
    ) -> tuple[str, bool] | None:
        if row.edge is None:
            return None
        read = re.fullmatch(r"(lowest|highest)\s+([a-z]\w*)", row.edge.strip())
        if read is None:
            self.problems.add((*path, "edge"), "this should be “lowest” or “highest” and a group of dice.")
            return None
        if read[2] not in groups:
            self.problems.unknown((*path, "edge"), read[2], "no group of dice", groups)
            return None
        return read[2], read[1] == "highest"

    def _edge(self, path: Path, row: CheckRow, questions: Mapping[str, OwnQuestion]) -> Expression:
        edges = [name for name, ask in row.ask.items() if ask == "edge" and name in questions]
        if row.edge is not None and not edges:
            self.problems.add((*path, "edge"), 'ask for it too: ask = { edge = "edge" }.')
        return Name(edges[0]) if edges else ZERO

    def _stages(
        self, path: Path, readings: Mapping[str, Reading], lets: Mapping[str, Expression]
    ) -> tuple[Stage, ...]:
        """Readings and lets in an order in which each can be reckoned; groups read together stay together."""
        linked: list[set[str]] = []
        for read in readings.values():
            joined = set(read.groups).union(*(one for one in linked if one.intersection(read.groups)))
            linked = [one for one in linked if one.isdisjoint(joined)] + [joined]
        stages: dict[str, Stage] = {}
        made_by: dict[str, str] = {}
        for groups in linked:
            mine = tuple((name, read) for name, read in readings.items() if groups.issuperset(read.groups))
            stage = f"dice {mine[0][0]}"
            stages[stage] = Linked(tuple(sorted(groups)), mine)
            made_by |= {name: stage for name, _ in mine}
        for name, amount in lets.items():
            stages[name] = Let(name, amount)
            made_by[name] = name
        needs = {
            key: {made_by[name] for part in _parts_of(stage) for name in names_in(part) if name in made_by}
            for key, stage in stages.items()
        }
        order, circle = in_order(needs)
        for key in circle:
            found = stages[key]
            name = found.name if isinstance(found, Let) else found.readings[0][0]
            kind = "let" if isinstance(found, Let) else "read"
            self.problems.add((*path, kind, name), f"“{name}” depends on itself.")
        return tuple(stages[key] for key in order)

    def _tier(
        self,
        path: Path,
        row: ResultRow,
        scope: Scope,
        value: Expression | None,
        questions: Mapping[str, OwnQuestion],
        owners: tuple[str, ...],
    ) -> GameTier | None:
        span: tuple[int | None, int | None] | None = (None, None)
        if row.fits is not None:
            span = span_of(row.fits)
            if span is None:
                self.problems.add((*path, "is"), "this should be “10+”, “7-9”, “6-” or “7”.")
            if value is None and VALUE not in scope.excused:
                self.problems.add((*path, "is"), "say with “value” what is compared, or use “when”.")
        when = self.names.expression((*path, "when"), row.when, scope) if row.when is not None else None
        words: list[str | Expression] = []
        for at, piece in enumerate(re.split(r"\{([^{}]*)\}", row.name)):
            if at % 2 == 0:
                words += [piece] if piece else []
            elif (read := self.names.expression((*path, "name"), piece, scope)) is not None:
                words.append(read)
        effects = self.names.effects((*path, "do"), row.do, scope, questions, owners)
        if span is None:
            return None
        return GameTier(row.name, tuple(words), span[0], span[1], when, effects, row.text)

    def _check_tier_order(self, path: Path, row: CheckRow) -> None:
        names = [tier.name for tier in row.tiers]
        for at, tier in enumerate(row.tiers):
            if tier.name in names[:at]:
                self.problems.add((*path, "tiers", at, "name"), f"“{tier.name}” is there twice.")
            if tier.fits is None and tier.when is None and at + 1 < len(names):
                self.problems.add(
                    (*path, "tiers", at),
                    f"“{tier.name}” takes all that is left, so nothing after it can happen.",
                )

    def _after(
        self,
        path: Path,
        row: AfterRow,
        scope: Scope,
        check: CheckRow,
        questions: Mapping[str, OwnQuestion],
        owners: tuple[str, ...],
    ) -> AfterRoll | None:
        groups = [name for name in check.dice if name != NONE]
        when = self.names.expression((*path, "when"), row.when, scope) if row.when is not None else None
        cost = self.names.effects((*path, "cost"), row.cost, scope, questions, owners)
        given = [row.reroll, row.add, row.step, row.take]
        if len([one for one in given if one is not None]) != 1:
            self.problems.add(path, "say one thing that it does: “reroll”, “add”, “step” or “take”.")
            return None
        reroll = self._reroll((*path, "reroll"), row.reroll, groups) if row.reroll else {}
        if row.add is not None and row.add not in groups:
            self.problems.unknown((*path, "add"), row.add, "no group of dice", groups)
        step = take = None
        if row.step is not None:
            read = re.fullmatch(r"([a-z]\w*)\s+(up|down)", row.step.strip())
            if read is None:
                self.problems.add((*path, "step"), "this should be a group of dice, and “up” or “down”.")
            elif read[1] not in groups:
                self.problems.unknown((*path, "step"), read[1], "no group of dice", groups)
            else:
                step = (read[1], 1 if read[2] == "up" else -1)
        if row.take is not None:
            read = re.fullmatch(r"([a-z]\w*)\s*=\s*([a-z]\w*)", row.take.strip())
            if read is None:
                self.problems.add((*path, "take"), "this should be two readings: “n = other”.")
            for name in read.groups() if read is not None else ():
                if name not in check.read:
                    self.problems.unknown((*path, "take"), name, "no reading", check.read)
            take = (read[1], read[2]) if read is not None else None
        return AfterRoll(row.label, when, cost, reroll, row.add or "", step, take, row.often == "once")

    def _reroll(self, path: Path, code: str, groups: Sequence[str]) -> dict[str, tuple[int, int]]:
        everything = (-MOST_RANGE, MOST_RANGE)
        if code.strip() == "all":
            return dict.fromkeys(groups, everything)
        found: dict[str, tuple[int, int]] = {}
        for part in code.split(","):
            read = re.fullmatch(r"\s*([a-z]\w*)(?:\s+([0-9]{1,4})(?:\.\.([0-9]{1,4}))?)?\s*", part)
            if read is None:
                self.problems.add(
                    path, "this should be “all”, a group of dice, or faces of one: “base 2..5”."
                )
            elif read[1] not in groups:
                self.problems.unknown(path, read[1], "no group of dice", ["all", *groups])
            else:
                low = int(read[2]) if read[2] else everything[0]
                high = int(read[3]) if read[3] else low if read[2] else everything[1]
                found[read[1]] = (low, high)
        return found

    def move(self, key: str, row: MoveRow, checks: Mapping[str, OwnCheck | None]) -> OwnMove | None:
        """A move; None if anything is wrong with it."""
        before = len(self.problems.found)
        path: Path = ("moves", key)
        check = checks.get(row.check) if row.check is not None else None
        if row.check is not None and row.check not in checks:
            if row.check not in self.names.written_in("checks"):
                self.problems.unknown((*path, "check"), row.check, "no check", checks)
            return None
        if row.check is not None and check is None:
            return None
        questions = {one.key: one for one in check.questions} if check is not None else {}
        owners = tuple(name for name, one in questions.items() if one.kind is QuestionKind.CHARACTER)
        owners = (*owners, "at") if row.at is not None else owners
        scope = self.names.sheet()
        sheet = Scope(
            scope.names | {f"{owner}.{name}" for owner in owners for name in self.kinds}, scope.excused
        )
        if check is not None:
            sheet.names |= {name for name in questions if name not in owners}
        whole = Scope(set(sheet.names), scope.excused)
        if check is not None:
            whole.names |= check.open_names | {name for name, _ in check.fixed}
            whole.names |= {VALUE} if check.value is not None else set()
        for name, given in row.given.items():
            self._check_given((*path, "with"), name, given, questions, row.check)
        when = (
            self.names.expression((*path, "when"), row.when, self.names.sheet())
            if row.when is not None
            else None
        )
        cost = self.names.effects((*path, "cost"), row.cost, sheet, questions, owners)
        tiers = [tier.name for tier in check.tiers] if check is not None else []
        effects: dict[str, tuple[GameEffect, ...]] = {}
        rows = row.do if isinstance(row.do, dict) else {"": row.do}
        for tier, codes in rows.items():
            self._check_tier_name((*path, "do"), tier, tiers)
            effects[tier] = self.names.effects((*path, "do"), codes, whole, questions, owners)
        texts = row.text if isinstance(row.text, dict) else {"": row.text}
        for tier in texts:
            self._check_tier_name((*path, "text"), tier, tiers)
        if len(self.problems.found) > before:
            return None
        return OwnMove(key, row.label, check, row.given, when, cost, effects, texts)

    def _check_tier_name(self, path: Path, tier: str, tiers: Sequence[str]) -> None:
        if tier and not tiers:
            self.problems.add(path, "a move without a check has no tiers; give one list for all.")
        elif tier and tier not in tiers:
            self.problems.unknown(path, tier, "no tier of this check", tiers)

    def _check_given(
        self,
        path: Path,
        name: str,
        given: int | str,
        questions: Mapping[str, OwnQuestion],
        check: str | None,
    ) -> None:
        question = questions.get(name)
        if question is None:
            what = f"no question of “{check}”" if check else "no question: this move has no check"
            self.problems.unknown(path, name, what, questions)
        elif question.kind is QuestionKind.CHARACTER or (
            question.kind is QuestionKind.ENTRY and not isinstance(given, int)
        ):
            self.problems.add(path, f"“{name}” is answered at the table.")
        elif question.kind in (QuestionKind.NAME, QuestionKind.CLOCK):
            if str(given) not in question.names and str(given) not in self.excused - set(self.kinds):
                all_attributes = all(self.kinds.get(one) is PartKind.ATTRIBUTE for one in question.names)
                kind = (
                    "clock"
                    if question.kind is QuestionKind.CLOCK
                    else "attribute"
                    if all_attributes
                    else "choice"
                )
                self.problems.unknown(path, str(given), f"no {kind}", question.names)
        elif question.span is not None:
            if not isinstance(given, int) or not question.span[0] <= given <= question.span[1]:
                low, high = question.span
                self.problems.add(path, f"“{name}” should be a number from {low} to {high}.")
        elif question.kind is QuestionKind.NUMBER and (
            str(given) not in question.numbers and given not in question.numbers.values()
        ):
            self.problems.unknown(path, str(given), f"no choice of “{name}”", question.numbers)


_RANGE = re.compile(r"[+−-]?[0-9]{1,7}\s*\.\.\s*[+−-]?[0-9]{1,7}")


def _parts_of(stage: Stage) -> tuple[Expression, ...]:
    if isinstance(stage, Let):
        return (stage.amount,)
    return tuple(part for _, read in stage.readings for part in read.against)


def _parted(
    lets: Mapping[str, Expression], readings: set[str]
) -> tuple[dict[str, Expression], frozenset[str]]:
    """Those lets that no die decides, and the names of all that dice decide."""
    open_names = set(readings)
    fixed: dict[str, Expression] = {}
    for name, amount in lets.items():
        if open_names.isdisjoint(names_in(amount)):
            fixed[name] = amount
        else:
            open_names.add(name)
    return fixed, frozenset(open_names)
