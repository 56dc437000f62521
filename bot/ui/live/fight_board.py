"""The board of a fight: always the newest message of its channel; it can ping whoever's turn it is."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from bot.rules.kernel import Choice, EncounterView, FighterLine
from bot.rules.kernel.tracker import JOIN
from bot.table.base.table import Table
from bot.table.encounters import encounters
from bot.table.encounters.encounters import FightBoard, FightPlace, Look, SameKindOffer
from bot.table.play.owed_answers import Offer
from bot.ui.input.presses import press_id
from bot.ui.live.live_message import Live, LiveKind
from bot.ui.replies.links import controls_button
from bot.ui.replies.result_replies import GM_MARK
from bot.ui.text.charts import ground_picture
from bot.ui.text.reply import IN_MENU, IN_ROW, Accent, Block, Button, Reply, Select, rows_of
from bot.ui.text.reply import Look as Prominence
from bot.ui.text.roll_text import PAGE_LINES, as_many, escape, height, listed, plain, shorten


async def _load(table: Table, place: FightPlace) -> Live | None:
    board = await encounters.board(table, place)
    if board is None:
        return None
    look = board.look

    def draw(pings: tuple[int, ...]) -> Reply:
        return over_reply() if look is None else board_reply(look, pings)

    return Live(
        server=place.server,
        channel=place.channel,
        message=board.message,
        shown=board.shown,
        mark=mark_of(board),
        draw=draw,
        turn="" if look is None else hashlib.sha256(look.view.turn.encode()).hexdigest()[:8],
        pings=look.players if look is not None and board.pings else (),
        is_over=look is None,
    )


FIGHT_BOARD = LiveKind(name="fight", rows=encounters.ROWS, load=_load, moves_down=True)

# --- words ---------------------------------------------------------------------------------------

LAYOUT = 7  # counts up when boards come to look different, so that those standing are drawn anew
MORE = "-# and {} more behind More …"
MOST_SELECTS = 5
MOST_BUTTONS = 13  # of offers on a private page
MOST_BRIGHT, MOST_WAITS = 3, 3
LEAST_REGIONS = 2  # from which on the ground is drawn
LONGEST_TEXT = 3600
SHORT_NAME = 15  # what is left of a long name where its combatant's health needs the room
WITH_HEALTH = 2  # the first facts, of which one is the health
LINES_KEPT = 1024  # lines of combatants, most of which stay the same from turn to turn
REST, GMS = "more", "gm"  # the private pages on which the rest of a board's buttons stand


def mark_of(board: FightBoard) -> str:
    """A fingerprint of what a board shows, to detect changes."""
    look = board.look
    shown = None if look is None else (look.campaign, look.view, look.players, look.waits, [*_controls(look)])
    return hashlib.sha256(repr((LAYOUT, shown)).encode()).hexdigest()[:32]


def _controls(look: Look) -> Iterator[tuple[str, str, tuple[Choice, ...]]]:
    """What each control of a board does, as its key says, and what it says itself."""
    controls: tuple[Offer | SameKindOffer, ...] = (*look.bright, *look.offers, *look.same_kind)
    for one in controls:
        yield one.key, one.follow_up.label, one.follow_up.choices


def board_reply(look: Look, pings: Sequence[int] = ()) -> Reply:
    """The public board: whose turn it is, what comes first, who is in it, and the act done most often.

    Args:
        look: The fight as everybody sees it.
        pings: Whom it pings because their turn begins.
    """
    people = " ".join(f"<@{person}>" for person in look.players)
    blocks: list[Block] = fight_blocks(look, PAGE_LINES, people)
    blocks += _public_rows(look)
    plain_line = f"{escape(look.view.on)} · {people}, your turn"
    return Reply(blocks=tuple(blocks), accent=Accent.FIGHT, pings=tuple(pings), plain=plain_line)


def _public_rows(look: Look) -> Iterator[tuple[Button, ...]]:
    """The bright buttons, the end of the turn, and the doors to everything else."""
    view = look.view
    gms = [one for one in look.offers if look.is_gms(one.follow_up)]
    first = [one for one in look.bright if not look.is_gms(one.follow_up)]
    if look.waits:  # an answer comes first, where the board itself has it
        first = [one for one in look.offers if _is_answer(look, one)]
    ends = [one for one in look.ends if not look.is_gms(one.follow_up)]
    buttons = [_button(look, one, Prominence.MAIN) for one in first[:MOST_BRIGHT]]
    joins = [one for one in look.offers if one.follow_up.procedure == JOIN and not view.has_begun]
    buttons += [_button(look, one, Prominence.MAIN) for one in joins]
    starts = not view.has_begun and not joins  # everybody is in
    buttons += [_button(look, one, Prominence.MAIN if starts else Prominence.PLAIN) for one in ends]
    buttons.append(Button(id=press_id("fightrest", look.campaign), label="More …"))
    is_gms_turn = view.has_begun and bool(gms) and not first
    gm_look = Prominence.MAIN if is_gms_turn else Prominence.PLAIN
    buttons.append(Button(id=press_id("fightgm", look.campaign), label="GM …", look=gm_look))
    yield from rows_of(buttons)


def _is_answer(look: Look, one: Offer) -> bool:
    """Whether an offer is a player's answer to what waits; what ends a turn and menus are not."""
    known = {JOIN, *(end.follow_up.procedure for end in look.ends)}
    is_theirs = not look.is_gms(one.follow_up) and one.follow_up.character is not None
    return is_theirs and one.follow_up.procedure not in known and not one.follow_up.choices


