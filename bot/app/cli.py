"""The command line of `tablekeeper`: its commands, errors and exit codes.

Everything heavy is imported inside the commands, so that ``--help`` answers at once.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.app.exits import MEANINGS, ConfigError, Exit, Unavailable
from bot.app.pace import STANDARD, Pace

if TYPE_CHECKING:
    from bot.app.config import Settings

# Looking for garbage takes less than one percent of the time with these; with Python's own it takes six.
COLLECTING = (20_000, 50, 100)
EXIT_CODES = "Exit codes: " + " · ".join(f"{code.value} {meaning}" for code, meaning in MEANINGS.items())

app = typer.Typer(
    name="tablekeeper",
    help="Keeps the table for small, home-grown tabletop games: a Discord bot and a playground.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Settings file (TOML); default: ./config.toml, if it exists. "
        "TABLEKEEPER_<SECTION>__<KEY> in the environment overrides it.",
    ),
]


@dataclass(frozen=True, slots=True)
class _Given:
    """What stands before the command, and what whoever started the program gave it."""

    config: Path | None
    pace: Pace


@app.callback()
def _program(context: typer.Context, config: ConfigFile = None) -> None:
    context.obj = _Given(config, context.obj or STANDARD)


@app.command(epilog=EXIT_CODES)
def run(context: typer.Context, config: ConfigFile = None) -> None:
    """Connect to Discord and keep the table until stopped (Ctrl-C or SIGTERM)."""
    import asyncio

    from bot.app import logs
    from bot.app.config import discord_token

    settings = _settings(context, config)
    token = discord_token(settings)
    logs.configure(settings.log, secret=token.get_secret_value())
    with _kept_for_good():
        from bot.app.serve import serve_until_signalled

    asyncio.run(serve_until_signalled(settings, token, context.obj.pace))


@app.command(epilog=EXIT_CODES)
def play(
    context: typer.Context,
    config: ConfigFile = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port of the page (default: the setting playground.port)."),
    ] = None,
    is_opened: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    is_fresh: Annotated[
        bool, typer.Option("--fresh", help="Start with an empty playground; the old one is set aside.")
    ] = False,
) -> None:
    """Play on this machine: a local Discord, its page in the browser, and the real bot. Needs no account."""
    import asyncio

    settings = _settings(context, config)
    from bot.playground.start_play import PlayOptions, play

    options = PlayOptions(
        port=settings.playground.port if port is None else port,
        database_url=settings.playground.database,
        config=config or context.obj.config,
        is_opened=is_opened,
        is_fresh=is_fresh,
    )
    asyncio.run(play(options, typer.echo))


@app.command(epilog=EXIT_CODES)
def verify(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", exists=True, dir_okay=False, readable=True, help="An exported journal."
        ),
    ],
    config: ConfigFile = None,
) -> None:
    """Check an exported journal: every die against its seed, every outcome against the rules."""
    from bot.table.journal.verify import verify as verify_journal

    report = verify_journal(file)
    for line in report.sentences:
        typer.echo(line)
    if not report.follows:
        raise typer.Exit(Exit.FOUND_WRONG)


@app.command(epilog=EXIT_CODES)
def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="The file to create.")],
    config: ConfigFile = None,
    *,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace FILE if it exists.")] = False,
) -> None:
    """Copy the database as it is at this moment; the bot may go on meanwhile. PostgreSQL's with pg_dump."""
    database = _settings(context, config).database
    from bot.store.backup import backup as back_up

    with _about_the_database():
        back_up(database.direct_url or database.url, file, overwrite=overwrite)
    typer.echo(f"Copied to {file}.")


@app.command(epilog=EXIT_CODES)
def restore(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, readable=True, help="The backup.")
    ],
    config: ConfigFile = None,
) -> None:
    """Put a backup in the database's place, once it has been checked. Stop the bot first."""
    url = _settings(context, config).database.url
    from bot.store.backup import restore as put_back

    with _about_the_database():
        kept = put_back(file, url)
    typer.echo(f"Restored from {file}." + (f" What was there before is now {kept}." if kept else ""))


