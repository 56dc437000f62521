"""Several people at one message, for rules tests: what it shows, and what they press."""

from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from bot.rules.kernel import Audience, Character, CharacterId, FollowUp, Noted, Outcome, View
from bot.rules.kernel.errors import UserError
from tests.rules.offers import check_gm_buttons
from tests.rules.playing import GameTable, check_button


@dataclass
class Together:
    """A gathering that an outcome has opened.

    Attributes:
        table: Where it is.
        key: The key of its document.
    """

    table: GameTable[Any, Any]
    key: str

    def view(self, *, for_gm: bool = False) -> View:
        """What it shows now."""
        kept = self.table.scene.document(self.key)
        assert kept is not None
        gathering = self.table.game.shared_prompts[self.key.split("/")[0]]
        scene = replace(self.table.scene, is_gm=for_gm)
        view: View = gathering.view(kept, scene)
        names = [one.group for one in view.follow_ups]
        assert len(set(names)) == len(names)
        for one in view.follow_ups:
            check_button(self.table.game, one)
        check_gm_buttons(self.table.game.procedures, self.table.scene, view.follow_ups)
        return view

    @property
    def labels(self) -> list[str]:
        """What can be pressed."""
        return [one.label for one in self.view().follow_ups]

    @property
    def verdict(self) -> str | None:
        """What it came to."""
        verdict = self.view().verdict
        return None if verdict is None else verdict.title

    def button(self, label: str) -> FollowUp:
        """The button (or menu) whose label begins so."""
        return next(one for one in self.view().follow_ups if one.label.startswith(label))

    def press(
        self, who: str, label: str, fall: str = "", choose: str | None = None, **written: str
    ) -> Outcome:
        """Press something as somebody ("GM" for the GM)."""
        return self.follow(who, self.button(label), fall, choose, **written)

    def follow(
        self, who: str, button: FollowUp, fall: str = "", choose: str | None = None, **written: str
    ) -> Outcome:
        """Press what is offered here, or beside what somebody has rolled here."""
        names = {id_: name for name, id_ in self.table.ids.items()}
        actor = who if button.character is None else names[button.character]
        if button.character is not None and button.audience is Audience.OWNER:
            assert who in (actor, "GM"), f"{button.label} is not for {who}"
        as_gm = who == "GM" and actor != "GM"
        options = {**button.options.model_dump(), **written}
        if choose is not None:
            options[button.chosen] = choose
        done = self.table.do(f"GM {actor}" if as_gm else actor, button.procedure, fall, **options)
        self._note(done, is_again=button.rewinds)
        return done

    def _note(self, outcome: Outcome, *, is_again: bool) -> None:
        kept = self.table.scene.document(self.key)
        assert kept is not None
        gathering = self.table.game.shared_prompts[self.key.split("/")[0]]
        actor = outcome.scene.actor_id
        noted = Noted(scene=outcome.scene, outcome=outcome, actor=actor, is_again=is_again)
        self.table.scene = self.table.scene.with_document(self.key, gathering.note(kept, noted))


def leaves(table: GameTable[Any, Any], name: str) -> None:
    """Let somebody leave the campaign."""
    find, gone = table.scene.find_character, table.ids[name]

    def find_others(id_: CharacterId) -> Character:
        if id_ == gone:
            raise UserError("There is no such character here.")
        return find(id_)

    rest = {id_: one for id_, one in table.scene.characters.items() if id_ != gone}
    table.scene = replace(table.scene, find_character=find_others, characters=rest)


def opened(table: GameTable[Any, Any], outcome: Outcome) -> Together:
    """What an outcome has opened."""
    assert outcome.gathering
    return Together(table, outcome.gathering)
