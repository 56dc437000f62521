"""A module as one TOML or JSON file: reading reports every problem at once."""

from types import MappingProxyType

from bot.rules.kernel import Form, Written, check_written
from bot.rules.kernel.errors import UserErrors
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.module_checks import module_flaws

MODULE_FORM = Form(
    model=Module, flaws=module_flaws, blanks=MappingProxyType({"id": "module", "name": "Module"})
)


def module_of(written: Written) -> Module:
    """Build a module from a parsed file.

    Raises:
        UserErrors: If it has problems; each names the entry, the field and what is allowed.

    Source: RPJ-GM-06.
    """
    module, flaws = check_written(written, MODULE_FORM)
    if flaws or module is None:
        raise UserErrors(tuple(flaw.sentence for flaw in flaws))
    return module
