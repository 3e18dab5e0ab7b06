"""Scripts for users who have a model folder and a package that runs it, which this program does not need.

Each writes the file that `read_scored` reads. They share how texts are cut into windows, read and written.
"""

from __future__ import annotations

_ABOUT = '''\
"""Writes the log probability of each token of texts, for: corpus-explorer mix INDEX --probabilities OUT

    python score.py {model} TEXTS OUT

TEXTS is a plain text, or JSON Lines with a field "text". {model} is on this machine: nothing is downloaded.
"""

'''

_WINDOWS = '''
WINDOW = 1024  # most tokens of context; a longer text is scored in windows that overlap by half


def windows(count):
    """(first token of the window, first and last token to score) of each window."""
    half = WINDOW // 2
    yield 0, 1, min(count, WINDOW)
    for first in range(half, count - half, half):
        yield first, first + half, min(count, first + WINDOW)


'''

_JOINED = """\
    tokens, last = [], 0
    for token, (start, stop), logprob in zip(ids, places, logprobs):
        # Of a character that several tokens share, the first has it; spaces between words may be in none.
        start = max(start, last)
        last = max(stop, start)
        tokens.append({"start": start, "end": last, "logprob": logprob, "id": token})
    return tokens


"""

_MAIN = """\
    with open(source, encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file] if source.endswith(".jsonl") else [file.read()]
    with open(out, "x", encoding="utf-8") as file:
        for number, text in enumerate(texts, start=1):
            tokens = score(model, tokenizer, text)
            file.write(json.dumps({"text": text, "model": folder, "log_base": "e", "tokens": tokens}) + "\\n")
            print(f"{number} of {len(texts)} texts", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
"""

_TRANSFORMERS = """\
def score(model, tokenizer, text):
    found = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    ids, places = found["input_ids"], found["offset_mapping"]
    if not ids:
        return []
    # Models that were trained with a token before each text need it. It is context only.
    begin = [tokenizer.bos_token_id] if getattr(tokenizer, "add_bos_token", False) else []
    logprobs = [None] * len(ids)
    for first, begin_at, end in windows(len(ids)):
        context = begin + ids[first:end]
        with torch.no_grad():
            logits = model(torch.tensor([context])).logits[0].float()
        shares = torch.log_softmax(logits, dim=-1)
        if first == 0 and begin:
            logprobs[0] = float(shares[0, ids[0]])
        for at in range(begin_at, end):
            # What the model gives a token is in the row of the token before it.
            logprobs[at] = float(shares[len(begin) + at - first - 1, ids[at]])
"""

_VLLM = """\
def score(model, tokenizer, text):
    found = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    ids, places = found["input_ids"], found["offset_mapping"]
    if not ids:
        return []
    # Models that were trained with a token before each text need it. It is context only.
    begin = [tokenizer.bos_token_id] if getattr(tokenizer, "add_bos_token", False) else []
    logprobs = [None] * len(ids)
    asked = list(windows(len(ids)))
    prompts = [{"prompt_token_ids": begin + ids[first:end]} for first, _, end in asked]
    # The token of the prompt itself is always among those that are told.
    answers = model.generate(prompts, SamplingParams(max_tokens=1, temperature=0, prompt_logprobs=0))
    for (first, begin_at, end), answer in zip(asked, answers):
        told = answer.prompt_logprobs
        for at in [0] * (first == 0 and len(begin)) + list(range(begin_at, end)):
            logprobs[at] = told[len(begin) + at - first][ids[at]].logprob
"""

_LLAMA = '''\
def places_of(text, pieces):
    """The characters of each piece, given in bytes."""
    whole = text.encode("utf-8")
    # Some tokenizers put a space before a text.
    added = len(b"".join(pieces)) - len(whole)
    if pieces and added == 1 and pieces[0][:1] == b" ":
        pieces = [pieces[0][1:], *pieces[1:]]
    if b"".join(pieces) != whole:
        sys.exit("The tokens do not spell the text: the tokenizer of the model changes it.")
    # Characters that begin before each byte: the token with the first byte of a character has it.
    begun = [0]
    for byte in whole:
        begun.append(begun[-1] + (byte & 0xC0 != 0x80))
    at, places = 0, []
    for piece in pieces:
        places.append((begun[at], begun[at + len(piece)]))
        at += len(piece)
    return places


def score(model, tokenizer, text):
    ids = model.tokenize(text.encode("utf-8"), add_bos=False, special=False)
    if not ids:
        return []
    places = places_of(text, [model.detokenize([token]) for token in ids])
    # Models that were trained with a token before each text need it. It is context only.
    begin = model.tokenize(b"a", add_bos=True, special=False)[:1]
    begin = begin if begin == [model.token_bos()] else []
    logprobs = [None] * len(ids)
    for first, begin_at, end in windows(len(ids)):
        model.reset()
        model.eval(begin + ids[first:end])
        for at in [0] * (first == 0 and len(begin)) + list(range(begin_at, end)):
            # What the model gives a token is in the row of the token before it.
            logits = model.scores[len(begin) + at - first - 1].astype(np.float64)
            most = logits.max()
            logprobs[at] = float(logits[ids[at]] - most - np.log(np.exp(logits - most).sum()))
'''

SCRIPTS = {
    "transformers": (
        _ABOUT.format(model="MODEL_FOLDER")
        + "import json\nimport sys\n\nimport torch\nfrom transformers import AutoModelForCausalLM, AutoTokenizer\n"
        + _WINDOWS
        + _TRANSFORMERS
        + _JOINED
        + "def main(folder, source, out):\n"
        "    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, use_fast=True)\n"
        "    model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True).eval()\n" + _MAIN
    ),
    "llama-cpp-python": (
        _ABOUT.format(model="MODEL.gguf")
        + "import json\nimport sys\n\nimport numpy as np\nfrom llama_cpp import Llama\n"
        + _WINDOWS
        + _LLAMA
        + _JOINED
        + "def main(folder, source, out):\n"
        "    # All rows of scores are needed, not only the last one. One place more for the token before a text.\n"
        "    model = Llama(model_path=folder, n_ctx=WINDOW + 1, logits_all=True, verbose=False)\n"
        "    tokenizer = None\n" + _MAIN
    ),
    "vllm": (
        _ABOUT.format(model="MODEL_FOLDER") + "import json\nimport os\nimport sys\n\n"
        "# Before the import: nothing is downloaded, and no figures of the use are sent to the makers of vLLM.\n"
        'os.environ.update(HF_HUB_OFFLINE="1", VLLM_NO_USAGE_STATS="1", DO_NOT_TRACK="1")\n\n'
        "from transformers import AutoTokenizer\nfrom vllm import LLM, SamplingParams\n"
        + _WINDOWS
        + _VLLM
        + _JOINED
        + "def main(folder, source, out):\n"
        "    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, use_fast=True)\n"
        "    # Room for the token before a text, and for the one that must be written.\n"
        "    model = LLM(model=folder, max_model_len=WINDOW + 2)\n" + _MAIN
    ),
}
"""By the package that runs the model. Tried: transformers 5.23. The others ran with stand-ins for the packages only."""
