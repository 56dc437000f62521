"""The command line of `tablekeeper`: its commands, errors and exit codes."""

import json
import os
import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from bot.app.config import MEANINGS, ConfigError, Exit, Unavailable
from bot.app.pace import STANDARD, Pace
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.own.expressions import NoAmount
from bot.rules.own.game_file import MOST_BYTES
from bot.rules.own.game_parts import OwnGame
from bot.rules.own.game_problems import GameProblem
from bot.rules.own.game_report import (
    answered,
    asked,
    checked_game,
    happened,
    overview,
    problem_lines,
    problems_as_json,
    rolled,
    summary,
)
from bot.rules.own.reading_odds import TooMuchToCount

if TYPE_CHECKING:
    from bot.app.config import Settings


class GameQuestion(Struct, frozen=True):
    """What is asked, in the words of the command line."""

    check: str  # the check or move, or nothing
    sheet: tuple[str, ...]  # of the sheet, each "name=value"
    words: tuple[str, ...]  # answers or of the sheet, likewise
    seed: str  # what the dice of a roll follow from, or nothing
    buttons: tuple[str, ...]  # the buttons to press under it
    event: str  # the event that happens, or nothing


def answer_about(file: Path, question: GameQuestion, *, is_json: bool) -> tuple[Sequence[str], bool]:
    """The lines to print, and whether all is well.

    Args:
        question: What is asked.
        is_json: Whether machines read it.
    """
    with file.open("rb") as opened:
        text = opened.read(MOST_BYTES + 1)
    game, problems = checked_game(text)
    if game is None:
        return _told(problems, is_json=is_json), False
    try:
        return list(_answer(game, question, is_json=is_json)), True
    except UserError as error:
        said = " ".join(error.sentences)
    except (NoAmount, TooMuchToCount) as error:
        said = f"That can't be reckoned: something {error}."
    return _told([GameProblem(None, "--ask" if question.check else "", said)], is_json=is_json), False


def _told(problems: Sequence[GameProblem], *, is_json: bool) -> Sequence[str]:
    if is_json:
        return [json.dumps({"problems": problems_as_json(problems), "checks": {}}, ensure_ascii=False)]
    return list(problem_lines(problems))


def _answer(game: OwnGame, question: GameQuestion, *, is_json: bool) -> Sequence[str]:
    found = asked(game, question.check, question.sheet, question.words)
    dice = FairDice(sha256(question.seed.encode()).digest(), question.check or question.event)
    if question.event:
        return list(happened(game, question.event, found, dice))
    if question.seed and question.check:
        return list(rolled(game, found, question.buttons, dice))
    if question.check:
        answer = answered(game, found)
    elif is_json:
        answer = {"problems": [], "checks": summary(game, found)}
    else:
        return list(overview(game, found))
    return [json.dumps(answer, ensure_ascii=False)]


# Looking for garbage takes about one percent of the time with these, and little of it waits in memory.
COLLECTING = (5_000, 10, 10)
EXIT_CODES = "Exit codes: " + " · ".join(f"{code.value} {meaning}" for code, meaning in MEANINGS.items())
ABOUT = "Keeps the table for small, home-grown tabletop games: a Discord bot and a playground."
HIGHEST_PORT = 65535


def run(given: Namespace) -> None:
    """Connect to Discord and keep the table until stopped (Ctrl-C or SIGTERM)."""
    import asyncio

    from bot.app import logs
    from bot.app.config import discord_token

    settings = _settings(given)
    token = discord_token(settings)
    logs.configure(settings.log, secret=token.get_secret_value())
    with _kept_for_good():
        from bot.app.serve import serve_until_signalled

    asyncio.run(serve_until_signalled(settings, token, given.pace))


def play(given: Namespace) -> None:
    """Play on this machine: a local Discord, its page in the browser, and the real bot. Needs no account."""
    import asyncio

    settings = _settings(given)
    from bot.playground.start_play import PlayOptions, play

    options = PlayOptions(
        port=settings.playground.port if given.port is None else given.port,
        database_url=settings.playground.database,
        config=given.config,
        is_opened=given.open,
        is_fresh=given.fresh,
    )
    asyncio.run(play(options, _say))


