"""Acts for tests: what is offered, and doing all of it as a press does."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bot.rules.kernel import Character, CharacterId, FollowUp, Outcome, PersonId, Ruleset, Scene
from bot.rules.kernel.acts import Act, ActGroup
from bot.table.base.typed_options import read_blank, read_choice
from tests.rules.playing import check_button


class CyclingDice:
    """Dice that fall 2, 3, 4 and so on, round and round."""

    def __init__(self) -> None:
        self._rolled = 0

    def roll(self, sides: int) -> int:
        self._rolled += 1
        return self._rolled % sides + 1


def acting(scene: Scene[Any, Any], who: Character[Any]) -> Scene[Any, Any]:
    """The scene as somebody's player has it."""
    person = PersonId(0) if who.owner is None else who.owner
    return replace(scene, actor_id=who.id, person=person, is_gm=False, moment="9999")


def known(scene: Scene[Any, Any], *ids: CharacterId) -> Scene[Any, Any]:
    """The scene with characters loaded, as the sheet has them."""
    return replace(scene, characters={**scene.characters, **{id_: scene.character(id_) for id_ in ids}})


def labels(acts: tuple[Act, ...], group: ActGroup) -> list[str]:
    """What the acts of a group say."""
    return [act.do.label for act in acts if act.group is group]


def labelled(acts: tuple[Act, ...], start: str) -> Act:
    """The only act whose label starts so."""
    (found,) = [act for act in acts if act.do.label.startswith(start)]
    return found


def done(
    game: Ruleset, scene: Scene[Any, Any], act: Act, choose: str | None = None, **more: str
) -> Outcome[Any]:
    """What comes of an act, chosen and filled in as a press does it."""
    procedure = game.procedures[act.do.procedure]
    options: dict[str, Any] = act.do.options.model_dump()
    options |= {blank.key: read_blank(procedure.options, blank.key, more) for blank in act.do.blanks}
    options |= {key: value for key, value in more.items() if key not in options or key in act.adjusts}
    if choose is not None:
        assert choose in {choice.value for choice in act.do.choices}
        options[act.do.chosen] = read_choice(procedure.options, act.do.chosen, choose)
    return procedure.run(scene, procedure.options.model_validate(options), CyclingDice())


def do_everything(game: Ruleset, scene: Scene[Any, Any], written: dict[str, str]) -> tuple[Act, ...]:
    """Do every act that is offered to the acting character, each from the same scene.

    Args:
        game: The ruleset.
        scene: The scene.
        written: What is written into fields, by their key.
    """
    acts = game.acts(scene)
    assert len(acts) <= 120
    for group in ActGroup:
        assert len([act for act in acts if act.group is group and act.why_not]) <= 2
    for act in acts:
        procedure = game.procedures[act.do.procedure]
        check_button(game, act.do)
        assert act.do.character == scene.actor_id
        assert not procedure.gm_only
        assert set(act.adjusts) <= set(procedure.options.model_fields)
        assert all(len(title) <= 40 for title in act.adjusts.values())
        for choice in () if act.why_not else _choices(act.do):
            text = {blank.key: written[blank.key] for blank in act.do.blanks}
            done(game, scene, act, choice, **text)
    return acts


def _choices(follow_up: FollowUp) -> Iterator[str | None]:
    if not follow_up.choices:
        yield None
    yield from (choice.value for choice in follow_up.choices)
