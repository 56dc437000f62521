"""Doing what a character's sheet offers: every act goes through its procedure."""

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from msgspec.structs import replace

from bot.rules.kernel import (
    Act,
    Audience,
    CharacterId,
    Document,
    FollowUp,
    Outcome,
    PersonId,
    Procedure,
    Ruleset,
    Scene,
    TextField,
)
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.procedures import ActGroup, acts_in, groups_and_due
from bot.table.base.typed_options import read_choice

Step = Callable[[], tuple[Scene, CharacterId]]
MIDDLE = 0.5  # where dice fall that are neither low nor high
MOST_ACTS, MOST_REASONS = 100, 2


@dataclass
class SteadyDice:
    """Dice that always fall on the face at one place of all faces: 0 is the lowest, 1 the highest."""

    place: float

    def roll(self, sides: int) -> int:
        """The face at that place."""
        return 1 + round(self.place * (sides - 1))


def acts_of(game: Ruleset, scene: Scene, who: CharacterId, *, for_gm: bool = False) -> tuple[Act, ...]:
    """What a character's own player is offered, or a GM to do to it."""
    played = _as_played(scene, who, for_gm=for_gm)
    if for_gm:
        return game.gm_acts(played)
    parts = game.acts(played)
    found = tuple(acts_in(parts))
    groups, due = groups_and_due(parts)
    assert groups == {act.group for act in found}
    assert due == tuple(act for act in found if act.is_due)
    for part in parts:
        made = {act.group for act in part.made()}
        assert made == part.groups if part.is_certain else made <= part.groups
    return found


def labels_of(game: Ruleset, scene: Scene, who: CharacterId) -> list[str]:
    """The labels of everything a character can do now."""
    return [act.do.label for act in acts_of(game, scene, who) if not act.why_not]


def labels_in(acts: tuple[Act, ...], group: ActGroup) -> list[str]:
    """What the acts of a group say."""
    return [act.do.label for act in acts if act.group is group]


def told(act: Act) -> str:
    """An act in a line: label, menu, questions, ! quick ones, ± settings, → what it does, ✗ why it can't."""
    do = act.do
    menu = " · ".join(f"{one.label} ({one.note})" if one.note else one.label for one in do.choices)
    asked = [f"{blank.prompt} {_limits(blank)}" for blank in do.blanks]
    values = {key: f" ({', '.join(one.label for one in found)})" for key, found in act.values.items()}
    set_before = ", ".join(f"{key}{values.get(key, '')}" for key in act.adjusts)
    options = do.options.model_dump(mode="json", exclude_defaults=True)
    does = " ".join(f"{key}={value}" for key, value in options.items())
    quick = " · ".join(one.label for one in act.quick)
    parts = (do.label, menu, *asked, f"! {quick}" if quick else "", f"± {set_before}" if set_before else "")
    ends = f"✗ {act.why_not}" if act.why_not else f"→ {do.procedure} {does}".rstrip()
    return " | ".join([*(part for part in parts if part), ends])


def _limits(blank: TextField) -> str:
    """What a question takes: so many of a menu's entries, or so many characters."""
    optional = "" if blank.is_required else ", or nothing"
    if blank.choices:
        return f"({blank.most} of{optional}): {' · '.join(one.label for one in blank.choices)}"
    return f"({blank.longest} characters{optional})"


def menus_of(game: Ruleset, scene: Scene, who: CharacterId) -> list[str]:
    """What is shown of a character and of its fight, and all that it, a GM and the board are offered."""
    return [
        *_shown(game, scene, who),
        *(f"{act.group}: {told(act)}" for act in acts_of(game, scene, who)),
        *(f"GM, {act.group}: {told(act)}" for act in acts_of(game, scene, who, for_gm=True)),
        *(
            f"Board: {told(Act(group=ActGroup.FIGHT, do=one))}"
            for one in (game.tracker.choices(scene) if game.tracker else ())
        ),
    ]


def _shown(game: Ruleset, scene: Scene, who: CharacterId) -> list[str]:
    character, settings = scene.character(who), scene.settings
    health, fight = game.health(character, settings), game.tracker and game.tracker.view(scene)
    sheet = [f"{one.title}, {line}" for one in game.describe(character, settings) for line in one.lines]
    shown = [f"Glance: {game.glance(character, settings).words}"]
    shown.append(f"Health: {', '.join(health.numbers)}, looks {health.looks or 'well'}")
    if fight:
        shown.append(f"Fight: {' · '.join((fight.title, fight.on, *fight.notes))}")
        shown += [f"Fight, {one.name}: {', '.join(filter(None, one.facts))}" for one in fight.lines]
    return [*sheet, *shown]


