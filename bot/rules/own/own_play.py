"""Rolling a check of an own game, and its buttons; what changes a sheet: prices, effects, moves."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import floor

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.own.check_odds import NO_TIER, pools_of, with_fixed
from bot.rules.own.dice_groups import (
    GroupSource,
    Keeping,
    ReadyGroup,
    ShownFace,
    another,
    counted,
    read_off,
    thrown,
    thrown_die,
    total_of,
)
from bot.rules.own.expressions import Amount, DiceSum, Expression, Known, NoAmount, Number, amount_of
from bot.rules.own.game_parts import (
    DIE_STEPS,
    THEIRS,
    VALUE,
    AfterRoll,
    GameEffect,
    Let,
    OwnCheck,
    OwnGame,
    OwnMove,
    PartKind,
    QuestionKind,
    Span,
    die_of,
)

MOST_CHANGES = 60
"""How many changes one action can make, those of full and empty counters included."""


class OwnChange(Struct, frozen=True):
    """A number of a sheet, or a clock, before and after."""

    name: str
    before: int
    after: int


class Answers(Struct, frozen=True):
    """The answers to a check's questions."""

    numbers: Mapping[str, int] = {}
    names: Mapping[str, str] = {}  # what they name, where an effect can change it


def average(game: OwnGame, given: Mapping[str, int] | None = None) -> dict[str, int]:
    """The numbers of an average new character, and of all clocks.

    Args:
        given: Numbers that are as they are said; others may follow from them.
    """
    file, given = game.file, given or {}
    points = file.create.points
    attributes = game.of_kind(PartKind.ATTRIBUTE)
    spread = dict(zip(attributes, file.create.spread, strict=False))
    sharing = [
        name
        for name in attributes
        if points is not None and points.group in (None, file.attributes[name].group)
    ]
    numbers: dict[str, int] = {}
    for name, start in game.starts.items():
        if name in given:
            numbers[name] = given[name]
            continue
        known = known_so_far(game, numbers)
        if name in game.rolled:
            found = floor(amount_of(game.rolled[name], known, _mean))
        else:
            found = floor(amount_of(start, known))
        if name in spread:
            sides = die_of(spread[name])
            found = sides if sides is not None else _whole(spread[name], found)
        if points is not None and name in sharing:
            share, rest = divmod(points.total, len(sharing))
            share += sharing.index(name) < rest
            found += share if points.each is None else min(share, points.each)
        numbers[name] = within_span(game, name, found, known)
    return numbers


def _whole(written: int | str, other: int) -> int:
    return written if isinstance(written, int) else other


def _mean(dice: DiceSum) -> Fraction:
    return Fraction(dice.number * (dice.sides + 1), 2)


def known_so_far(game: OwnGame, numbers: Mapping[str, int]) -> dict[str, Amount | NoAmount]:
    """What is known of a sheet that is not complete: numbers that rest on what is missing are errors."""
    missing = {name: NoAmount("is not known yet") for name in game.starts if name not in numbers}
    known = dict[str, Amount | NoAmount](missing)
    known |= numbers
    for name, amount in game.with_derived({**dict.fromkeys(missing, 0), **numbers}).items():
        known.setdefault(name, amount)
    return known


def within_span(game: OwnGame, name: str, number: int, known: Known | None = None) -> int:
    """The nearest number that a part of a sheet can be."""
    span = game.span(name)
    return _nearest(span, number, _high(span, known or {}))


def high_of(game: OwnGame, name: str, known: Known) -> int | None:
    """The highest number that a part can be; None where there is no end."""
    return _high(game.span(name), known)


def _nearest(span: Span, number: int, high: int | None) -> int:
    if span.steps:
        return max((one for one in span.steps if one <= number), default=span.steps[0])
    return max(span.low, number if high is None else min(number, high))


def _high(span: Span, known: Known) -> int | None:
    if isinstance(span.high, Number):
        return span.high.value
    return None if span.high is None else floor(amount_of(span.high, known))


class OwnNote(Struct, frozen=True):
    """What is said of a change to somebody's sheet."""

    text: str
    owner: str = ""  # whose, as it stands before the dot; nothing for who acts, and for a clock
    is_overflow: bool = False  # whether it says what went on to another counter


