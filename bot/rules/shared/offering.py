"""What rulesets share to say what a character can do now."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, get_origin

from msgspec.structs import replace

from bot.rules.kernel import (
    Audience,
    Character,
    CharacterId,
    Choice,
    Document,
    FollowUp,
    Procedure,
    Scene,
    SettingsT,
    SheetT,
    TextField,
)
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import MOST_CHOICE_LABEL, MOST_LABEL
from bot.rules.kernel.procedures import Act, ActGroup
from bot.rules.kernel.tracker import DELAY, JOIN, LEAVE, START
from bot.rules.shared.encounters import (
    FightRules,
    JoinOptions,
    LeaveOptions,
    StartOptions,
    fight_of,
    find_character,
    hidden_in,
)
from bot.rules.shared.encounters.fights import delay, leave
from bot.rules.shared.encounters.model import DelayOptions, FightT

MOST_CHOICES = 25


class TryingDice:
    """Dice for trying whether something is allowed: each falls differently from the last, so no tie stays."""

    def __init__(self) -> None:
        self._rolled = 0

    def roll(self, sides: int) -> int:
        """Another face than the last time."""
        self._rolled += 1
        return self._rolled % sides + 1


def is_allowed(tried: Callable[[], object]) -> bool:
    """Whether something can be done without a `UserError`."""
    try:
        tried()
    except UserError:
        return False
    return True


def others_of(scene: Scene[SheetT, SettingsT]) -> tuple[Character[SheetT], ...]:
    """The other characters that can be chosen: those in the channel's fight, then the rest of the campaign.

    Hidden ones are left out, and players' characters come first among the rest.
    """
    fight = fight_of(scene)
    there = () if fight is None else tuple(one.character for one in fight.shown)
    rest = sorted(scene.characters.values(), key=lambda one: (one.owner is None, one.name))
    ids = dict.fromkeys((*there, *scene.find_everybody(), *(one.id for one in rest)))
    others = (id_ for id_ in ids if id_ not in (scene.actor_id, *hidden_in(scene)))
    found = (find_character(scene, id_) for id_ in others)
    return tuple(one for one in found if one is not None and not one.is_hidden)


def numbers(found: Iterable[int], words: Callable[[int], str] = str) -> tuple[Choice, ...]:
    """Numbers as the entries of a menu."""
    return tuple(Choice(str(number), words(number)) for number in found)


class Named(Protocol):
    """What has an id and a name."""

    @property
    def id(self) -> str:
        """Its id."""
        ...

    @property
    def name(self) -> str:
        """Its name."""
        ...


def named(found: Iterable[Named]) -> tuple[Choice, ...]:
    """Things as the entries of a menu."""
    return tuple(Choice(one.id, one.name[:MOST_CHOICE_LABEL]) for one in found)


def choice_of(character: Character, note: str = "") -> Choice:
    """A character as an entry of a menu."""
    return Choice(str(character.id), character.name[:MOST_CHOICE_LABEL], note)


def act_of(
    scene: Scene[Any, Any],
    procedure: str,
    options: Document,
    label: str,
    *,
    choices: Sequence[Choice] = (),
    chosen: str = "",
    blanks: tuple[TextField, ...] = (),
    audience: Audience = Audience.OWNER,
) -> FollowUp:
    """What the acting character does (or a GM to it), as long as a button and a menu can be."""
    return FollowUp(
        procedure=procedure,
        options=options,
        label=label[:MOST_LABEL],
        audience=audience,
        character=scene.actor.id,
        choices=tuple(choices[:MOST_CHOICES]),
        chosen=chosen,
        blanks=blanks,
    )


def with_first_choice(follow_up: FollowUp) -> FollowUp:
    """The follow-up with the first entry of its menu chosen, so that it can be tried."""
    first, options = follow_up.choices[0].value, follow_up.options
    tried = type(options).model_validate({**options.model_dump(), follow_up.chosen: first})
    return replace(follow_up, options=tried)


class Offering:
    """Makes the acts of the acting character of a scene, with the options that their procedures take.

    Options are given by name. The first entry of a menu, and "?" where it has to be there, stand for what is
    still to be chosen or written, and a GM's act is done to the character.

    Args:
        scene: The scene.
        procedures: The procedures of the ruleset.
        audience: Who does them: the character's player, or a GM to the character.
    """

    def __init__(
        self,
        scene: Scene[Any, Any],
        procedures: Mapping[str, Procedure],
        *,
        audience: Audience = Audience.OWNER,
    ) -> None:
        self._audience = audience
        self._scene = scene
        self._procedures = procedures
        self.who: CharacterId = scene.actor.id

    def is_possible(self, procedure: str, options: Document) -> bool:
        """Whether the procedure can be done now; its dice and what comes of it are thrown away."""
        run = self._procedures[procedure].run
        return is_allowed(lambda: run(self._scene, options, TryingDice()))

    def act(
        self,
        group: ActGroup,
        procedure: str,
        label: str,
        *,
        choices: Sequence[Choice] = (),
        chosen: str = "",
        blanks: tuple[TextField, ...] = (),
        adjusts: Mapping[str, str] | None = None,
        values: Mapping[str, tuple[Choice, ...]] | None = None,
        quick: tuple[Choice, ...] = (),
        why_not: str = "",
        brief: str = "",
        **given: Any,
    ) -> Act:
        """Something the character can do."""
        follow_up = act_of(
            self._scene,
            procedure,
            self._options(procedure, chosen, choices, blanks, given),
            label,
            choices=choices,
            chosen=chosen,
            blanks=blanks,
            audience=self._audience,
        )
        return Act(
            group=group,
            do=follow_up,
            adjusts=adjusts or {},
            values=values or {},
            quick=quick,
            why_not=why_not,
            brief=brief,
        )

    def _options(
        self,
        procedure: str,
        chosen: str,
        choices: Sequence[Choice],
        blanks: Iterable[TextField],
        given: Mapping[str, Any],
    ) -> Document:
        kind = self._procedures[procedure].options
        fields = kind.model_fields
        needed = {name for name, field in fields.items() if field.is_required()} - set(given)
        stand_in: dict[str, Any] = {}
        for one in (blank for blank in blanks if blank.key in needed):
            stand_in |= _choosing(kind, one.key, one.choices[0]) if one.choices else {one.key: "?"}
        if self._audience is Audience.GM:
            whom = {"target": self.who, "targets": (self.who,)}
            stand_in |= {key: value for key, value in whom.items() if key in fields}
        if choices:
            stand_in |= _choosing(kind, chosen, choices[0])
        return kind.model_validate({**stand_in, **given})

    def if_possible(self, group: ActGroup, procedure: str, label: str, **more: Any) -> Iterator[Act]:
        """The act, if the procedure can be done now; see `act`."""
        act = self.act(group, procedure, label, **more)
        if self.is_possible(procedure, act.do.options):
            yield act

    def menu(
        self,
        group: ActGroup,
        procedure: str,
        label: str,
        chosen: str,
        found: Iterable[Choice],
        *,
        is_tried: bool = True,
        adjusts: Mapping[str, str] | None = None,
        values: Mapping[str, tuple[Choice, ...]] | None = None,
        quick: tuple[Choice, ...] = (),
        **given: Any,
    ) -> Iterator[Act]:
        """Acts that ask for one thing, as many as the entries need; none without entries.

        Args:
            group: Where they are offered.
            procedure: What is done.
            chosen: The option that takes what is chosen.
            found: The entries.
            is_tried: Whether entries that can't be done now are left out; a GM has them all.
            **given: The other options.
        """
        able = list(found)
        if is_tried and self._audience is Audience.OWNER:
            tried = ((one, self._options(procedure, chosen, (one,), (), given)) for one in able)
            able = [one for one, options in tried if self.is_possible(procedure, options)]
        pages = [able[start : start + MOST_CHOICES] for start in range(0, len(able), MOST_CHOICES)]
        for number, page in enumerate(pages, start=1):
            words = label if len(pages) == 1 else f"{label} ({number} of {len(pages)})"
            yield self.act(
                group,
                procedure,
                words,
                choices=page,
                chosen=chosen,
                adjusts=adjusts,
                values=values,
                quick=quick,
                **given,
            )


def _choosing(kind: type[Document], chosen: str, choice: Choice) -> dict[str, Any]:
    """The option that takes an entry of a menu; one that takes several takes it alone."""
    is_several = get_origin(kind.model_fields[chosen].annotation) is tuple
    return {chosen: (choice.value,) if is_several else choice.value}


def is_friend(scene: Scene, other: Character) -> bool:
    """Whether somebody is on the acting character's side: both played by players, or both by the GM."""
    return (scene.actor.owner is None) == (other.owner is None)