def _steps_of(game: Ruleset, steps: Mapping[str, Step]) -> dict[str, dict[str, list[str]]]:
    """What each step adds to what is offered, and what it takes away, by its label."""
    before: list[str] = []
    found = {}
    for name, step in steps.items():
        now = menus_of(game, *step())
        gone = [line.partition(" | ")[0] for line in before if line not in now]
        found[name] = {"gone": gone, "new": [line for line in now if line not in before]}
        before = now
    return found


def check_menus(file: Path, game: Ruleset, steps: Mapping[str, Step]) -> None:
    """Compare what is offered, step by step, with a file; ``python -m tests.rules.offers`` writes it."""
    approved = tomllib.loads(file.read_text("utf-8"))
    found = _steps_of(game, steps)
    assert list(approved) == list(found)
    for name, step in found.items():
        assert step == approved[name], name


def write_menus(file: Path, game: Ruleset, steps: Mapping[str, Step]) -> None:
    """Write what is offered now into a file, to be read before it is kept."""
    lines = []
    for name, step in _steps_of(game, steps).items():
        lines.append(f"[{json.dumps(name, ensure_ascii=False)}]")
        for key, entries in step.items():
            lines += [f"{key} = [", *(f"  {json.dumps(one, ensure_ascii=False)}," for one in entries), "]"]
        lines.append("")
    file.write_text("\n".join(lines), "utf-8")


def only_act(acts: tuple[Act, ...], start: str) -> Act:
    """The only act whose label begins so."""
    (found,) = [act for act in acts if act.do.label.startswith(start)]
    return found


def act_called(game: Ruleset, scene: Scene, who: CharacterId, label: str) -> Act:
    """The act whose label begins so."""
    found = [act for act in acts_of(game, scene, who) if act.do.label.startswith(label)]
    offered = ", ".join(act.do.label for act in acts_of(game, scene, who))
    assert found, f"{label!r} is not among: {offered}"
    return found[0]


def do_act(
    game: Ruleset, scene: Scene, who: CharacterId, act: Act, dice: Any, **options: Any
) -> Outcome[Scene]:
    """Do an act as the character's player, with these options set."""
    do = act.do
    procedure = game.procedures[do.procedure]
    read = {key: read_choice(procedure.options, key, value) for key, value in options.items()}
    chosen = procedure.options.model_validate({**do.options.model_dump(), **read})
    outcome: Outcome[Scene] = procedure.run(_as_played(scene, who, for_gm=_is_gms(act)), chosen, dice)
    return outcome


def _is_gms(act: Act) -> bool:
    return act.do.audience is Audience.GM


def _as_played(scene: Scene, who: CharacterId, *, for_gm: bool = False) -> Scene:
    owner = scene.character(who).owner or PersonId(int(who))
    return replace(scene, actor_id=who, is_gm=for_gm, person=owner, moment=f"{scene.moment}1")


def check_every_act(
    game: Ruleset,
    scene: Scene,
    who: CharacterId,
    written: Mapping[str, str] | None = None,
    *,
    for_gm: bool = False,
) -> set[str]:
    """Check what is offered to a character, and do all of it that is not greyed, each on the same scene.

    Args:
        game: The ruleset.
        scene: The scene.
        who: The character.
        written: What is written into fields, by key, where not any words will do.
        for_gm: Whether to check what a GM can do to the character instead.

    Returns:
        The procedures of all that was offered.
    """
    found = acts_of(game, scene, who, for_gm=for_gm)
    assert all(_is_gms(act) is for_gm for act in found)
    assert len(found) <= MOST_ACTS, f"{len(found)} acts"
    reasons = Counter(act.group for act in found if act.why_not)
    assert all(count <= MOST_REASONS for count in reasons.values()), reasons
    seen = Counter((act.group, act.do.label) for act in found)
    assert not [label for label, count in seen.items() if count > 1], "two acts look the same"
    told_apart = {(act.do.procedure, act.do.options.model_dump_json(), act.do.chosen) for act in found}
    assert len(told_apart) == len(found), "two acts do the same"
    for act in found:
        _check_form(game, act)
        if act.why_not:
            _assert_refused(game, scene, who, act)
        else:
            _do_all_ways(game, scene, who, act, written or {})
    return {act.do.procedure for act in found}


def _check_form(game: Ruleset, act: Act) -> None:
    do = act.do
    procedure = game.procedures[do.procedure]
    assert _is_gms(act) or not procedure.gm_only, do.label
    assert type(do.options) is procedure.options, do.label
    assert 0 < len(do.label) <= 80, do.label
    assert len(do.choices) <= 25, do.label
    assert not do.choices or do.chosen in procedure.options.model_fields
    assert all(1 <= len(one.value) <= 100 and 1 <= len(one.label) <= 100 for one in do.choices), do.label
    assert all(len(one.note) <= 100 for one in do.choices), do.label
    assert all(blank.key in procedure.options.model_fields for blank in do.blanks), do.label
    assert all(len(blank.prompt) <= 45 for blank in do.blanks), do.label
    for blank in (one for one in do.blanks if one.choices):
        assert len(blank.choices) <= 25, do.label
        assert all(1 <= len(one.value) <= 100 and 1 <= len(one.label) <= 100 for one in blank.choices)
    for name, title in act.adjusts.items():
        assert 0 < len(title) <= 40, title
        if name in act.values:
            preset, named = getattr(do.options, name), [one.value for one in act.values[name]]
            assert str(preset) in (named[:1] if isinstance(preset, str) else named), f"{do.label}: {name}"
            assert 2 <= len(act.values[name]) <= 25, f"{do.label}: {name}"
            continue
        assert _is_settable(procedure.options, name), f"{do.label}: {name}"