def page_rows(look: Look, page: str) -> Iterator[Block]:
    """Everything that a fight offers to players, or to its GM, on a private page."""
    for_gm = page == GMS
    offers = [one for one in look.offers if look.is_gms(one.follow_up) is for_gm]
    bright = [one for one in look.bright if look.is_gms(one.follow_up) is for_gm]
    selects = [one for one in offers if one.follow_up.choices][:MOST_SELECTS]
    buttons = [_button(look, one, Prominence.MAIN, page) for one in bright]
    keys = {one.key for one in bright}
    buttons += [
        _button(look, one, Prominence.PLAIN, page)
        for one in offers
        if not one.follow_up.choices and one.key not in keys
    ]
    yield from (_select(look, one, page) for one in selects)
    if for_gm:
        yield from (_same_kind_select(look, one) for one in look.same_kind[: MOST_SELECTS - len(selects)])
    else:
        buttons = [*buttons[: MOST_BUTTONS - 1], controls_button()]
    yield from rows_of(buttons[:MOST_BUTTONS], IN_ROW)


def fight_blocks(look: Look, room: int | None = None, people: str = "") -> list[Block]:
    """What a fight looks like, in so many lines of a phone, or in as many as it takes.

    Args:
        people: The mentions of those whose turn it is, where they are shown.
    """
    view = look.view
    head = [f"### {escape(view.on)}", f"-# {listed((escape(view.title), people))}"]
    waits = [
        f"**{'Also' if at else 'First'}:** {escape(one)}" for at, one in enumerate(look.waits[:MOST_WAITS])
    ]
    top = "\n".join([*head, *waits])
    is_drawn = view.ground is not None and len(view.ground.regions) >= LEAST_REGIONS
    picture = ground_picture(view.ground) if view.ground and is_drawn else None
    ground = [view.ground.alt] if view.ground and view.lines and picture is None else []
    notes = [*ground, *view.notes]
    told = _without_places(view) if picture is not None else view
    lines = _fighters(told) if room is None else _short(told, room - height((top, *notes)))
    shown = shorten("\n".join(lines), LONGEST_TEXT) if lines else "Nobody has joined yet."
    blocks: list[Block] = [top, shown]
    if picture is not None:
        blocks.append(picture)
    if notes:
        blocks.append("\n".join(f"-# {escape(note)}" for note in notes))
    return blocks