@app.command(epilog=EXIT_CODES)
def copy(
    source: Annotated[
        str, typer.Argument(metavar="FROM", help='The database to copy, as "database.url" names it.')
    ],
    target: Annotated[str, typer.Argument(metavar="TO", help="An empty one, of the same engine or another.")],
) -> None:
    """Copy everything into another database, and check the copy. Stop the bot first.

    If it is stopped halfway, the same command continues it.
    """
    from bot.store.copying.copy_database import copy_database
    from bot.table.journal.verify import replay_journals

    try:
        with _about_the_database():
            copy_database(source, target, typer.echo, replay_journals)
    except KeyboardInterrupt:
        _end(Exit.FOUND_WRONG, "tablekeeper: stopped; run the same command again to continue.")
    typer.echo("Done. Change database.url before you start the bot.")


@app.command(epilog=EXIT_CODES)
def doctor(context: typer.Context, config: ConfigFile = None) -> None:
    """Look at settings, database, token, Discord and clock, and say what to do about each problem."""
    import asyncio

    settings = _settings(context, config)
    from bot.app.doctor import findings

    async def are_all_well() -> bool:
        are_well = []
        async for finding in findings(settings, config or context.obj.config):
            typer.echo(finding)
            are_well.append(finding.is_well)
        return all(are_well)

    if not asyncio.run(are_all_well()):
        raise typer.Exit(Exit.FOUND_WRONG)


@app.command(epilog=EXIT_CODES)
def game(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="The game's file.")
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME=VALUE]...", help="Answers to the check's questions, or of the sheet."),
    ] = None,
    is_json: Annotated[bool, typer.Option("--json", help="Answer for machines.")] = False,
    ask: Annotated[
        str, typer.Option("--ask", metavar="CHECK", help="The exact chances of one check or move.")
    ] = "",
    sheet: Annotated[
        list[str] | None,
        typer.Option("--sheet", metavar="NAME=VALUE", help="What differs from an average character."),
    ] = None,
    seed: Annotated[
        str, typer.Option("--roll", metavar="SEED", help="Roll it, with dice that follow from this text.")
    ] = "",
    buttons: Annotated[
        list[str] | None, typer.Option("--press", metavar="LABEL", help="Press a button under the roll.")
    ] = None,
    event: Annotated[
        str, typer.Option("--event", metavar="NAME", help='What an event does: "session end", "rest" …')
    ] = "",
) -> None:
    """Check the file of a game of your own; show an average character and exact chances, or try a roll."""
    from bot.app.game_questions import GameQuestion, answer_about

    question = GameQuestion(ask, tuple(sheet or ()), tuple(words or ()), seed, tuple(buttons or ()), event)
    lines, is_well = answer_about(file, question, is_json=is_json)
    for line in lines:
        typer.echo(line)
    if not is_well:
        raise typer.Exit(Exit.FOUND_WRONG)


@contextmanager
def _about_the_database() -> Iterator[None]:
    """Turn the store's errors about files into lines and exit codes."""
    from bot.store.store_errors import BackupRefused, CopyRefused, StoreUnavailable

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


def _settings(context: typer.Context, config: Path | None) -> "Settings":
    from bot.app.config import load

    file: Path | None = config or context.obj.config
    return load(file)


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
    except Exception as error:
        import traceback

        traceback.print_exc()
        _end(Exit.INTERNAL, f"tablekeeper: this is a bug: {type(error).__name__}: {error}")


def _end(code: Exit, *lines: str) -> None:
    for line in lines:
        typer.echo(line, err=True)
    sys.exit(code)


def main(pace: Pace = STANDARD) -> None:
    """Run the program."""
    with _ending():
        app(obj=pace)