def _is_settable(model: type[Document], name: str) -> bool:
    """Whether an option is yes or no, one of a few words, or a number."""
    wanted = model.model_fields[name].annotation
    kinds = [one for one in get_args(wanted) if one is not NoneType] if _is_union(wanted) else [wanted]
    return all(
        get_origin(kind) is Literal or (isinstance(kind, type) and issubclass(kind, bool | int | StrEnum))
        for kind in kinds
    )


def _is_union(wanted: object) -> bool:
    return NoneType in get_args(wanted)


def _do_all_ways(game: Ruleset, scene: Scene, who: CharacterId, act: Act, written: Mapping[str, str]) -> None:
    do = act.do
    answers = {blank.key: _answered(blank, written) for blank in do.blanks}
    filled = {key: answer for key, answer in answers.items() if answer}
    ways: list[dict[str, Any]] = [{}, *({do.chosen: one.value} for one in do.choices)]
    fields = type(do.options).model_fields
    toggled = [{**ways[0], name: True} for name in act.adjusts if fields[name].annotation is bool]
    toggled += [{name: one.value} for name in act.adjusts for one in act.values.get(name, ())[-1:]]
    for place in (0.0, MIDDLE, 1.0):
        for way in (*ways, *(toggled if place == MIDDLE else ())):
            try:
                do_act(game, scene, who, act, SteadyDice(place), **filled, **way)
            except UserError as refusal:
                raise AssertionError(f"{do.label} {way} is offered, but: {refusal.what}") from refusal


def _answered(blank: TextField, written: Mapping[str, str]) -> str:
    """The answer to a question of a form: the first entry of a menu, otherwise what is to be written."""
    if blank.choices:
        return blank.choices[0].value
    return written.get(blank.key, "Something new" if blank.is_required else "")


def _assert_refused(game: Ruleset, scene: Scene, who: CharacterId, act: Act) -> None:
    try:
        do_act(game, scene, who, act, SteadyDice(0.5))
    except UserError:
        return
    raise AssertionError(f"{act.do.label} can be done, but it says: {act.why_not}")


Procedures = Mapping[str, Procedure[Any]]
GM = PersonId(99)
DICE = b"dice of buttons"


def check_gm_buttons(procedures: Procedures, scene: Scene, buttons: Iterable[FollowUp]) -> None:
    """Press every button of the GM's twice; the scene stays as it is."""
    for button in buttons:
        if button.audience is Audience.GM and not (button.rewinds or button.stays):
            _check(procedures, scene, button)


def _check(procedures: Procedures, scene: Scene, button: FollowUp) -> None:
    first = pressed(procedures, scene, button)
    if first is None:
        return
    assert first.deal == button.deal or not button.deal, f"{button.label}: outdated at once"
    second = pressed(procedures, first.scene, button)
    if second is None or (button.deal and second.deal != button.deal):
        return  # refused, with a sentence or as outdated
    assert second.headline == first.headline, f"{button.label}: something else the second time"


def pressed(procedures: Procedures, scene: Scene, button: FollowUp) -> Outcome | None:
    """What a press of the GM's comes to, with anything chosen and written; None where it is refused."""
    procedure = procedures[button.procedure]
    options: dict[str, Any] = button.options.model_dump()
    options |= {blank.key: "3" for blank in button.blanks}
    if button.choices:
        options[button.chosen] = _chosen(procedure.options, button)
    before = replace(scene, is_gm=True, person=GM, actor_id=button.character, moment=f"{scene.moment}0")
    try:
        return procedure.run(before, procedure.options.model_validate(options), FairDice(DICE, "1"))
    except UserError:
        return None


def _chosen(model: Any, button: FollowUp) -> Any:
    value = button.choices[0].value
    wanted = str(model.model_fields[button.chosen].annotation)
    return (int(value),) if "CharacterId" in wanted and "tuple" in wanted else value


if __name__ == "__main__":
    for key in ("compare_roll", "post_magic_maid", "rpj.game_parts", "swim_class", "sword_and_swarm"):
        evening = import_module(f"tests.rules.{key}.test_acts")
        write_menus(evening.MENUS, evening.RULESET, evening.evening())
