"""Uploading a character's portrait in a form."""

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.table.base.pictures import KINDS
from bot.table.characters import portraits
from bot.ui.input.answer import ask_form
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, Press, press_id
from bot.ui.input.uploads import picture_field, uploaded_picture
from bot.ui.text.reply import Form, MenuField

REMOVE = "remove"


async def ask_portrait(interaction: Interaction, press: Press) -> None:
    """Open the form in which a portrait is uploaded or removed."""
    who = press.number()
    has_one = await portraits.has_portrait(interaction.client.table, request_of(interaction), who)
    upload = picture_field(least=0 if has_one else 1)
    choices = (Choice(REMOVE, "Remove the portrait"),)
    removal = MenuField(key=REMOVE, label="Or", choices=choices, least=0, is_open=True)
    fields = (upload, removal) if has_one else (upload,)
    id_ = press_id(press.kind, who, press.number(1), "portrayed")
    await ask_form(interaction, Form(id=id_, title="Portrait", fields=fields))


async def take_portrait(interaction: Interaction, press: Press) -> None:
    """Save the portrait that came with the form, or remove it; the sheet is to be shown afterwards."""
    table, request, who = interaction.client.table, request_of(interaction), press.number()
    if press.choices.get(REMOVE):
        await portraits.save_portrait(table, request, who, b"")
        return
    await portraits.has_portrait(table, request, who)  # refuses strangers before anything is downloaded
    async with uploaded_picture(interaction, press) as content:
        if not content:
            raise UserError("You haven't chosen a picture.", f"Upload a {KINDS} file.")
        await portraits.save_portrait(table, request, who, content)