def verify(given: Namespace) -> None:
    """Check an exported journal: every die against its seed, every outcome against the rules."""
    from bot.table.journal.verify import verify as verify_journal

    report = verify_journal(given.file)
    for line in report.sentences:
        _say(line)
    if not report.follows:
        sys.exit(Exit.FOUND_WRONG)


def backup(given: Namespace) -> None:
    """Copy the database as it is at this moment; the bot may go on meanwhile. PostgreSQL's with pg_dump."""
    database = _settings(given).database
    from bot.store.backup import backup as back_up

    with _about_the_database():
        back_up(database.direct_url or database.url, given.file, overwrite=given.overwrite)
    _say(f"Copied to {given.file}.")


def restore(given: Namespace) -> None:
    """Put a backup in the database's place, once it has been checked. Stop the bot first."""
    url = _settings(given).database.url
    from bot.store.backup import restore as put_back

    with _about_the_database():
        kept = put_back(given.file, url)
    _say(f"Restored from {given.file}." + (f" What was there before is now {kept}." if kept else ""))


def copy(given: Namespace) -> None:
    """Copy everything into another database, and check the copy. Stop the bot first.

    If it is stopped halfway, the same command continues it.
    """
    from bot.store.copying import copy_database
    from bot.table.journal.verify import replay_journals

    try:
        with _about_the_database():
            copy_database(given.source, given.target, _say, replay_journals)
    except KeyboardInterrupt:
        _end(Exit.FOUND_WRONG, "tablekeeper: stopped; run the same command again to continue.")
    _say("Done. Change database.url before you start the bot.")


def doctor(given: Namespace) -> None:
    """Look at settings, database, token, Discord and clock, and say what to do about each problem."""
    import asyncio

    settings = _settings(given)
    from bot.app.doctor import findings

    async def are_all_well() -> bool:
        are_well = []
        async for finding in findings(settings, given.config):
            _say(str(finding))
            are_well.append(finding.is_well)
        return all(are_well)

    if not asyncio.run(are_all_well()):
        sys.exit(Exit.FOUND_WRONG)


def game(given: Namespace) -> None:
    """Check the file of a game of your own; show an average character and exact chances, or try a roll."""
    question = GameQuestion(
        given.ask, tuple(given.sheet), tuple(given.words), given.roll, tuple(given.press), given.event
    )
    lines, is_well = answer_about(given.file, question, is_json=given.json)
    for line in lines:
        _say(line)
    if not is_well:
        sys.exit(Exit.FOUND_WRONG)


