"""Building abilities: menus that show the cost and the chance while choosing."""

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Choice,
    Document,
    FollowUp,
    SharedPrompt,
    TextField,
    View,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, shown_number, signed
from bot.rules.rpj.character.sheet import Outcome, Scene, Stats, figure_in
from bot.rules.rpj.combat.commands.magic_commands import use_made_up
from bot.rules.rpj.module.abilities import (
    LEAST_OVERWHELMING,
    MOST_COST,
    Ability,
    Area,
    Concentration,
    Magnitude,
    Reach,
    Recipe,
    asks_the_gm,
    magnitudes_for,
)
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.module_files import require
from bot.rules.rpj.resolution.check import chance_words
from bot.rules.rpj.teamwork.assisting import found, kept_at
from bot.rules.rpj.wild_magic import (
    Wielded,
    ability_inputs,
    ability_skill,
    stamina_of,
    with_wild,
)

BUILDING = "recipe"
MOST_DAMAGE = 5
OVERWHELMING_COSTS = (LEAST_OVERWHELMING, 10, 12)
MOST_REGIONS = 4
CHOSEN = "chosen"


class BuildOptions(Document):
    """The options of building an ability."""

    # The ability skill in whose sphere it lies; the best one where left out.
    skill: str = Field(default="", max_length=100)
    target: CharacterId | None = None  # whom it is to concern


class Building(Document):
    """An ability being built. [RPJ-WMAG-03, RPJ-WMAG-20]"""

    key: str  # its own key
    character: CharacterId  # whose
    skill: str  # the id of the ability skill
    recipe: Recipe = Recipe()  # what it is made of so far
    target: CharacterId | None = None  # whom it is to concern, or None
    is_allowed: bool = False  # whether the GM has allowed what is the GM's to allow
    is_over: bool = False  # whether it was used


class ChoiceOptions(Document):
    """The options of a choice about an ability being built."""

    at: str
    value: str = Field(default="", max_length=100)


class SaveAbilityOptions(Document):
    """The options of saving an ability."""

    at: str
    name: str = Field(default="", max_length=60)


class CostOptions(Document):
    """The options of setting the cost."""

    at: str
    cost: str = Field(default="", max_length=5)


@procedure("build")
def build(scene: Scene, options: BuildOptions, _dice: Dice) -> Outcome:
    """Start building an ability. [RPJ-WMAG-01, RPJ-WMAG-13, RPJ-WMAG-20]"""
    require(scene, Pack.WILD_MAGIC)
    actor = scene.actor
    figure = figure_in(scene, actor)
    skill = ability_skill(figure, options.skill)
    key = f"{BUILDING}/{scene.moment}"
    building = Building(key=key, character=actor.id, skill=skill.id, target=options.target)
    return Outcome(
        scene=scene.with_document(key, building),
        headline=f"builds an ability: {skill.name}",
        gathering=key,
    )


# --- what is seen --------------------------------------------------------------------------------


def view_building(building: Building, scene: Scene) -> View:
    """The message: the cost with its parts, the chance, the stamina, and the menus."""
    who = found(scene, building.character)
    if who is None:
        return View(lines=("The character who built this has left.",))
    figure = figure_in(scene, who)
    lines = (_cost_line(building, figure), building.recipe.magnitude.does)
    if building.is_over:
        return View(lines=lines[:1])
    return View(lines=lines, follow_ups=(*_menus(building), *_buttons(building)))


def _cost_line(building: Building, figure: Stats) -> str:
    recipe, skill = building.recipe, figure.known_skill(building.skill)
    parts = " ".join(f"{name} {signed(cost)}" for name, cost in recipe.parts) or "nothing"
    inputs = ability_inputs(figure, skill, recipe.cost)
    chance = chance_words(inputs)
    left, most = stamina_of(figure)
    after = f"stamina {shown_number(left)} → {shown_number(left - recipe.cost)} of {most}"
    return f"{parts} = cost {recipe.cost} · {inputs.target}+ · {chance} · {after}"


def _menu(building: Building, part: str, label: str, choices: tuple[Choice, ...]) -> FollowUp:
    return FollowUp(
        procedure=f"recipe.{part}",
        options=ChoiceOptions(at=building.key),
        label=label,
        character=building.character,
        choices=choices,
        chosen="value",
        group=part,
    )