def is_foe(scene: Scene, who: CharacterId) -> bool:
    """Whether a character is against the heroes: by its side in the fight here, else played by the GM."""
    character = find_character(scene, who)
    if character is None or character.owner is not None:
        return False
    fight = fight_of(scene)
    combatant = None if fight is None else fight.combatant(who)
    return combatant is None or combatant.is_foe is not False


def foes_first(scene: Scene[SheetT, SettingsT]) -> tuple[Character[SheetT], ...]:
    """The others to attack: those in the fight if the acting character is in it, foes before friends."""
    fight = fight_of(scene)
    found = others_of(scene)
    if fight is not None and scene.actor_id is not None and fight.combatant(scene.actor_id) is not None:
        found = tuple(one for one in found if fight.combatant(one.id) is not None)
    return tuple(sorted(found, key=lambda one: is_friend(scene, one)))


def friends_first(scene: Scene[SheetT, SettingsT]) -> tuple[Character[SheetT], ...]:
    """The others to help: friends before foes."""
    return tuple(sorted(others_of(scene), key=lambda one: not is_friend(scene, one)))


def choices_among(
    characters: Iterable[Character[SheetT]], note: Callable[[Character[SheetT]], str] = lambda _one: ""
) -> tuple[Choice, ...]:
    """The entries of a menu of characters, each with a note."""
    return tuple(choice_of(one, note(one)) for one in characters)[:MOST_CHOICES]


