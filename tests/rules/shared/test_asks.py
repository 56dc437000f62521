"""What a GM may call for, in every game: each is there, and what is offered for it is taken."""

import pytest

from bot.rules import rulesets
from bot.rules.kernel import RequestableCheck, Ruleset
from bot.rules.kernel.errors import UserError

GAMES = rulesets()
ASKS = [pytest.param(game, ask, id=f"{key}-{ask.title}") for key, game in GAMES.items() for ask in game.asks]


@pytest.mark.parametrize("key", GAMES)
def test_no_two_checks_of_a_game_have_the_same_name(key: str) -> None:
    titles = [ask.title.casefold() for ask in GAMES[key].asks]

    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(("game", "ask"), ASKS)
def test_every_offered_name_is_accepted_by_its_check(game: Ruleset, ask: RequestableCheck) -> None:
    procedure, settings = game.procedures[ask.procedure], game.settings()
    names, difficulties = list(ask.names(None, settings)), list(ask.difficulties(None, settings))
    assert bool(names) == bool(ask.what or ask.read) or ask.what == "obstacle"  # the GM adds obstacles
    assert bool(difficulties) == bool(ask.difficulty)
    assert not procedure.gm_only

    for what in names or ([""] if not (ask.what or ask.read) else ["8"]):
        for difficulty in difficulties or [""]:
            procedure.options.model_validate(ask.options(what, difficulty))


@pytest.mark.parametrize(("game", "ask"), ASKS)
def test_missing_and_unknown_options_are_named(game: Ruleset, ask: RequestableCheck) -> None:
    asks_what = bool(ask.what or ask.read)
    with pytest.raises(UserError, match="needs to know what" if asks_what else "takes no further detail"):
        ask.options("" if asks_what else "Rope", "")
    if not ask.difficulty:
        with pytest.raises(UserError, match="has no difficulty of its own"):
            ask.options("x" if asks_what else "", "3")
    if ask.needs_difficulty:
        with pytest.raises(UserError, match="needs a difficulty"):
            ask.options("x", "")
    if ask.read is not None:
        with pytest.raises(UserError):
            ask.read("Nonsense")
    assert game.procedures[ask.procedure]