def _menus(building: Building) -> tuple[FollowUp, ...]:
    recipe = building.recipe
    damage = "" if recipe.damage is None else f", damage {recipe.damage}"
    regions = f", {recipe.regions} regions" if recipe.regions > 1 else ""
    chosen = ", chosen targets" if recipe.is_selective else ""
    return (
        _menu(building, "magnitude", f"Magnitude: {recipe.magnitude}{damage}", _magnitudes()),
        _menu(building, "time", f"Time: {recipe.concentration}", tuple(map(_time_choice, Concentration))),
        _menu(building, "reach", f"Range: {recipe.reach}", tuple(map(_reach_choice, Reach))),
        _menu(building, "area", f"Area: {recipe.area}{regions}{chosen}", _areas()),
    )


def _magnitudes() -> tuple[Choice, ...]:
    plain = [
        Choice(kind.value, f"{kind.capitalize()} · cost {kind.cost}", kind.does[:100])
        for kind in Magnitude
        if kind is not Magnitude.OVERWHELMING
    ]
    hurting = [
        Choice(f"{kind}:{damage}", f"{kind.capitalize()}, damage {damage} · cost {kind.cost}")
        for damage in range(MOST_DAMAGE + 1)
        for kind in magnitudes_for(damage)
        if kind is not Magnitude.OVERWHELMING
    ]
    most = Magnitude.OVERWHELMING
    greatest = [
        Choice(f"{most}={cost}", f"{most.capitalize()} · cost {cost}", "Whatever the GM allows.")
        for cost in OVERWHELMING_COSTS
    ]
    return (*plain, *hurting, *greatest)


def _time_choice(time: Concentration) -> Choice:
    return Choice(time.value, f"{time.capitalize()} · {signed(time.cost)}")


def _reach_choice(reach: Reach) -> Choice:
    return Choice(reach.value, f"{reach.value.capitalize()} · {signed(reach.cost)}")


def _areas() -> tuple[Choice, ...]:
    found_areas = [(Area.SINGLE, 1, False)]
    for chosen in (False, True):
        found_areas += [(Area.GROUP, 1, chosen)]
        found_areas += [(Area.REGIONS, count, chosen) for count in range(1, MOST_REGIONS + 1)]
    return tuple(_area_choice(*one) for one in found_areas)


def _area_choice(area: Area, regions: int, chosen: bool) -> Choice:
    recipe = Recipe(area=area, regions=regions, is_selective=chosen)
    name = area.value if area is not Area.REGIONS else counted(regions, "region")
    value = f"{area}:{regions}:{CHOSEN if chosen else ''}"
    return Choice(value, f"{name}{', chosen targets' if chosen else ''} · {signed(recipe.cost)}")


def _buttons(building: Building) -> tuple[FollowUp, ...]:
    needs_gm = asks_the_gm(building.recipe) and not building.is_allowed
    at = ChoiceOptions(at=building.key)
    use_it = FollowUp(
        procedure="recipe.allow" if needs_gm else "recipe.use",
        options=at,
        label="Allow it (GM)" if needs_gm else f"Use it · cost {building.recipe.cost}",
        audience=Audience.GM if needs_gm else Audience.OWNER,
        character=building.character,
        group="use",
        deal=building.recipe.words if needs_gm else "",
    )
    save = FollowUp(
        procedure="recipe.save",
        options=SaveAbilityOptions(at=building.key),
        label="Save it …",
        character=building.character,
        blanks=(TextField(key="name", prompt="Name of the ability", longest=60),),
        group="save",
    )
    cost = FollowUp(
        procedure="recipe.cost",
        options=CostOptions(at=building.key),
        label="Set its cost (GM)",
        audience=Audience.GM,
        character=building.character,
        blanks=(TextField(key="cost", prompt="Cost (empty: from the menus)", longest=3, is_required=False),),
        group="cost",
    )
    return use_it, save, cost


# --- what is pressed -----------------------------------------------------------------------------


def _assert_offered(value: str, choices: tuple[Choice, ...]) -> None:
    """Refuse a choice that no menu offers."""
    if value not in {choice.value for choice in choices}:
        raise UserError("You can't choose that here.", "Choose from the menu.")


def _changed(scene: Scene, at: str, **changes: object) -> Outcome:
    building = kept_at(scene, at, Building)
    if building.is_over:
        raise UserError("It has been used.", "Build another one with /rpj-magic ability make.")
    recipe = Recipe.model_validate({**building.recipe.model_dump(), **changes})
    after = evolve(building, recipe=recipe, is_allowed=False)
    return Outcome(scene=scene.with_document(at, after), headline=f"sets its cost to {recipe.cost}")


