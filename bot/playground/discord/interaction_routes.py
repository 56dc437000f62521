"""The REST routes of commands and interactions."""

from __future__ import annotations

from bot.playground.discord.payloads import Payload
from bot.playground.discord.refusals import Refusal
from bot.playground.discord.rest import Call, Rest


def add_interaction_routes(rest: Rest) -> None:
    """Teach *rest* the routes of commands, callbacks and follow-ups."""
    for scope in (
        "/applications/{application}/commands",
        "/applications/{application}/guilds/{server}/commands",
    ):
        rest.route("GET", scope, lambda call: call.discord.registry.registered(_scope(call)))
        rest.route(
            "PUT", scope, lambda call: call.discord.registry.overwrite(list(call.body or []), _scope(call))
        )
        rest.route("POST", scope, lambda call: call.discord.registry.upsert(call.form, _scope(call)))
        one = scope + "/{command}"
        rest.route("GET", one, lambda call: call.discord.registry.find(call.parts["command"], _scope(call)))
        rest.route("PATCH", one, _edit_command)
        rest.route("DELETE", one, _delete_command)
    rest.route("POST", "/interactions/{interaction}/{token}/callback", _callback)
    webhook = "/webhooks/{application}/{token}"
    rest.route("POST", webhook, _follow_up)
    rest.route("GET", webhook + "/messages/{message}", _get_message)
    rest.route("PATCH", webhook + "/messages/{message}", _edit_message)
    rest.route("DELETE", webhook + "/messages/{message}", _delete_message)


def _scope(call: Call) -> int | None:
    if call.number("application") != call.discord.application.id:
        raise Refusal(403, 20012, "You are not authorized to perform this action on this application")
    return call.number("server") if "server" in call.parts else None


def _edit_command(call: Call) -> Payload:
    before = call.discord.registry.find(call.parts["command"], _scope(call))
    return call.discord.registry.upsert({**before, **call.form}, _scope(call))


def _delete_command(call: Call) -> None:
    call.discord.registry.remove(call.parts["command"], _scope(call))


def _callback(call: Call) -> Payload | None:
    interaction = call.discord.interactions.by_callback(call.number("interaction"), call.parts["token"])
    response = call.discord.callbacks.answer(interaction, call.form, call.files)
    return response if call.query.get("with_response", "").lower() in ("1", "true") else None


def _follow_up(call: Call) -> Payload:
    interaction = call.discord.interactions.by_token(call.parts["token"])
    return call.discord.callbacks.follow_up(interaction, call.form, call.files).payload


def _get_message(call: Call) -> Payload:
    interaction = call.discord.interactions.by_token(call.parts["token"])
    return call.discord.callbacks.message(interaction, call.parts["message"]).payload


def _edit_message(call: Call) -> Payload:
    interaction = call.discord.interactions.by_token(call.parts["token"])
    posted = call.discord.callbacks.message(interaction, call.parts["message"])
    return call.discord.callbacks.edit(interaction, posted, call.form, call.files).payload


def _delete_message(call: Call) -> None:
    interaction = call.discord.interactions.by_token(call.parts["token"])
    call.discord.callbacks.delete(
        interaction, call.discord.callbacks.message(interaction, call.parts["message"])
    )
