"""Which definitions of the rules are reached by what people can do.

It begins with every `RULESET` and with all code outside the rules (cogs, programs, the table), and follows
every name that is read from there on. What is left is called by nobody, or by tests alone.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeGuard

RULES = "bot.rules"
PARTS = ("bot", "cogs")
REGISTERS = "procedure"  # the decorator that makes a function something people can do
QUOTING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.arg, ast.AnnAssign, ast.Subscript)
PLAIN_DECORATORS = ("property", "cached_property", "classmethod", "staticmethod")

Definition = tuple[str, str]
"""A name at the top of a module: the module and the name. A method's name is "Class.method"."""


@dataclass(slots=True)
class _Code:
    """What is written in one place, and what it reads.

    Attributes:
        module: The module it stands in, where its names are looked up.
        is_function: Whether it is one function, not a class nor a value.
        names: The names it reads, quoted annotations included.
        dotted: What it reads of something named: the name and the attribute.
        attributes: Every attribute it reads, of whatever it may be.
    """

    module: str
    is_function: bool = False
    names: set[str] = field(default_factory=set)
    dotted: set[tuple[str, str]] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Module:
    """A module, read.

    Attributes:
        names: What each name stands for: a definition, or a module (with an empty name).
        code: The code of each definition; a class without its methods.
        methods: The code of each method, by its class and its name.
        loose: What is done or registered when the module is imported.
    """

    names: dict[str, Definition] = field(default_factory=dict)
    code: dict[str, _Code] = field(default_factory=dict)
    methods: dict[str, dict[str, _Code]] = field(default_factory=dict)
    loose: list[_Code] = field(default_factory=list)


class _Project:
    """All modules of a project."""

    def __init__(self, root: Path) -> None:
        files = [file for part in PARTS for file in sorted((root / part).rglob("*.py"))]
        trees = {_name_of(file.relative_to(root)): ast.parse(file.read_text("utf-8")) for file in files}
        self.modules = {name: _read(name, tree, set(trees)) for name, tree in trees.items()}

    def resolved(self, wanted: Definition) -> Definition | None:
        """Where something is defined, through any number of imports; None where it is not of the project."""
        seen: set[Definition] = set()
        while wanted not in seen:
            seen.add(wanted)
            module, name = wanted
            found = self.modules.get(module)
            if found is None:
                return None
            if name in found.code:
                return wanted
            if name not in found.names:
                return None
            wanted = found.names[name]
        return None

    def roots(self) -> Iterator[_Code]:
        """The code that needs nobody to call it."""
        for name, module in self.modules.items():
            if not _is_rules(name):
                yield from module.code.values()
                yield from (method for methods in module.methods.values() for method in methods.values())
            yield from module.loose

    def rulesets(self) -> Iterator[Definition]:
        """The `RULESET` of every package directly in the rules."""
        for name in self.modules:
            if name.count(".") == RULES.count(".") + 1 and name.startswith(f"{RULES}."):
                found = self.resolved((name, "RULESET"))
                if found is not None:
                    yield found

    def read_in(self, code: _Code) -> Iterator[Definition]:
        """The definitions that some code reads, by their names or through their modules."""
        names = self.modules[code.module].names
        wanted = {names[name] for name in code.names if name in names}
        for owner, attribute in code.dotted:
            module, name = names.get(owner, ("", owner))
            if not name:
                wanted.add((module, attribute))
        yield from filter(None, map(self.resolved, wanted))


def _name_of(file: Path) -> str:
    return ".".join(file.with_suffix("").parts).removesuffix(".__init__")


def _is_rules(module: str) -> bool:
    return module == RULES or module.startswith(f"{RULES}.")


def _code(module: str, *nodes: ast.AST) -> _Code:
    """Some code with what it reads."""
    code = _Code(module, is_function=any(isinstance(node, ast.FunctionDef) for node in nodes))
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        if isinstance(node, ast.Name):
            code.names.add(node.id)
        elif isinstance(node, ast.Attribute):
            code.attributes.add(node.attr)
            if isinstance(node.value, ast.Name):
                code.dotted.add((node.value.id, node.attr))
        elif isinstance(node, QUOTING):
            code.names.update(_quoted(node))
    return code


