"""What to do about an error on the command line: one row per reason, option or outcome. See `explorer.core.hints`."""

from __future__ import annotations

from explorer.core.hints import Hint, with_remedies

_INSTALL = "In the folder of the program's source, run: {command}"

# By key in alphabetical order. A reason has precedence over an option, see `hints_for`; the rest of a sentence such as
# {unit} comes from the error's fields.
HINTS = with_remedies(
    (
        Hint(
            "address-needs-token",
            "Write a random token into a file that only you can read, and name it with --token-file.",
        ),
        Hint("allow_remote", "If the texts may be sent there, add --allow-remote."),
        Hint("allow_same", "Name it once, or add --allow-same to count it each time."),
        Hint("again", "Name only the other files, or add all of them with --again."),
        Hint("bad-line", "Fix it, or skip such lines with --on-bad skip."),
        Hint(
            "bad-record",
            "Fix the {unit}, choose the field with --text-field, or skip such {unit}s with --on-bad skip.",
        ),
        Hint(
            "check_fit",
            "Give the tokenizer that the index was built with; if you are sure that this one fits, add --no-fit-check.",
        ),
        Hint("cluster", "Leave out --cluster, or write it into files."),
        Hint("empty-query", "Give a word or a phrase."),
        Hint("encoding", 'Give a name such as utf-8, cp850 or koi8-r, or "auto" to detect it.'),
        Hint("eos", "Name the token that ends a document, or its id, with --eos."),
        Hint(
            "embeddings-begun",
            "Give the same settings to continue it, or remove embeddings.partial.json to begin again.",
        ),
        Hint("field", "Leave out the option that names the field."),
        Hint("folder-not-shared", "Name a folder with --out that all workers reach under the same path."),
        Hint("format", "Fix the file, or read it as text with --input text."),
        Hint("format-of-bytes", 'Leave out --tokenizer, or give "bytes".'),
        Hint("ids", "State the type with --ids, such as uint16."),
        Hint("index-is-no-source", "To join indexes: corpus-explorer merge INDEX {path} --out NEW."),
        Hint("interrupted-build", "Run the same build again with --resume to finish it."),
        Hint("keep_text", "Leave out --keep-text, or add --format fm."),
        Hint("kept", "To continue, build again with --resume."),
        Hint("manifest", "Leave out the sources, or give the table as --metadata."),
        Hint("manifest-and-metadata", "Leave out --metadata."),
        Hint(
            "match", "Add --match tokens, and write the text as it occurs within a line, often with a space before it."
        ),
        Hint("memory", "Set a limit with --memory, or make more parts with --shards."),
        Hint(
            "cluster-not-encrypted",
            "Use tls:// with certificates, or add --insecure and --allow-remote if nobody else can reach it.",
        ),
        Hint("needs-serve-packages", _INSTALL),
        Hint("no-distributed", _INSTALL),
        Hint("no-mcp", _INSTALL),
        Hint("special_tokens", "Give --special-tokens text or --special-tokens tokens."),
        Hint("special-tokens-differ", "Build one of them again with another value of --special-tokens."),
        Hint("no-server", "Start the server, or correct the address."),
        Hint(
            "no-tokenizer",
            'Download the file and give --tokenizer its path, or choose "bytes" or "train".',
        ),
        Hint("no-workers", "Start some, for example with: dask worker ADDRESS --memory-limit 0."),
        Hint("not-moved", "Fix the cause and build again with --resume to move it, or open it where it is."),
        Hint("port-taken", "Choose another one with --port, or end the other program."),
        Hint(
            "remembered-tokenizer",
            "Remember another one with: corpus-explorer set-tokenizer INDEX FILE; or forget it with --forget.",
        ),
        Hint("restart", "To start over, build again without --resume; this removes the finished part."),
        Hint("resume", "Add --resume to continue it, or name another file."),
        Hint("same-name", "Give them names with --name."),
        Hint("skip_bad", "Repair or replace the file; to keep the readable part of such files, add --on-bad skip."),
        Hint("node-unknown", "Name the clause with --node."),
        Hint("sample-of-a-part", "Add --exact."),
        Hint("shards-missing", "Start its worker again, or let count and kwic leave it out with --partial."),
        Hint("sources_only", "Leave out --sources-only to cut what the tokens spell."),
        Hint("text_field", "Name the field with --text-field."),
        Hint("question_field", "Name the field with --question-field."),
        Hint("token-file-open", "Run: chmod 600 {path}"),
        Hint("token-too-short", "Make one with, for example: openssl rand -hex 32."),
        Hint(
            "tokenizer-unknown",
            "Give --tokenizer the tokenizer.json that it was built with, or remember it for this index with: "
            "corpus-explorer set-tokenizer INDEX FILE.",
        ),
        Hint("token-ids", "Name its tokenizer.json with --tokenizer."),
        Hint("tokenizer", 'Give --tokenizer the path of a tokenizer.json, "bytes" or "train".'),
        Hint("tune", "Give texts to learn from with --tune FILE, or choose another --method."),
        Hint("unfit-encoding", "Name its character set with --encoding, or skip such files with --on-bad skip."),
        Hint(
            "unit-bytes",
            "Give the length in tokens, or build an index of the same texts with --tokenizer bytes.",
        ),
        Hint("vocabulary", "Write, for example, --tokenizer train:16384."),
        Hint("where", "Change the condition."),
        Hint("wrong-log-base", "If the file has another base, name it with --log-base."),
    )
)