def _without_places(view: EncounterView) -> EncounterView:
    """The fight without the regions behind the combatants' names: the ground that is drawn shows them."""
    drawn = {region.title for region in view.ground.regions} if view.ground else set()
    lines = (replace(one, facts=tuple(fact for fact in one.facts if fact not in drawn)) for one in view.lines)
    return replace(view, lines=tuple(lines))


def _fighters(view: EncounterView) -> list[str]:
    """Each combatant with every fact."""
    return [_line(one, one.facts) for one in view.lines]


def _short(view: EncounterView, room: int) -> list[str]:
    """A line for each combatant, two for who is on and where none of the facts fits into one.

    If they are too many, from the one who is on.
    """
    lines = [_short_line(one) for one in view.lines]
    if len(lines) <= room:
        told = zip(view.lines, lines, strict=True)
        longer = [_short_line(one, 2) if one.is_on or line == _line(one, ()) else line for one, line in told]
        return longer if height(longer) <= room else lines
    on = next((number for number, one in enumerate(view.lines) if one.is_on), 0)
    turned = [*lines[on:], *lines[:on]]
    kept = as_many((MORE,), turned, room)
    return [*turned[:kept], MORE.format(len(turned) - kept)] if kept else lines


@lru_cache(maxsize=LINES_KEPT)
def _short_line(one: FighterLine, most: int = 1) -> str:
    """One combatant with the facts that fit into so many lines; a long name makes room for the health."""
    short = replace(one, name=shorten(one.name, SHORT_NAME))
    first = _fitting(short, one.facts[:WITH_HEALTH], most)
    lengths = range(len(one.name), SHORT_NAME, -1)
    names = (replace(one, name=shorten(one.name, longest)) for longest in lengths)
    named = next((longer for longer in names if height([_line(longer, first)]) <= most), short)
    return _line(named, _fitting(named, [*first, *one.facts[WITH_HEALTH:]], most))


def _fitting(one: FighterLine, facts: Sequence[str], most: int) -> list[str]:
    """The facts that fit into so many lines; where one does not, a later one may."""
    kept: list[str] = []
    for fact in facts:
        if height([_line(one, [*kept, fact])]) <= most:
            kept.append(fact)
    return kept


def _line(one: FighterLine, facts: Sequence[str]) -> str:
    """One combatant: a turn marker, their name and their state."""
    name = f"▶ **{escape(one.name)}**" if one.is_on else escape(one.name)
    return listed([name, *map(escape, facts), "done" if one.has_acted else ""])


def _button(look: Look, one: Offer, prominence: Prominence, page: str = "") -> Button:
    label = one.follow_up.label.removesuffix(GM_MARK) if page == GMS else one.follow_up.label
    return Button(
        id=press_id("fight", look.campaign, one.key, *([page] if page else [])),
        label=plain(label, 80),
        look=prominence,
    )


def _select(look: Look, one: Offer, page: str = "") -> Select:
    return Select(
        id=press_id("fight", look.campaign, one.key, *([page] if page else [])),
        prompt=plain(one.follow_up.label, 150),
        choices=one.follow_up.choices[:IN_MENU],
    )


def _same_kind_select(look: Look, one: SameKindOffer) -> Select:
    return Select(
        id=press_id("kin", look.campaign, one.key),
        prompt=plain(one.follow_up.label, 150),
        choices=one.follow_up.choices[:IN_MENU],
    )


def over_reply() -> Reply:
    """The board of a finished fight."""
    return Reply(
        blocks=("### The fight is over", "-# Everything that happened is in /log."), accent=Accent.BOARD
    )


def gm_blocks(view: EncounterView) -> list[Block]:
    """The blocks that only the GM reads."""
    lines = [
        listed([escape(one.name), *(escape(secret) for secret in one.secrets)])
        for one in view.lines
        if one.secrets
    ]
    lines += [
        listed([f"{escape(one.name)}, hidden", *(escape(fact) for fact in (*one.facts, *one.secrets))])
        for one in view.hidden
    ]
    lines += [escape(secret) for secret in view.secrets]
    text = shorten("\n".join(lines), LONGEST_TEXT // 2)
    return [f"**Hidden from players**\n{text}"] if lines else []