class Changing(Struct):
    """A sheet while it changes."""

    game: OwnGame
    numbers: dict[str, int]  # the sheet, the clocks, and whomever a move aims at
    answers: Answers  # what effects call by other names
    amounts: Mapping[str, Amount]  # what the roll came to: readings and the like
    dice: Dice  # where dice in effects come from
    notes: list[OwnNote] = []  # what is to be said
    _left: int = MOST_CHANGES

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of what is to be said."""
        return tuple(note.text for note in self.notes)

    def known(self) -> dict[str, Amount | NoAmount]:
        """What every name comes to now."""
        found = known_of(self.game, self.numbers)
        return {**found, **self.answers.numbers, **self.amounts, **named_numbers(self.answers, self.numbers)}

    def pay(self, costs: Iterable[GameEffect]) -> None:
        """Pay a price.

        Raises:
            UserError: If there is not enough.
        """
        for cost in costs:
            name = self.answers.names.get(cost.target, cost.target)
            if cost.sign in ("-", "down") and name in self.numbers:
                own = name.rpartition(".")[2]
                lowest = self.game.span(own).low
                amount = self._amount(cost.amount) if cost.sign == "-" else 1
                if self.numbers[name] - amount < lowest:
                    raise UserError(self._too_little(own, self.numbers[name], amount))
            self.apply((cost,))

    def _too_little(self, name: str, number: int, amount: int) -> str:
        """Why something can't be paid: what there is, and what it costs."""
        label = self.game.label(name)
        if self.game.span(name).steps:
            return f"{label} can't go down: it is {f'a d{number}' if number else 'gone'} already."
        return f"You don't have enough {label}: {number}, and it costs {amount}."

    def apply(self, effects: Iterable[GameEffect]) -> None:
        """Change what effects say."""
        for effect in effects:
            name = self.answers.names.get(effect.target, effect.target)
            if name in self.numbers:  # else no clock was chosen, or nobody was aimed at
                self.change(name, effect.sign, self._amount(effect.amount))

    def change(self, name: str, sign: str, amount: int) -> None:
        """Change one number: ``+``, ``-``, ``=``, or a die ``up`` or ``down``."""
        if sign in ("up", "down"):
            self._set(name, self._stepped(name, amount if sign == "up" else -amount))
        elif sign == "=":
            self._set(name, amount)
        else:
            self._set(name, self.numbers[name] + (amount if sign == "+" else -amount))

    def _amount(self, amount: Expression) -> int:
        if isinstance(amount, Number):
            return amount.value
        return floor(amount_of(amount, self.known(), self._roll))

    def _roll(self, dice: DiceSum) -> int:
        return sum(self.dice.roll(dice.sides) for _ in range(dice.number))

    def _stepped(self, name: str, steps: int) -> int:
        dice = self.game.span(name.rpartition(".")[2]).steps or DIE_STEPS
        at = dice.index(self.numbers[name]) + steps
        return dice[max(0, min(at, len(dice) - 1))]

    def _set(self, name: str, number: int) -> None:
        owner, dot, own = name.rpartition(".")
        self._left -= 1
        if self._left < 0:
            raise UserError(
                "One effect follows another without an end.", try_this="The GM can change the game."
            )
        before = self.numbers[name]
        span = self.game.span(own)
        known = {} if span.is_fixed else known_of(self.game, _of_owner(self.numbers, f"{owner}{dot}"))
        high = _high(span, known)
        after = _nearest(span, number, high)
        self.numbers[name] = after
        if after != number and not span.steps:
            self._overflow(f"{owner}{dot}", own, number - after)
        if after > before and after == high:
            self._reached(owner, own, self.game.full.get(own, ()), is_full=True)
        elif after < before and after == span.low:
            self._reached(owner, own, self.game.empty.get(own, ()), is_full=False)

    def _overflow(self, owner: str, name: str, rest: int) -> None:
        """Hand on what a counter could not take: each of those named takes what it can, the last the rest.

        One that begins empty overflows when it is full, any other when it is empty; what it hands on fills or
        empties the others likewise. More healing than there is harm is lost.
        """
        file = self.game.file
        row = file.resources.get(name) or file.tracks.get(name)
        others = row.overflow if row is not None else ()
        if not others or (rest > 0) is not self.game.fills(name):
            return
        rest = abs(rest)
        for place, other in enumerate(others, start=1):
            target, fills = f"{owner}{other}", self.game.fills(other)
            before = self.numbers[target]
            high = high_of(self.game, other, known_of(self.game, _of_owner(self.numbers, owner)))
            room = (
                before - self.game.span(other).low if not fills else rest if high is None else high - before
            )
            share = rest if place == len(others) else min(rest, room)
            if share:
                words = f"{self.game.label(name)} can't take {share} more: {self.game.label(other)} does."
                self.notes.append(OwnNote(words, owner.rstrip("."), is_overflow=True))
                self._set(target, before + (share if fills else -share))
            rest -= share

    def _reached(self, owner: str, name: str, effects: Sequence[GameEffect], *, is_full: bool) -> None:
        files = self.game.file
        row = files.resources.get(name) or files.tracks.get(name) or files.clocks.get(name)
        words = getattr(row, "full" if is_full else "empty", "")
        if words:
            self.notes.append(OwnNote(words, "" if name in files.clocks else owner))
        if not owner or name in files.clocks:
            self.apply(effects)
            return
        for effect in effects:  # it happens to whoever's it is
            theirs = f"{owner}.{effect.target}"
            known = known_of(self.game, _of_owner(self.numbers, f"{owner}."))
            amount = floor(amount_of(effect.amount, known, self._roll))
            self.change(theirs if theirs in self.numbers else effect.target, effect.sign, amount)