def first_id(choices: tuple[Choice, ...]) -> CharacterId:
    """The character of a menu's first entry."""
    return CharacterId(int(choices[0].value))


def gathering_acts(
    rules: FightRules[FightT, SheetT, SettingsT],
    scene: Scene[SheetT, SettingsT],
    *,
    why_not: str = "",
    adjusts: Mapping[str, str] | None = None,
) -> Iterator[Act]:
    """How the acting character starts a fight, joins the channel's, or delays in it.

    Args:
        rules: The ruleset's own part of a fight.
        why_not: Why the character can't start one, or an empty text.
        adjusts: What can be set for a start.
    """
    fight, who = fight_of(scene), scene.actor.id
    if scene.actor.is_hidden:
        return
    if fight is None:
        others = choices_among(foes_first(scene))
        if others and not why_not:
            options = StartOptions(others=(first_id(others),))
            label = "Start a fight with …"
            do = act_of(scene, START, options, label, choices=others, chosen="others")
            yield Act(group=ActGroup.FIGHT, do=do, adjusts=adjusts or {})
        do = act_of(scene, START, StartOptions(), "Start a fight")
        yield Act(group=ActGroup.FIGHT, do=do, adjusts=adjusts or {}, why_not=why_not)
    elif fight.combatant(who) is None:
        yield Act(group=ActGroup.FIGHT, do=act_of(scene, JOIN, JoinOptions(), "Join the fight"))
    else:
        yield from _delay(rules, scene)


def leaving_acts(
    rules: FightRules[FightT, SheetT, SettingsT], scene: Scene[SheetT, SettingsT]
) -> Iterator[Act]:
    """How the acting character leaves the channel's fight."""
    fight = fight_of(scene)
    if fight is None or scene.actor.is_hidden or fight.combatant(scene.actor.id) is None:
        return
    if is_allowed(partial(leave, rules, scene, LeaveOptions(), TryingDice())):
        yield Act(group=ActGroup.FIGHT, do=act_of(scene, LEAVE, LeaveOptions(), "Leave the fight"))


def can_gather(scene: Scene) -> bool:
    """Whether the acting character is in no fight here, and so can start or join one."""
    fight = fight_of(scene)
    return not scene.actor.is_hidden and (fight is None or fight.combatant(scene.actor.id) is None)


def _delay(rules: FightRules[FightT, SheetT, SettingsT], scene: Scene[SheetT, SettingsT]) -> Iterator[Act]:
    """Acting later from now on, where the ruleset has that."""
    found = []
    for other in foes_first(scene):
        options = DelayOptions(after=other.id)
        if is_allowed(partial(delay, rules, scene, options, TryingDice())):
            found.append(other)
    if found:
        label, options = "Delay: act after …", DelayOptions(after=found[0].id)
        do = act_of(scene, DELAY, options, label, choices=choices_among(found), chosen="after")
        yield Act(group=ActGroup.FIGHT, do=do)
