"""The results of Next token, Trace and Agreement as code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

from explorer.analyses.agreement.analysis import Texts
from explorer.analyses.agreement.question import AgreementQuestion
from explorer.analyses.agreement.sources import InputChoice
from explorer.analyses.next_tokens.question import NextTokensQuestion
from explorer.analyses.trace.settings import TraceSettings
from explorer.recipes.code import Recipe, Source, call, command, comment, option, program

_SHOWN = 20


def next_token_recipe(source: Source, prompt: str, question: NextTokensQuestion, steps: int = 0) -> Recipe:
    """The tokens, or the words, that follow a prompt.

    steps: Steps that are read at most for whole words.
    Returns: Code that prints the first tokens, or words, with their counts.
    """
    if question.words:
        return _next_words_recipe(source, prompt, question, steps)
    name = "corpus.infgram_next_tokens" if question.n is None else "corpus.next_tokens"
    # n counts the next token: of an n-gram, n - 1 tokens are the context.
    context = {None: "ids", 1: "[]"}.get(question.n, f"ids[-{(question.n or 0) - 1}:]")
    limit = {} if question.limit is None else {"limit": question.limit}
    asked = f"result = {call(name, [context], limit)}"
    code = program(
        (),
        source,
        [
            f"ids = corpus.encode({prompt!r})",
            asked,
            f"for token, count, share in zip(result.tokens[:{_SHOWN}], result.counts, result.probabilities):",
            "    print(f'{share:.4f}', count, token, corpus.decode([token]), sep='\\t')",
        ],
    )
    return Recipe(code, (_next_command(source, prompt, _next_options(question)),))


def _next_options(question: NextTokensQuestion) -> list[str]:
    # The command takes a sample by itself, if the index needs it.
    return replace(question, limit=None).options


def _next_words_recipe(source: Source, prompt: str, question: NextTokensQuestion, steps: int) -> Recipe:
    n = question.n
    length = "corpus.index.counts.longest_suffix(ids)" if n is None else f"min({n - 1}, len(ids))"
    lines = [
        f"ids = corpus.encode({prompt!r})",
        f"found = next_words(corpus.index, ids[len(ids) - {length}:], {steps})",
        f"for word in found.words[:{_SHOWN}]:",
        "    print(word.count, word.text, sep='\\t')",
    ]
    code = program(["from explorer.analyses.next_tokens.next_words import next_words"], source, lines)
    return Recipe(code, (_next_command(source, prompt, _next_options(question)),))


def word_tree_recipe(
    source: Source,
    prompt: str,
    root: Sequence[int],
    widths: Sequence[int],
    opened: Mapping[str, Sequence[Sequence[str]]],
) -> Recipe:
    """The words around the end of a prompt, branch by branch.

    root: Tokens of the context that the tree grows from.
    opened: For each side that is shown, "before" and "after": the paths of branches that are open beyond these depths.
    Returns: Code that prints all branches with their counts. Each side has a command, which prints its first branches.
    """
    lines = [
        f"root = {list(root)!r}",
        "def show(branches, depth=0):",
        "    for branch in branches:",
        "        print('  ' * depth + str(branch.count), branch.text, sep='\\t')",
        "        show(branch.branches, depth + 1)",
    ]
    for side, paths in opened.items():
        known = ", ".join(repr(tuple(path)) for path in sorted(map(tuple, paths)))
        shape = f"TreeShape({tuple(widths)!r}, frozenset([{known}]))"
        lines.append(f"show(tree_{side}(corpus.index, root, {shape}).branches)")
    imports = [
        f"from explorer.analyses.next_tokens.word_tree import TreeShape, {', '.join(f'tree_{side}' for side in opened)}"
    ]
    code = program(imports, source, lines)
    switches = {"after": "--words", "before": "--before"}
    options = [[option("--n", len(root) + 1), switches[side], option("--top", widths[0])] for side in opened]
    return Recipe(code, tuple(_next_command(source, prompt, each) for each in options))


def _next_command(source: Source, prompt: str, options: Sequence[str]) -> str:
    if prompt == "-" or prompt.endswith(("\n", "\r")):
        # Read from standard input, where one line feed at the end is not part of the text.
        return command("next", source, options, "-", stdin=prompt + "\n")
    return command("next", source, options, prompt)


def trace_recipe(
    source: Source, text: str, prompt: str = "", settings: TraceSettings | None = None, without_self: bool = False
) -> Recipe:
    """The parts of a text that occur in the corpus.

    settings: How spans are found; None for the defaults.
    without_self: Whether documents that contain most of the text are left out.
    Returns: Code that prints the number of spans and documents, and the longest match.
    """
    settings = settings or TraceSettings()
    imports = [
        "from explorer.analyses.trace.pipeline import trace_text",
        "from explorer.analyses.overlap.copies import without_text",
    ]
    given = call("explorer.TraceSettings", [], {each.name: value for each, value in settings.changed()})
    # Named, since both may be long and are used twice.
    lines = [f"text = {text!r}", f"prompt = {prompt!r}"]
    if without_self and settings.match == "words":
        lines.append(f"found = corpus.trace(text, prompt, {given}, without_self=True)")
    elif without_self:
        lines.append(f"found = trace_text(without_text(corpus.index, text).index, text, prompt, {given})")
    else:
        lines.append(f"found = corpus.trace(text, prompt, {given})")
    lines.append("print(len(found.spans), len(found.documents), found.novelty.longest_match)")
    code = program(imports if without_self and settings.match == "tokens" else (), source, lines)
    if prompt == "-":
        why = 'The command line takes the prompt "-" for standard input. Use the Python program.'
        return Recipe(code, (comment(why),))
    options = [*_trace_options(settings), *(["--without-self"] if without_self else [])]
    options += [option("--prompt", prompt)] if prompt else []
    # As text, whatever it looks like: a text may well be JSON.
    return Recipe(code, (command("trace", source, ["--input=text", *options], "-", stdin=text),))


def _trace_options(settings: TraceSettings) -> list[str]:
    # The command has no options for what is read around an occurrence, and refuses what has no meaning for words.
    unused = {"context", "snippet"}
    unused |= {"delimiters", "abbreviations", "word_boundaries"} if settings.match == "words" else set()
    changed = ((each, value) for each, value in settings.changed() if each.name not in unused)
    return [text for each, value in changed for text in each.kind.options(each.option, value)]


def agreement_recipe(
    source: Source,
    question: AgreementQuestion,
    texts: Texts,
    files: Sequence[str] = (),
    choice: InputChoice | None = None,
    removed: Sequence[str] = (),
) -> Recipe:
    """How texts agree with the corpus.

    texts: Texts that are analyzed besides those of the files.
    removed: Groups of the files that are left out.
    Returns: Code that prints the scored tokens and the share that the ∞-gram predicts.
    """
    choice, given = choice or InputChoice(), {each.name: value for each, value in question.changed()}
    if files:
        imports = ["from explorer.analyses.agreement.sources import InputChoice, read_texts"]
        lines, asked = _reading(texts, files, choice, removed), ["texts", "groups", "prompts=prompts"]
    else:
        # Groups decide which texts are sampled, if only some are.
        beside = {name: getattr(texts, name) for name in ("groups", "prompts") if any(getattr(texts, name))}
        imports, lines, asked, given = [], [], [repr(texts.texts)], {**beside, **given}
    lines += [
        f"found = {call('corpus.compare_agreement', asked, given)}",
        "print(found.token_count, found.agreement)",
    ]
    command_line = _agree_command(source, question, texts, files, choice)
    if files and (texts.texts or removed):
        command_line = comment("The command line reads whole files, and no text beside them. Use the Python program.")
    return Recipe(program(imports, source, lines), (command_line,))


def _reading(texts: Texts, files: Sequence[str], choice: InputChoice, removed: Sequence[str]) -> list[str]:
    """Texts, groups and prompts of files, and of the texts besides them."""
    none = ("",) * len(texts.texts)
    beside = list(zip(texts.texts, texts.groups or none, texts.prompts or none, strict=True))
    names = [each.name for each in fields(choice)]
    changed = {name: getattr(choice, name) for name in names if getattr(choice, name) != getattr(InputChoice(), name)}
    return [
        f"read = read_texts({list(files)!r}, {call('InputChoice', [], changed)})",
        "rows = list(zip(read.texts, read.groups, read.prompts or [''] * len(read.texts)))",
        *([f"rows = [row for row in rows if row[1] not in {list(removed)!r}]"] if removed else []),
        *([f"rows += {beside!r}"] if beside else []),
        "texts, groups, prompts = zip(*rows)",
    ]


def _agree_command(
    source: Source, question: AgreementQuestion, texts: Texts, files: Sequence[str], choice: InputChoice
) -> str:
    prompts = set(texts.prompts) - {""}
    prompted = bool(prompts or choice.prompt_field)
    # Options that need others are refused without them.
    unused = {*([] if prompted else ["prompt_join"]), *([] if question.max_texts else ["seed"])}
    options = [each.kind.option(each.option, value) for each, value in question.changed() if each.name not in unused]
    if not files and (len(texts.texts) != 1 or len(prompts) > 1):
        return comment("The command line reads several texts from files. Use the Python program.")
    if not files:
        options += [option("--prompt", texts.prompts[0])] if prompts else []
        return command("agree", source, ["--input=text", *options], "-", stdin=texts.texts[0])
    read = {
        "--input": (choice.format, "auto"),
        "--text-field": (choice.text_field, ""),
        "--group": (choice.group_field, None),
        "--prompt-field": (choice.prompt_field, None),
        "--on-bad": (choice.on_bad, "fail"),
    }
    options += [option(name, value) for name, (value, usual) in read.items() if value != usual]
    return command("agree", source, options, *files)
