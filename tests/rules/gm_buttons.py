"""An approval approves what it says: checked of every button of the GM's that any rules test meets.

The same question may stand in two messages, or something may have happened since it was asked. Pressed a
second time, a button therefore does the very same as before, or is refused.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from bot.rules.kernel import Audience, FollowUp, Outcome, PersonId, Procedure, Scene
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError

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