def known_of(game: OwnGame, numbers: Mapping[str, int]) -> dict[str, Amount | NoAmount]:
    """What every name comes to: a sheet, the clocks, and whomever a move aims at."""
    owners = {name.partition(".")[0] for name in numbers if "." in name}
    found = game.with_derived(_of_owner(numbers, "") if owners else numbers)
    for owner in owners:
        theirs = game.with_derived(_of_owner(numbers, f"{owner}."))
        found |= {f"{owner}.{name}": amount for name, amount in theirs.items()}
    return found


def _of_owner(numbers: Mapping[str, int], owner: str) -> dict[str, int]:
    """The numbers of one sheet; what belongs to nobody else counts where it has none of its own."""
    own = {name: number for name, number in numbers.items() if "." not in name}
    if owner:
        own |= {name[len(owner) :]: number for name, number in numbers.items() if name.startswith(owner)}
    return own


def named_numbers(answers: Answers, numbers: Mapping[str, int]) -> dict[str, Amount | NoAmount]:
    """What the answers come to that name a part of the sheet or a clock."""
    return {key: numbers[name] for key, name in answers.names.items() if name in numbers}


def do_move(game: OwnGame, move: OwnMove, numbers: Mapping[str, int], dice: Dice) -> Changing:
    """Do a move that rolls no check: pay for it, and change what it changes.

    Raises:
        UserError: If it can't be paid for.
    """
    changing = Changing(game, dict(numbers), Answers(), {}, dice)
    changing.pay(move.cost)
    changing.apply(move.effects.get("", ()))
    changing.notes += [OwnNote(words)] if (words := move.texts.get("", "")) else []
    return changing


def happen(game: OwnGame, event: str, numbers: Mapping[str, int], dice: Dice) -> Changing:
    """What an event does to a sheet: counters return to their starts, tracks heal, and resets are done."""
    changing = Changing(game, dict(numbers), Answers(), {}, dice)
    for name, row in game.file.resources.items():
        if event in row.reset:
            known = known_of(game, numbers)
            changing.numbers[name] = within_span(
                game, name, floor(amount_of(game.starts[name], known)), known
            )
    for name, track in game.file.tracks.items():
        if event in track.heal:
            changing.numbers[name] = 0
    changing.apply(game.resets.get(event, ()))
    return changing


def is_open(game: OwnGame, move: OwnMove, numbers: Mapping[str, int]) -> bool:
    """Whether a move can be made now."""
    return move.when is None or bool(amount_of(move.when, known_of(game, numbers)))


