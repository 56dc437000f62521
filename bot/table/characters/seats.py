"""A character with everything needed to look at what it can do now."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

from pydantic import ValidationError

from bot.rules.kernel import GM_GROUPS, Act, ActGroup, ActPart, CharacterId, FollowUp, PersonId, Scene
from bot.rules.kernel.acts import acts_in, groups_and_due
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.play import Audience
from bot.store.records import CharacterRecord
from bot.store.transaction import Reader
from bot.table.base.access import Access, access_here, find_character, may_play
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.base.typed_options import GIVEN
from bot.table.journal.foes_on_turn import require_acting
from bot.table.journal.gathered import scene_to_look_at
from bot.table.play.offer_keys import key_of
from bot.table.play.play import preset_difficulty

UNSET = ("", None)  # a difficulty that nobody has chosen


class NotOffered(UserError):
    """The sheet does not offer this now."""

    def __init__(self) -> None:
        super().__init__(
            "That is no longer possible.", "Nothing was changed. Your sheet shows what you can do now."
        )


class NotTheirs(UserError):
    """Somebody presses the controls of a character that is not theirs.

    Args:
        name: The character.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} isn't your character.", "Only its player or a GM can act with it.")


@dataclass(frozen=True, slots=True)
class Seat:
    """A character with what it can do, worked out when it is asked for and only as far as that.

    Attributes:
        access: The campaign, as whoever asks may use it.
        record: The character.
        scene: What its acts are tried on.
        presets: The scene's difficulty for each procedure.
    """

    access: Access
    record: CharacterRecord
    scene: Scene
    presets: Callable[[str], GIVEN]

    def acts(self, group: ActGroup | None = None) -> Iterator[Act]:
        """Everything that it can do now, or everything in a group."""
        return self._preset(acts_in((self._turn(), *self._besides()), group))

    def find(self, key: str) -> Act | None:
        """What a button names, if it can be done now; of what a board offers too, the sheet's own act."""
        acts = self._preset(acts_in((*self._besides(), self._turn())))
        return next((act for act in acts if key_of(act.do) == key), None)

    def groups_and_due(self) -> tuple[frozenset[ActGroup], tuple[Act, ...]]:
        """Every group that has any acts, and all acts that are due."""
        groups, due = groups_and_due((*self._besides(), self._turn()))
        return groups, tuple(self._preset(due))

    def _preset(self, acts: Iterable[Act]) -> Iterator[Act]:
        return (with_preset(act, self.presets(act.do.procedure)) for act in acts)

    def _turn(self) -> ActPart:
        """What it can do on its turn in a fight."""
        return ActPart(partial(_on_turn, self.access, self.scene), ActGroup.FIGHT)

    def _besides(self) -> Iterator[ActPart]:
        """What it can do besides; then what a GM can do to it."""
        game = self.access.game
        yield from game.acts(self.scene)
        if self.access.is_gm:
            yield ActPart(partial(game.gm_acts, self.scene), *GM_GROUPS)


def is_for_gm(follow_up: FollowUp) -> bool:
    """Return whether an act is a GM's, who does it to the character in their own name."""
    return follow_up.audience is Audience.GM


def take_seat(table: Table, reader: Reader, request: Request, who: int | str | None) -> Seat:
    """Return a character with what it can do; by default the person's own, or the foe on turn.

    Raises:
        UserError: If the person may not act with it.
    """
    access = access_here(table, reader, request)
    if who is None:
        record = require_acting(reader, access)
    else:
        record = find_character(reader, access, who)
        if not may_play(reader, access, record):
            raise NotTheirs(record.name)
    scene = scene_to_look_at(reader, access, for_gm=access.is_gm, known={record.id: record})
    scene = replace(
        scene,
        channel=str(request.channel),
        actor_id=CharacterId(record.id),
        person=PersonId(request.person),
    )
    presets = cache(lambda procedure: preset_difficulty(reader, access, procedure, {}))
    return Seat(access, record, scene, presets)


def keyed(acts: Iterable[Act]) -> Mapping[str, Act]:
    """Return acts by the keys that name them in buttons."""
    return {key_of(act.do): act for act in acts}


def with_preset(act: Act, preset: GIVEN) -> Act:
    """Return an act that has the scene's difficulty where it would have the rules' own."""
    options, asked = act.do.options, {act.do.chosen, *(one.key for one in act.do.blanks)}
    for field, value in preset.items():
        if field in asked or not (field in act.adjusts or getattr(options, field) in UNSET):
            continue
        try:
            changed = type(options).model_validate({**options.model_dump(), field: value})
        except ValidationError:  # the GM has changed the difficulties since
            continue
        act = replace(act, do=replace(act.do, options=changed))
    return act


def _on_turn(access: Access, scene: Scene) -> Iterator[Act]:
    """What the board of a fight offers the character itself."""
    tracker = access.game.tracker
    for follow_up in () if tracker is None else tracker.choices(scene):
        if follow_up.character == scene.actor_id and not is_for_gm(follow_up):
            yield Act(group=ActGroup.FIGHT, do=follow_up)
