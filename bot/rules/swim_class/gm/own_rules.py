"""A campaign's own skills, synergies and settings as one file for export and import.

The file holds the campaign's settings; everything that can be set can be in it.
"""

from collections.abc import Iterator

from bot.rules.kernel import FileProblem, Form, ModuleRule, Problem, Written
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.settings import SwimSettings
from bot.rules.swim_class.character.sheet import SwimSheet
from bot.rules.swim_class.character.skills import folded, parent_of
from bot.rules.swim_class.resolution.tables import SKILLS, SYNERGIES, SkillKey

BOOK = "book"
BOOK_TITLE = "As in the book"
OWN_TITLE = "The campaign's own"


def title_of(settings: SwimSettings) -> str:
    """The title of the campaign's own skills and rules."""
    return settings.world or (BOOK_TITLE if settings == SwimSettings() else OWN_TITLE)


def flaws(settings: SwimSettings, written: Written) -> Iterator[FileProblem]:
    """Find the contradictions in a file.

    Source: SWIM-CHAR-06, SWIM-CHAR-07.
    """
    known = {skill.key for skill in SKILLS} | set(_meant(written)) | {skill.key for skill in settings.skills}
    yield from _skill_flaws(settings, known)
    pairs = [frozenset((edge.one, edge.other)) for edge in SYNERGIES]
    for place, edge in enumerate(settings.synergies):
        for end, key in (("one", edge.one), ("other", edge.other)):
            if key not in known:
                yield FileProblem(("synergies", place, end), f"There is no skill {key}.")
        pair = frozenset((edge.one, edge.other))
        if len(pair) == 1:
            yield FileProblem(("synergies", place), f"{edge.one} can't have synergy with itself.")
        elif pair in pairs:
            yield FileProblem(("synergies", place), f"{edge.one} and {edge.other} already have a synergy.")
        pairs.append(pair)


def _skill_flaws(settings: SwimSettings, known: set[SkillKey]) -> Iterator[FileProblem]:
    seen: set[SkillKey] = set()
    for place, skill in enumerate(settings.skills):
        if skill.key != folded(skill.key) or ":" in skill.key or not skill.key:
            yield FileProblem(
                ("skills", place, "key"), f"“{skill.key}” isn't a valid key. Write keys like fast_talk."
            )
        if skill.key in seen:
            yield FileProblem(("skills", place, "key"), f"There are two skills with the key {skill.key}.")
        seen.add(skill.key)
        needed = [need.skill for need in skill.requires]
        for name, keys in (("requires", needed), ("opposed_by", skill.opposed_by)):
            for key in keys:
                if key not in known:
                    yield FileProblem(("skills", place, name), f"{skill.name}: there is no skill {key}.")


def _meant(written: Written) -> Iterator[SkillKey]:
    """The keys of all skills in a file, valid or not."""
    rows = written.get("skills")
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and isinstance(row.get("key"), str):
            yield row["key"]


def module_problems(sheet: SwimSheet, settings: SwimSettings) -> tuple[Problem, ...]:
    """Skills on a sheet that the campaign does not have; their ranks stay, unused."""
    known = tuple(skill.key for skill in (*SKILLS, *settings.skills))
    return tuple(
        Problem("ranks", f"There is no skill {key} in this campaign.", parent_of(key), known)
        for key in sheet.ranks
        if parent_of(key) not in known
    )


def summary(settings: SwimSettings) -> tuple[str, ...]:
    """A summary of a campaign's file."""
    default = SwimSettings()
    names = ", ".join(skill.name for skill in settings.skills)
    otherwise = [
        name
        for name in SwimSettings.model_fields
        if name not in {"world", "skills", "synergies"} and getattr(settings, name) != getattr(default, name)
    ]
    return (
        f"{counted(len(settings.skills), 'own skill', 'own skills')}{': ' if names else ''}{names}",
        counted(len(settings.synergies), "own synergy", "own synergies"),
        *([f"Changed settings: {', '.join(otherwise)}"] if otherwise else []),
    )


def hints(settings: SwimSettings) -> tuple[str, ...]:
    """Notes about what is allowed but unusual."""
    printed = {skill.key: skill.name for skill in SKILLS}
    return tuple(
        f"{skill.name} replaces the book's {printed[skill.key]}."
        for skill in settings.skills
        if skill.key in printed
    )


MODULE: ModuleRule[SwimSettings, SwimSettings] = ModuleRule(
    form=Form(model=SwimSettings, flaws=flaws),
    title=title_of,
    carried=lambda settings: settings,
    carrying=lambda _settings, module: module,
    is_apart=False,
    shipped={BOOK: BOOK_TITLE},
    choosing=lambda _settings, _key: SwimSettings(),
    summary=summary,
    hints=hints,
)