def parser() -> ArgumentParser:
    """Return what reads the command line."""
    config = ArgumentParser(add_help=False)
    config.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        default=SUPPRESS,  # a command without it leaves what stands before the command
        help="settings file (TOML); default: ./config.toml, if it exists; "
        "TABLEKEEPER_<SECTION>__<KEY> in the environment overrides it",
    )
    program = ArgumentParser("tablekeeper", description=ABOUT, epilog=EXIT_CODES, parents=[config])
    commands = program.add_subparsers(metavar="COMMAND", required=True)

    def command(do: Callable[[Namespace], None]) -> ArgumentParser:
        about = (do.__doc__ or "").replace("%", "%%")
        summary = about.partition("\n")[0]
        added = commands.add_parser(
            do.__name__, help=summary, description=about, epilog=EXIT_CODES, parents=[config]
        )
        added.set_defaults(do=do)
        return added

    command(run)
    playing = command(play)
    playing.add_argument("--port", type=_port, help="port of the page (default: the setting playground.port)")
    playing.add_argument("--open", action="store_true", help="open the page in the browser")
    playing.add_argument(
        "--fresh", action="store_true", help="start with an empty playground; the old one is set aside"
    )
    command(verify).add_argument("file", metavar="FILE", type=_file, help="an exported journal")
    backing_up = command(backup)
    backing_up.add_argument("file", metavar="FILE", type=_no_folder, help="the file to create")
    backing_up.add_argument("--overwrite", action="store_true", help="replace FILE if it exists")
    command(restore).add_argument("file", metavar="FILE", type=_file, help="the backup")
    copying = command(copy)
    copying.add_argument("source", metavar="FROM", help='the database to copy, as "database.url" names it')
    copying.add_argument("target", metavar="TO", help="an empty one, of the same engine or another")
    command(doctor)
    gaming = command(game)
    gaming.add_argument("file", metavar="FILE", type=_file, help="the game's file")
    gaming.add_argument(
        "words", metavar="NAME=VALUE", nargs="*", help="answers to the check's questions, or of the sheet"
    )
    gaming.add_argument("--json", action="store_true", help="answer for machines")
    gaming.add_argument("--ask", metavar="CHECK", default="", help="the exact chances of one check or move")
    gaming.add_argument(
        "--sheet",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="what differs from an average character",
    )
    gaming.add_argument(
        "--roll", metavar="SEED", default="", help="roll it, with dice that follow from this text"
    )
    gaming.add_argument(
        "--press", metavar="LABEL", action="append", default=[], help="press a button under the roll"
    )
    gaming.add_argument(
        "--event", metavar="NAME", default="", help='what an event does: "session end", "rest" …'
    )
    return program


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > HIGHEST_PORT:
        raise ArgumentTypeError(f"a port is a number from 0 to {HIGHEST_PORT}, not {text!r}")
    return int(text)


def _no_folder(text: str) -> Path:
    if Path(text).is_dir():
        raise ArgumentTypeError(f"{text} is a folder")
    return Path(text)


def _file(text: str) -> Path:
    file = _no_folder(text)
    if not file.exists():
        raise ArgumentTypeError(f"{text} does not exist")
    return file


@contextmanager
def _about_the_database() -> Iterator[None]:
    """Turn the store's errors about files into lines and exit codes."""
    from bot.store.connection import BackupRefused, CopyRefused, StoreUnavailable

    try:
        yield
    except (BackupRefused, CopyRefused) as error:
        _end(Exit.FOUND_WRONG, f"tablekeeper: {error}")
    except StoreUnavailable as error:
        raise Unavailable(error.reason) from None


@contextmanager
def _kept_for_good() -> Iterator[None]:
    """Exclude what is loaded inside the context from garbage collection; collect less often afterwards."""
    import gc

    gc.disable()
    yield
    gc.freeze()
    gc.set_threshold(*COLLECTING)
    gc.enable()


def _settings(given: Namespace) -> "Settings":
    from bot.app.config import load

    return load(given.config)


@contextmanager
def _ending() -> Iterator[None]:
    """Turn errors into lines on standard error and an exit code."""
    try:
        yield
    except ConfigError as error:
        _end(Exit.CONFIG, *error.lines)
    except Unavailable as error:
        _end(Exit.UNAVAILABLE, f"tablekeeper: {error}")
    except KeyboardInterrupt:
        _end(Exit.OK)
    except BrokenPipeError:  # whoever reads the lines has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _end(Exit.FOUND_WRONG)
    except Exception as error:
        import traceback

        traceback.print_exc()
        _end(Exit.INTERNAL, f"tablekeeper: this is a bug: {type(error).__name__}: {error}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _end(code: Exit, *lines: str) -> None:
    for line in lines:
        sys.stderr.write(f"{line}\n")
    sys.exit(code)


def main(pace: Pace = STANDARD, words: Sequence[str] | None = None) -> None:
    """Run the program.

    Args:
        words: The command line; by default that of the process.
    """
    program = parser()
    given = Namespace(config=None, words=[], pace=pace)
    _, more = program.parse_known_args((sys.argv[1:] if words is None else words) or ["--help"], given)
    if more and (given.do is not game or any(word.startswith("-") for word in more)):
        program.error(f"unknown: {' '.join(more)}")
    given.words += more  # Python 3.11 leaves over what follows an option
    with _ending():
        given.do(given)
