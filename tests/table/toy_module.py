"""The toy ruleset's models of characters and campaigns, and its modules."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Literal

from pydantic import Field

from bot.rules.kernel import (
    Die,
    Document,
    Family,
    FileProblem,
    Form,
    ModuleRule,
    Odds,
    Problem,
    Roll,
    RollRule,
    SettingsWithModule,
    Verdict,
    Written,
)
from bot.rules.kernel.dice import Chance, Dice


class Gear(Document):
    rope: int = Field(default=0, ge=0, le=9, description="Ropes carried.")
    motto: str = Field(default="", max_length=40)


class Skill(Document):
    name: str
    level: int = Field(default=1, ge=1, le=5)


class ToySheet(Document):
    brawn: int = Field(default=3, ge=1, le=6, description="A d6 at or below it succeeds.")
    gear: Gear = Gear()
    skills: tuple[Skill, ...] = ()


class Reset(StrEnum):
    FULL = "full"
    NONE = "none"


class Craft(Document):
    id: str = Field(pattern=r"^[a-z0-9_]{1,60}$")
    name: str = Field(min_length=1, max_length=40)
    hardest: int = Field(default=6, ge=1, le=6)


class ToyModule(Document):
    """What a campaign of the toy game may change."""

    name: str = Field(default="Plain", min_length=1, max_length=40)
    crafts: tuple[Craft, ...] = Field(default=(Craft(id="rope", name="Rope-making"),), max_length=9)
    most_luck: int | None = Field(default=None, ge=0, le=9)


SEA = ToyModule(name="Sea", crafts=(Craft(id="sail", name="Sailing", hardest=4),), most_luck=1)


SHIPPED = {"plain": ToyModule(), "sea": SEA}


class ToySettings(SettingsWithModule):
    luck_cap: int | None = Field(default=3, ge=0, le=9, description="Most Luck one can have.")
    reset: Reset = Field(default=Reset.FULL, description="What the end of a session does with Luck.")
    is_grim: bool = Field(default=False, description="Whether wounds come double.")
    places: tuple[str, ...] = Field(default=(), description="Names of places, with commas.")
    played: Literal["plain", "sea", "own"] = Field(default="plain", description="The module played.")


def module_in(settings: ToySettings) -> ToyModule:
    module = settings.module_carried if settings.played == "own" else SHIPPED[settings.played]
    assert isinstance(module, ToyModule)
    return module


def module_flaws(module: ToyModule, _written: Written) -> Iterator[FileProblem]:
    known: set[str] = set()
    for place, one in enumerate(module.crafts):
        if one.id in known:
            yield FileProblem(("crafts", place, "id"), f"There are two crafts with the id {one.id}.")
        known.add(one.id)


def module_problems(sheet: ToySheet, settings: ToySettings) -> tuple[Problem, ...]:
    if settings.played == "plain":
        return ()
    crafts = {one.name: one for one in module_in(settings).crafts}
    return tuple(
        Problem("skills", f"There is no {own.name} here.")
        if own.name not in crafts
        else Problem("skills", f"{own.name} goes up to {crafts[own.name].hardest}.")
        for own in sheet.skills
        if own.name not in crafts or own.level > crafts[own.name].hardest
    )


def luck_cap(_sheet: ToySheet, settings: ToySettings) -> int | None:
    stated = module_in(settings).most_luck
    return settings.luck_cap if stated is None else stated


MODULE = ModuleRule(
    form=Form(model=ToyModule, flaws=module_flaws),
    title=lambda module: module.name,
    carried=module_in,
    carrying=lambda settings, module: settings.with_module(module),
    shipped={"plain": "Plain", "sea": "Sea"},
    choosing=lambda settings, key: settings.model_copy(update={"played": key}),
    summary=lambda module: (f"{len(module.crafts)} crafts",),
    hints=lambda module: ("No crafts are few.",) if not module.crafts else (),
)


class Purpose(StrEnum):
    CHECK = "check"
    WRESTLE = "wrestling"


class CheckInputs(Document):
    target: int


SUCCESS, FAILURE = Verdict(Family.SUCCESS, "success"), Verdict(Family.FAILURE, "failure")


def check_odds(inputs: CheckInputs) -> Odds:
    good = min(6, max(0, inputs.target))
    return Odds((("failure", Chance(6 - good, 6)), ("success", Chance(good, 6))), needed="success")


def resolve_check(inputs: CheckInputs, dice: Dice) -> Roll:
    face = dice.roll(6)
    verdict = SUCCESS if face <= inputs.target else FAILURE
    return Roll(
        rule="check",
        inputs=inputs,
        dice=(Die(sides=6, face=face),),
        total=face,
        against=f"{inputs.target}−",
        verdict=verdict,
        odds=check_odds(inputs),
        outcome=verdict.title,
        purpose=Purpose.CHECK,
    )


CHECK = RollRule("check", CheckInputs, resolve_check, check_odds)