@procedure("recipe.magnitude")
def set_magnitude(scene: Scene, options: ChoiceOptions, _dice: Dice) -> Outcome:
    """Choose the magnitude. [RPJ-WMAG-10, RPJ-WMAG-11, RPJ-WMAG-12]"""
    _assert_offered(options.value, _magnitudes())
    name, _sign, cost = options.value.partition("=")
    kind, _colon, damage = name.partition(":")
    changes: dict[str, object] = {"magnitude": kind, "damage": int(damage) if damage else None}
    if cost:
        changes["overwhelming"] = int(cost)
    return _changed(scene, options.at, **changes, override=None)


@procedure("recipe.time")
def set_time(scene: Scene, options: ChoiceOptions, _dice: Dice) -> Outcome:
    """Choose the time it takes. [RPJ-WMAG-14]"""
    _assert_offered(options.value, tuple(map(_time_choice, Concentration)))
    return _changed(scene, options.at, concentration=options.value)


@procedure("recipe.reach")
def set_reach(scene: Scene, options: ChoiceOptions, _dice: Dice) -> Outcome:
    """Choose the range. [RPJ-WMAG-15]"""
    _assert_offered(options.value, tuple(map(_reach_choice, Reach)))
    return _changed(scene, options.at, reach=options.value)


@procedure("recipe.area")
def set_area(scene: Scene, options: ChoiceOptions, _dice: Dice) -> Outcome:
    """Choose the area. [RPJ-WMAG-16, RPJ-WMAG-17]"""
    _assert_offered(options.value, _areas())
    area, regions, chosen = options.value.split(":")
    return _changed(scene, options.at, area=area, regions=int(regions), is_selective=chosen == CHOSEN)


@procedure("recipe.cost", gm_only=True)
def set_cost(scene: Scene, options: CostOptions, _dice: Dice) -> Outcome:
    """Set the cost, as the GM's last word. [RPJ-WMAG-19, RPJ-WMAG-20]"""
    typed = options.cost.strip()
    if typed and not (typed.isdecimal() and int(typed) <= MOST_COST):
        raise UserError(
            f"“{typed}” isn't a valid cost.",
            f"Type a whole number from 0 to {MOST_COST}, or leave it empty to use the menus.",
        )
    return _changed(scene, options.at, override=int(typed) if typed else None)


@procedure("recipe.allow", gm_only=True)
def allow(scene: Scene, options: ChoiceOptions, _dice: Dice) -> Outcome:
    """Allow an ability that needs the GM's approval. [RPJ-WMAG-11 (WMAG-11b), RPJ-WMAG-20]"""
    building = kept_at(scene, options.at, Building)
    after = evolve(building, is_allowed=True)
    return Outcome(
        scene=scene.with_document(options.at, after), headline="allows it", deal=building.recipe.words
    )


def _assert_allowed(building: Building) -> None:
    """Refuse to use or save an ability that still needs the GM's approval.

    [RPJ-WMAG-11 (WMAG-11b), RPJ-WMAG-20]
    """
    if asks_the_gm(building.recipe) and not building.is_allowed:
        raise UserError("This ability needs the GM's approval.", "The GM can press Allow it.")


@procedure("recipe.use")
def use_built(scene: Scene, options: ChoiceOptions, dice: Dice) -> Outcome:
    """Use the built ability. [RPJ-WMAG-02, RPJ-WMAG-20]"""
    building = kept_at(scene, options.at, Building)
    if building.is_over:
        raise UserError("It has been used.", "Build another one with /rpj-magic ability make.")
    _assert_allowed(building)
    over = scene.with_document(options.at, evolve(building, is_over=True))
    name = figure_in(scene, scene.actor).known_skill(building.skill).name
    ability = Ability(
        name=f"{building.recipe.magnitude} {name}", skill=building.skill, recipe=building.recipe
    )
    return use_made_up(over, Wielded(ability=ability, target=building.target), dice)


@procedure("recipe.save")
def save_built(scene: Scene, options: SaveAbilityOptions, _dice: Dice) -> Outcome:
    """Save the built ability, replacing one of the same name. [RPJ-WMAG-20, RPJ-WMAG-21 (WMAG-21a)]"""
    building = kept_at(scene, options.at, Building)
    name = " ".join(options.name.split())
    if not name:
        raise UserError("Give it a name.")
    _assert_allowed(building)
    actor = scene.actor
    ability = Ability(name=name, skill=building.skill, recipe=building.recipe)
    wild = actor.sheet.wild.with_ability(ability)
    return Outcome(scene=with_wild(scene, actor.id, wild), headline=f"saves {name} · cost {ability.cost}")


BUILDING_PROMPT = SharedPrompt(model=Building, view=view_building)
