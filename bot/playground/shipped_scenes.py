"""Sample scenes: each ruleset package may bring a ``scene.toml`` of commands, or several ``….scene.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from pydantic import BaseModel, ConfigDict, Field

FILE_NAME = "scene.toml"


class Step(BaseModel):
    """One click of a scene: a command that one of the people sends."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    person: str  # who sends it, by the name on the page
    command: str  # the command's path without the slash
    # The texts typed into its options; a completed option takes the first completion.
    options: dict[str, str | int | bool] = Field(default_factory=dict)
    caption: str  # what happens, in a few words
    press: tuple[str, ...] = ()  # labels of buttons pressed next, each on what the last one shows
    # Options that take a name nobody has yet, with the option that completes to those which are taken, as
    # "command:option"; such a name is numbered where it is needed.
    fresh: dict[str, str] = Field(default_factory=dict)
    # Whether the answer is for the person alone; any other private answer is a refusal.
    is_private: bool = False


class Scene(BaseModel):
    """A scene that plays in a few clicks."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    steps: tuple[Step, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class SceneFile:
    """The file of a scene."""

    name: str
    text: str


def shipped_scenes() -> tuple[Scene, ...]:
    """The scenes of all rulesets, the shortest first."""
    scenes = (parse_scene(found) for found in _found(files("bot.rules")))
    return tuple(sorted(scenes, key=lambda scene: (len(scene.steps), scene.title)))


def parse_scene(found: SceneFile) -> Scene:
    """Read a scene.

    Raises:
        ValueError: It is no TOML, or not a scene; the message names the file.
    """
    try:
        return Scene.model_validate(tomllib.loads(found.text))
    except ValueError as error:
        raise ValueError(f"{found.name}: {error}") from error


def _found(packages: Traversable) -> list[SceneFile]:
    folders = sorted((entry for entry in packages.iterdir() if entry.is_dir()), key=lambda entry: entry.name)
    return [
        SceneFile(f"{folder.name}/{scene.name}", scene.read_text(encoding="utf-8"))
        for folder in folders
        for scene in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if scene.name == FILE_NAME or scene.name.endswith(f".{FILE_NAME}")
    ]