def _quoted(node: ast.AST) -> Iterator[str]:
    """The names that stand in quotes in the annotation of a node, or in its brackets."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        typed = node.returns
    elif isinstance(node, ast.arg | ast.AnnAssign):
        typed = node.annotation
    else:
        typed = node.slice if isinstance(node, ast.Subscript) else None
    for inner in ast.walk(typed) if typed is not None else ():
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def _read(name: str, tree: ast.Module, modules: set[str]) -> _Module:
    found = _Module(names=_imported(tree, modules))
    for node in tree.body:
        targets = _defined(node)
        for target in targets:
            found.names[target] = (name, target)
            if not isinstance(node, ast.ClassDef):
                found.code[target] = _code(name, node)
        if isinstance(node, ast.ClassDef):
            methods = [one for one in node.body if _is_plain_method(one)]
            rest = [one for one in node.body if not _is_plain_method(one)]
            found.methods[node.name] = {method.name: _code(name, method) for method in methods}
            found.code[node.name] = _code(name, *node.bases, *node.keywords, *node.decorator_list, *rest)
        elif _is_registered(node):
            found.loose.append(_Code(name, names=set(targets)))
        elif not targets and not isinstance(node, ast.Import | ast.ImportFrom):
            found.loose.append(_code(name, node))
    return found


def _imported(tree: ast.Module, modules: set[str]) -> dict[str, Definition]:
    """What the imports of a module, wherever they stand in it, bring in."""
    names: dict[str, Definition] = {}
    statements: list[ast.AST] = [tree]
    for node in statements:
        statements += [inner for inner in ast.iter_child_nodes(node) if not isinstance(inner, ast.expr)]
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                names[alias.asname or alias.name] = (
                    (whole, "") if whole in modules else (node.module, alias.name)
                )
        elif isinstance(node, ast.Import):
            names.update({alias.asname: (alias.name, "") for alias in node.names if alias.asname})
    return names


def _defined(node: ast.stmt) -> list[str]:
    """The names that a statement at the top of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    return [inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)]


def _is_registered(node: ast.stmt) -> bool:
    """Whether the decorators of a function hand it to its ruleset."""
    if not isinstance(node, ast.FunctionDef):
        return False
    called = [one.func for one in node.decorator_list if isinstance(one, ast.Call)]
    return any(isinstance(one, ast.Name) and one.id == REGISTERS for one in called)


def _is_plain_method(node: ast.stmt) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Whether a method is called by its name alone: no hook of Python, of an enum or of a decorator."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    is_hook = node.name.startswith("_") and node.name.endswith("_")
    return not is_hook and all(ast.unparse(one) in PLAIN_DECORATORS for one in node.decorator_list)


def unreached(root: Path) -> tuple[str, ...]:
    """The functions, classes and methods of the rules that nothing in a project reaches.

    A method counts as reached once its class is and anything reached reads an attribute of its name.

    Args:
        root: The project's folder, with `bot` and `cogs` in it.

    Returns:
        Each as "module.name", sorted.
    """
    project = _Project(root)
    reached: set[Definition] = set()
    attributes: set[str] = set()
    waiting = [*project.roots()]

    def reach(definition: Definition, code: _Code) -> None:
        if definition not in reached:
            reached.add(definition)
            waiting.append(code)

    for module, name in project.rulesets():
        reach((module, name), project.modules[module].code[name])
    while waiting:
        while waiting:
            code = waiting.pop()
            attributes |= code.attributes
            for module, name in project.read_in(code):
                reach((module, name), project.modules[module].code[name])
        for module, name in tuple(reached):
            for method, code in project.modules[module].methods.get(name, {}).items():
                if method in attributes:
                    reach((module, f"{name}.{method}"), code)
    return tuple(
        sorted(f"{module}.{name}" for module, name in _rules_of(project) if (module, name) not in reached)
    )


def _rules_of(project: _Project) -> Iterator[Definition]:
    """Every function, class and method of the rules."""
    for name, module in project.modules.items():
        if not _is_rules(name):
            continue
        for key, code in module.code.items():
            if key in module.methods or code.is_function:
                yield name, key
        for class_, methods in module.methods.items():
            yield from ((name, f"{class_}.{method}") for method in methods)
