"""Creation rolls: rolled once for a character, and kept whatever becomes of its draft.

They are stored apart from the draft, one journalled document per roll. So a new draft still has
them; a finished character uses them up, and an undo brings them back; and whoever
wants other dice asks the GM to undo the roll, like anything else with dice in it.
"""

from collections.abc import Mapping

from bot.rules.kernel import NOBODY, CreationRoll, Document, Draft, Roll
from bot.rules.kernel.dice import FairDice
from bot.store.records import JsonObject
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access
from bot.table.base.results import Message, Result
from bot.table.base.seeds import seed_in_use
from bot.table.base.stored_rolls import KeptRoll, roll_to_json
from bot.table.base.table import Table
from bot.table.journal.journal import record

KIND = "creation.dice"  # no ruleset's documents are called so: their kinds are one word


class Thrown(Document):
    """A creation roll as stored.

    Attributes:
        roll: The roll, as in the journal.
        answer: The answer that the draft stores for it.
        settled: The answers that it settles.
    """

    roll: KeptRoll
    answer: tuple[str, ...]
    settled: dict[str, tuple[str, ...]]


def _under(access: Access) -> str:
    return f"{KIND}/{access.request.person}/"


def throws_of(reader: Reader, access: Access) -> Mapping[str, Thrown]:
    """Return a person's creation rolls for the character they are making."""
    server, campaign, under = access.campaign.server, access.campaign.id, _under(access)
    found: dict[str, Thrown] = {}
    for key in reader.document_keys(server, campaign, under):
        body = reader.document(server, campaign, key)
        if body is not None:
            found[key.removeprefix(under)] = Thrown.model_validate(body)
    return found


def with_throws(answers: Draft, thrown: Mapping[str, Thrown]) -> Draft:
    """Return a draft's answers with those from its dice, and those settled by them."""
    settled = {key: given for one in thrown.values() for key, given in one.settled.items()}
    return {**answers, **settled, **{key: one.answer for key, one in thrown.items()}}


def throw_dice(table: Table, tx: Transaction, access: Access, throw: CreationRoll, answers: Draft) -> Result:
    """Make a step's creation roll and save the result."""
    seed = seed_in_use(tx, access)
    rule = access.game.rolls[throw.rule]
    roll: Roll = rule.resolve(throw.inputs, FairDice(seed.secret, access.request.interaction)).by(NOBODY)
    body: JsonObject = {
        "roll": roll_to_json(access.game.key, roll),
        "answer": list(throw.answer(roll)),
        "settled": {key: list(answers[key]) for key in throw.settles if key in answers},
    }
    tx.save_document(access.campaign.server, access.campaign.id, f"{_under(access)}{throw.key}", body)
    message = Message(who=access.request.person_name, headline=throw.prompt, verdict=roll.verdict)
    return record(table, tx, access, "character.throw", message, rolls=[roll], seed=seed.number)


def use_up(tx: Transaction, access: Access) -> None:
    """Use up the rolls of a finished character: the person's next one gets its own."""
    server, campaign = access.campaign.server, access.campaign.id
    for key in tx.document_keys(server, campaign, _under(access)):
        tx.save_document(server, campaign, key, None)
