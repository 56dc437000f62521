"""Rolling a check of an own game: its questions, dice, readings, tier, and the buttons under it."""

from collections.abc import Mapping, Sequence
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
from bot.rules.own.expressions import Amount, Known, NoAmount, amount_of
from bot.rules.own.game_parts import (
    DIE_STEPS,
    THEIRS,
    VALUE,
    AfterRoll,
    Let,
    OwnCheck,
    OwnGame,
    OwnMove,
    QuestionKind,
)
from bot.rules.own.own_effects import Answers, Changing, OwnNote, known_of, named_numbers

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