def changes_between(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[OwnChange, ...]:
    """What is different."""
    return tuple(
        OwnChange(name, before[name], number) for name, number in after.items() if before[name] != number
    )


NO_CLOCK = "none"
"""The answer to a question about a clock that names none."""


class OwnRoll(Struct, frozen=True):
    """A check as it was rolled."""

    check: OwnCheck
    known: Known  # what every name came to before it was rolled, as far as no die decides it
    pools: Mapping[str, ReadyGroup]  # its groups, their numbers known
    dice: Mapping[str, tuple[ShownFace, ...]]  # what each group shows
    dropped: tuple[ShownFace, ...]  # what an edge put aside
    amounts: Mapping[str, Amount]  # readings, and all that was reckoned from them
    tier: int  # the place of the tier
    name: str  # the tier's name, filled in
    before: Mapping[str, int]  # the sheet before the tier's effects
    after: Mapping[str, int]  # the sheet behind them
    notes: tuple[OwnNote, ...]  # what is to be said
    pressed: tuple[str, ...] = ()  # the buttons that have been pressed


class Attempting(Struct, frozen=True):
    """Who rolls what."""

    game: OwnGame
    check: OwnCheck
    move: OwnMove | None  # the move that rolls it, or None
    answers: Answers  # the answers to its questions
    numbers: Mapping[str, int]  # the sheet, the clocks, and whomever it aims at
    theirs: Amount | None = None  # what the other side of an opposed check came to
    parts_jokers: bool = True  # whether one joker on the table leaves the other in the deck

    def known(self, numbers: Mapping[str, int]) -> dict[str, Amount | NoAmount]:
        """What every name comes to, what no die decides included."""
        found = {
            **known_of(self.game, numbers),
            **self.answers.numbers,
            **named_numbers(self.answers, numbers),
        }
        if self.theirs is not None:
            found[THEIRS] = self.theirs
        return with_fixed(self.check, found)


def play(roller: Attempting, dice: Dice) -> OwnRoll:
    """Pay for a check, roll it, and do what its tier does.

    Args:
        roller: Who rolls what.

    Raises:
        UserError: If it can't be paid for, or no tier fits.
    """
    known = roller.known(roller.numbers)
    pools = pools_of(roller.check, known)
    paying = Changing(roller.game, dict(roller.numbers), roller.answers, {}, dice)
    paying.pay((*roller.check.cost, *(roller.move.cost if roller.move is not None else ())))
    fallen = {name: thrown(pool, dice) for name, pool in pools.items()}
    dropped: tuple[ShownFace, ...] = ()
    edge = amount_of(roller.check.edge, known)
    if roller.check.edged is not None and edge != 0:
        name, keeps_higher = roller.check.edged
        again = thrown(pools[name], dice)
        wants_higher = (edge > 0) is keeps_higher
        first, second = total_of(fallen[name]), total_of(again)
        is_better = second > first if wants_higher else second < first
        fallen[name], dropped = (again, fallen[name]) if is_better else (fallen[name], again)
    return _settled(roller, known, pools, fallen, dropped, paying, {}, dice, ())


def _reckoned(
    roller: Attempting,
    known: Known,
    fallen: Mapping[str, Sequence[ShownFace]],
    taken: Mapping[str, str],
) -> dict[str, Amount]:
    """What the dice come to: readings, and all that is reckoned from them."""
    check = roller.check
    amounts: dict[str, Amount] = {name: _plain(known[name]) for name, _ in check.fixed}
    for stage in check.stages:
        if isinstance(stage, Let):
            amounts[stage.name] = amount_of(stage.amount, {**known, **amounts})
            continue
        for name, read in stage.readings:
            against = [amount_of(part, {**known, **amounts}) for part in read.against]
            amounts[name] = read_off(read, fallen, against)
    if taken:
        amounts |= {name: amounts[other] for name, other in taken.items()}
        for stage in check.stages:
            if isinstance(stage, Let):
                amounts[stage.name] = amount_of(stage.amount, {**known, **amounts})
    if check.value is not None:
        amounts[VALUE] = amount_of(check.value, {**known, **amounts})
    if roller.theirs is not None:
        amounts[THEIRS] = roller.theirs
    return amounts


def tier_of(
    roller: Attempting,
    known: Known,
    fallen: Mapping[str, Sequence[ShownFace]],
    taken: Mapping[str, str],
) -> int:
    """The place of the tier that dice come to; what a roll changes is not looked at.

    Args:
        known: All that no die decides, from `Attempting.known`.
        fallen: The dice of each group.
        taken: The readings that are replaced, each by another.
    """
    return _tier_of(roller.check, {**known, **_reckoned(roller, known, fallen, taken)})


def _settled(
    roller: Attempting,
    known: Known,
    pools: Mapping[str, ReadyGroup],
    fallen: Mapping[str, tuple[ShownFace, ...]],
    dropped: tuple[ShownFace, ...],
    paid: Changing,
    taken: Mapping[str, str],
    dice: Dice,
    pressed: tuple[str, ...],
) -> OwnRoll:
    """Read the dice, find the tier, and do what it does."""
    check, game = roller.check, roller.game
    amounts = _reckoned(roller, known, fallen, taken)
    everything = {**known, **amounts}
    tier = _tier_of(check, everything)
    if tier == NO_TIER:
        raise UserError("No tier of this check fits the roll.", try_this="The GM can change the game.")
    row = check.tiers[tier]
    name = "".join(
        piece if isinstance(piece, str) else str(amount_of(piece, everything)) for piece in row.words
    )
    changing = Changing(game, dict(paid.numbers), roller.answers, amounts, dice, list(paid.notes))
    if row.text:
        changing.notes.append(OwnNote(row.text))
    changing.apply(row.effects)
    move = roller.move
    for key in ("", row.name) if move is not None else ():
        changing.notes += [OwnNote(words)] if move is not None and (words := move.texts.get(key, "")) else []
        changing.apply(move.effects.get(key, ()) if move is not None else ())
    return OwnRoll(
        check,
        known,
        pools,
        fallen,
        dropped,
        amounts,
        tier,
        name,
        paid.numbers,
        changing.numbers,
        tuple(changing.notes),
        pressed,
    )


def _plain(amount: Amount | NoAmount) -> Amount:
    if isinstance(amount, NoAmount):
        raise amount
    return amount


def _tier_of(check: OwnCheck, known: Known) -> int:
    for at, tier in enumerate(check.tiers):
        if tier.low is not None and _plain(known[VALUE]) < tier.low:
            continue
        if tier.high is not None and _plain(known[VALUE]) > tier.high:
            continue
        if tier.when is None or amount_of(tier.when, known):
            return at
    return NO_TIER


def press(roller: Attempting, played: OwnRoll, label: str, dice: Dice) -> OwnRoll:
    """Press a button under a result: what the tier did is taken back, and the new one's effects are done.

    Raises:
        UserError: If there is no such button now, or it can't be paid for.
    """
    button = next((one for one in played.check.after if one.label == label), None)
    if button is None or not is_offered(roller, played, button):
        raise UserError(f"“{label}” can't be pressed now.")
    paid = Changing(roller.game, dict(played.before), roller.answers, played.amounts, dice)
    paid.pay(button.cost)
    pools, fallen = thrown_again(roller, played, button, dice)
    taken = dict([button.take]) if button.take is not None else {}
    return _settled(roller, played.known, pools, fallen, (), paid, taken, dice, (*played.pressed, label))


def thrown_again(
    roller: Attempting, played: OwnRoll, button: AfterRoll, dice: Dice
) -> tuple[dict[str, ReadyGroup], dict[str, tuple[ShownFace, ...]]]:
    """The groups and their dice once a button has rolled what it rolls."""
    pools, fallen = dict(played.pools), dict(played.dice)
    for name, (low, high) in button.reroll.items():
        fallen[name] = _rolled_again(pools[name], fallen[name], low, high, dice)
    if button.add:
        pools[button.add] = _larger(pools[button.add], played.check.groups[button.add].keeping)
        pool, lying = pools[button.add], fallen[button.add]
        one_more = another(pool, lying, dice, parts_jokers=roller.parts_jokers)
        fallen[button.add] = counted(pool, (*lying, one_more))
    if button.step is not None:
        name, steps = button.step
        pools[name] = replace(pools[name], sides=next_die(pools[name].sides, steps))
        fallen[name] = thrown(pools[name], dice)
    return pools, fallen


def is_offered(roller: Attempting, played: OwnRoll, button: AfterRoll) -> bool:
    """Whether a button can be pressed now, if it can be paid for."""
    if button.is_once and button.label in played.pressed:
        return False
    if button.when is None:
        return True
    return bool(amount_of(button.when, {**roller.known(played.before), **played.amounts}))


def _rolled_again(
    pool: ReadyGroup, found: Sequence[ShownFace], low: int, high: int, dice: Dice
) -> tuple[ShownFace, ...]:
    if pool.source is GroupSource.CARDS:
        return thrown(pool, dice)
    return counted(pool, [thrown_die(pool, dice) if low <= one.face <= high else one for one in found])


def _larger(pool: ReadyGroup, keeping: Keeping) -> ReadyGroup:
    first = pool.first + (keeping is Keeping.HIGHEST)
    end = pool.end + (keeping is not Keeping.LOWEST)
    return replace(pool, count=pool.count + 1, first=first, end=end)


def next_die(sides: int, steps: int) -> int:
    """The sides of a die some steps up or down."""
    at = DIE_STEPS.index(max((one for one in DIE_STEPS if one <= sides), default=DIE_STEPS[0]))
    return DIE_STEPS[max(0, min(at + steps, len(DIE_STEPS) - 1))]


def answer(game: OwnGame, check: OwnCheck, given: Mapping[str, str], numbers: Mapping[str, int]) -> Answers:
    """The answers to a check's questions, each that is not given as it usually is.

    Args:
        given: Answers as they are typed.

    Raises:
        UserError: If an answer is none.
    """
    values: dict[str, int] = {}
    names: dict[str, str] = {}
    for question in check.questions:
        written = given.get(question.key)
        if question.kind in (QuestionKind.NAME, QuestionKind.CLOCK):
            name = written if written is not None else question.names[0]
            if question.kind is QuestionKind.CLOCK and name == NO_CLOCK:
                values[question.key] = 0
                continue
            if name not in question.names:
                raise UserError(
                    f"“{name}” is no answer to “{question.key}”.",
                    f"It is one of {', '.join(question.names)}.",
                )
            if name in numbers:
                names[question.key] = name
            found = known_of(game, numbers)[name]
            values[question.key] = floor(_plain(found))
        elif question.kind is not QuestionKind.CHARACTER:
            values[question.key] = _number_for(game, question.key, check, written)
            if question.kind is QuestionKind.ENTRY:
                names[question.key] = question.entries
    return Answers(values, names)


def _number_for(game: OwnGame, key: str, check: OwnCheck, written: str | None) -> int:
    question = next(one for one in check.questions if one.key == key)
    if question.kind is QuestionKind.ENTRY:
        numbers = game.entry_numbers(question.entries)
        number = (
            numbers[len(numbers) // 2] if written is None else _typed_number(key, written.removeprefix("d"))
        )
        if number not in numbers:
            raise UserError(f"“{key}” should be one of {', '.join(map(str, numbers))}.")
        return number
    if question.span is not None:
        low, high = question.span
        number = max(low, min(0, high)) if written is None else _typed_number(key, written)
        if not low <= number <= high:
            raise UserError(f"“{key}” should be from {low} to {high}.")
        return number
    choices = question.numbers
    if written is None:
        return 0 if 0 in choices.values() else next(iter(choices.values()))
    if written in choices:
        return choices[written]
    number = _typed_number(key, written, ", ".join(choices))
    if number not in choices.values():
        raise UserError(f"“{written}” is no answer to “{key}”.", f"It is one of {', '.join(choices)}.")
    return number


def _typed_number(key: str, written: str, choices: str = "a whole number") -> int:
    try:
        return int(written.replace("−", "-")) if len(written) < 9 else int("?")
    except ValueError:
        raise UserError(f"“{written[:40]}” is no answer to “{key}”.", f"It is {choices}.") from None
