"""A bot's answers to an interaction: one first answer, then follow-ups and edits."""

from __future__ import annotations

import asyncio
import copy
from enum import IntEnum
from typing import TYPE_CHECKING

from bot.playground.discord.component_limits import check_modal
from bot.playground.discord.definitions import (
    CHAT_COMMAND,
    GROUP,
    MAX_CHOICES,
    MESSAGE_COMMAND,
    SUBCOMMAND,
    USER_COMMAND,
    check_choices,
)
from bot.playground.discord.events import ModalOpened
from bot.playground.discord.interactions import Interaction, Kind
from bot.playground.discord.message_limits import EPHEMERAL, LOADING
from bot.playground.discord.messages import Posted, number_components
from bot.playground.discord.payloads import Payload, Upload
from bot.playground.discord.refusals import Form, unknown_message

if TYPE_CHECKING:
    from bot.playground.discord.local import LocalDiscord


class Callback(IntEnum):
    """The ways to answer first."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


SLASH_MESSAGE, CONTEXT_MENU_MESSAGE = 20, 23
IN_PLACE = (Callback.DEFERRED_UPDATE, Callback.UPDATE)


class Callbacks:
    """Processes a bot's answers."""

    def __init__(self, discord: LocalDiscord) -> None:
        self._discord = discord

    def answer(self, interaction: Interaction, body: Payload, files: list[Upload]) -> Payload:
        """Process the first answer.

        Returns:
            What Discord says about it when asked ``with_response``.

        Raises:
            Refusal: This kind of answer does not fit the interaction, or it breaks a limit.
        """
        callback = self._checked_type(interaction, body)
        data = body.get("data") or {}
        posted = self._act(interaction, callback, data, files)
        interaction.callback_type = callback
        interaction.latency_seconds = asyncio.get_running_loop().time() - interaction.born_at
        if callback is not Callback.DEFERRED_MESSAGE and callback is not Callback.DEFERRED_UPDATE:
            interaction.settled.set()
        if callback is Callback.MODAL and interaction.modal is not None:
            opened = ModalOpened(interaction.member, interaction.modal, interaction)
            self._discord.bulletin.publish(opened)
        self._discord.bulletin.stir()
        return self._response(interaction, callback, posted)

    def follow_up(self, interaction: Interaction, body: Payload, files: list[Upload]) -> Posted:
        """Process a follow-up; the first one after a deferral becomes the answer itself.

        Raises:
            Refusal: It breaks a limit.
        """
        original = interaction.original
        is_thinking = original is not None and not original.is_deleted and original.payload["flags"] & LOADING
        if original is not None and is_thinking:
            return self.edit(interaction, original, body, files)
        flags = (body.get("flags") or 0) & EPHEMERAL
        posted = self._post(interaction, body, files, flags)
        interaction.followups.append(posted)
        interaction.settled.set()
        self._discord.bulletin.stir()
        return posted

    def edit(self, interaction: Interaction, posted: Posted, body: Payload, files: list[Upload]) -> Posted:
        """Change the answer or a follow-up.

        Raises:
            Refusal: The message as it would stand breaks a limit.
        """
        self._discord.messages.edit(posted, body, files)
        if posted is interaction.source:
            interaction.original = posted
        interaction.settled.set()
        self._discord.bulletin.stir()
        return posted

    def delete(self, interaction: Interaction, posted: Posted) -> None:
        """Delete the answer or a follow-up."""
        self._discord.messages.delete(posted)
        interaction.settled.set()
        self._discord.bulletin.stir()

    def message(self, interaction: Interaction, name: str) -> Posted:
        """The message called ``@original``, or a follow-up by its id.

        Raises:
            Refusal: There is none.
        """
        if name == "@original":
            posted = interaction.original
            if posted is None and interaction.callback_type in IN_PLACE:
                posted = interaction.source
            candidates = [posted] if posted else []
        else:
            known = [interaction.original, interaction.source, *interaction.followups]
            candidates = [posted for posted in known if posted is not None and str(posted.id) == name]
        if not candidates:
            raise unknown_message()
        if candidates[0].is_deleted:
            raise unknown_message(once_existed=True)
        return candidates[0]

    @staticmethod
    def _checked_type(interaction: Interaction, body: Payload) -> Callback:
        fitting: tuple[Callback, ...] = (Callback.MESSAGE, Callback.DEFERRED_MESSAGE)
        if interaction.kind is Kind.AUTOCOMPLETE:
            fitting = (Callback.CHOICES,)
        else:
            if interaction.source is not None:
                fitting += IN_PLACE
            if interaction.kind is not Kind.MODAL:
                fitting += (Callback.MODAL,)
        form = Form()
        form.one_of(("type",), body.get("type"), tuple(map(int, fitting)))
        form.raise_problems()
        return Callback(body["type"])

    def _act(
        self, interaction: Interaction, callback: Callback, data: Payload, files: list[Upload]
    ) -> Posted | None:
        if callback is Callback.CHOICES:
            interaction.choices = self._checked_choices(interaction, data.get("choices") or [])
            return None
        if callback is Callback.MODAL:
            interaction.modal = self._checked_modal(data)
            return None
        if callback is Callback.DEFERRED_UPDATE:
            return interaction.source
        if callback is Callback.UPDATE and interaction.source is not None:
            if interaction.source.is_deleted:
                raise unknown_message(once_existed=True)
            interaction.original = self._discord.messages.edit(interaction.source, data, files, ("data",))
            return interaction.original
        flags = (data.get("flags") or 0) & EPHEMERAL
        if callback is Callback.DEFERRED_MESSAGE:
            data, files, flags = {}, [], flags | LOADING
        interaction.original = self._post(interaction, data, files, flags, ("data",))
        return interaction.original

    def _post(
        self,
        interaction: Interaction,
        body: Payload,
        files: list[Upload],
        flags: int,
        path: tuple[str, ...] = (),
    ) -> Posted:
        member = interaction.member
        metadata: Payload = {
            "id": str(interaction.id),
            "type": int(interaction.kind),
            "user": member.user_payload(),
            "authorizing_integration_owners": {"0": str(member.server.id)},
        }
        extra: Payload = {
            "application_id": str(self._discord.application.id),
            "interaction_metadata": metadata,
        }
        extra["webhook_id"] = extra["application_id"]
        if interaction.kind is Kind.COMMAND:
            data = interaction.payload["data"]
            extra["type"] = SLASH_MESSAGE if data["type"] == CHAT_COMMAND else CONTEXT_MENU_MESSAGE
            if data["type"] == USER_COMMAND:
                metadata["target_user"] = data["resolved"]["users"][data["target_id"]]
            elif data["type"] == MESSAGE_COMMAND:
                metadata["target_message_id"] = data["target_id"]
            named = {"id": metadata["id"], "type": 2, "name": _command_line(data)}
            extra["interaction"] = named | {"user": metadata["user"]}
        visible_to = member.id if flags & EPHEMERAL else None
        return self._discord.messages.post(
            interaction.channel, body, files, flags=flags, visible_to=visible_to, extra=extra, path=path
        )

    @staticmethod
    def _checked_choices(interaction: Interaction, choices: list[Payload]) -> list[Payload]:
        form = Form()
        form.count(("data", "choices"), choices, 0, MAX_CHOICES)
        check_choices(
            form,
            ("data", "choices"),
            choices,
            _focused_type(interaction.payload["data"].get("options") or []),
        )
        form.raise_problems()
        return choices

    @staticmethod
    def _checked_modal(data: Payload) -> Payload:
        form = Form()
        check_modal(form, ("data",), data)
        form.raise_problems()
        modal = copy.deepcopy(data)
        number_components(modal["components"])
        return modal

    @staticmethod
    def _response(interaction: Interaction, callback: Callback, posted: Posted | None) -> Payload:
        about: Payload = {"id": str(interaction.id), "type": int(interaction.kind)}
        response: Payload = {"interaction": about}
        if callback in (Callback.MESSAGE, Callback.DEFERRED_MESSAGE, *IN_PLACE) and posted is not None:
            about["response_message_id"] = posted.payload["id"]
            about["response_message_loading"] = callback is Callback.DEFERRED_MESSAGE
            about["response_message_ephemeral"] = bool(posted.payload["flags"] & EPHEMERAL)
            response["resource"] = {"type": int(callback), "message": copy.deepcopy(posted.payload)}
        elif callback is Callback.MODAL:
            response["resource"] = {"type": int(callback)}
        return response


def _focused_type(options: list[Payload]) -> int:
    for option in options:
        if option.get("focused"):
            return int(option["type"])
        if found := _focused_type(option.get("options") or []):
            return found
    return 0


def _command_line(data: Payload) -> str:
    """The command's name with its group and sub-command, as messages name what was used."""
    words = [data["name"]]
    options: list[Payload] = data.get("options") or []
    while options and options[0]["type"] in (SUBCOMMAND, GROUP):
        words.append(options[0]["name"])
        options = options[0].get("options") or []
    return " ".join(words)
