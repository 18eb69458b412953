"""Messages name the idea in Python's words; here they get the flags of the command line."""

from __future__ import annotations

import re

# Arguments of the functions whose option has another name.
_SPELLED = {"format": "input", "merges": "merge", "maps": "map", "purpose": "for"}
# Arguments of the functions that are options of the commands.
_NAMES = {
    *(
        "by",
        "by_assessor",
        "common_documents",
        "diversity",
        "duplicates",
        "engine",
        "estimator",
        "first",
        "format",
    ),
    *(
        "gain",
        "gains",
        "intent_probabilities",
        "intents",
        "interval",
        "labels",
        "levels",
        "maps",
        "merges",
        "missing",
        "model",
        "no_relevant",
    ),
    *("overwrite", "pairing", "queries", "raters", "relevant", "repeats", "runs", "sampled", "scale", "second"),
    *("machine", "master", "people", "smooth", "strata", "threshold", "ties", "topics", "unjudged", "wide"),
    *("assessors", "budget", "documents", "guess", "keep_pilot", "plan", "power", "purpose", "shares", "within"),
    "baseline",
}
_TEXT = r"(?:'[^']*'|\"[^\"]*\")"
_HINT = (  # compiled where there is a message with one
    r"\b(?P<name>\w+)="
    rf"(?:(?P<text>{_TEXT})(?P<more>(?:, {_TEXT})* or {_TEXT})?"
    rf"|\{{(?P<outer>{_TEXT}): \{{(?P<pairs>[^{{}}]*)\}}\}}|\{{(?P<pair>[^{{}}]*)\}}|True\b|\.\.\.)"
)


def with_flags(text: str) -> str:
    """A message with `estimator='one-sided'` as `--estimator one-sided`, for readers of the command line.

    >>> with_flags("Use estimator='one-sided', or name the sides with first=... and second=....")
    'Use --estimator one-sided, or name the sides with --first and --second.'
    >>> with_flags("Give its gain: gain={'Key': 0.5}; map the labels: maps={'ann': {'1': '0', '2': '1'}}")
    'Give its gain: --gain Key=0.5; map the labels: --map ann:1=0,2=1'
    >>> with_flags("Keep one with repeats='first', 'last' or 'majority'; by_assessor=True")
    'Keep one with --repeats first, last or majority; --by-assessor'
    """
    return re.sub(_HINT, _spell, text) if "=" in text else text


def _spell(found: re.Match[str]) -> str:
    name = found["name"]
    if name not in _NAMES:
        return found[0]
    flag = "--" + _SPELLED.get(name, name).replace("_", "-")
    if found["text"] is not None:
        return f"{flag} {found['text'][1:-1]}{re.sub(_TEXT, lambda part: part[0][1:-1], found['more'] or '')}"
    if found["pairs"] is not None:
        return f"{flag} {found['outer'][1:-1]}:{_pairs(found['pairs'], ',')}"
    if found["pair"] is not None:
        return f"{flag} {_pairs(found['pair'], ' ' + flag + ' ')}"
    return flag


def _pairs(text: str, between: str) -> str:
    """The items of a dict as LEFT=RIGHT."""
    items = re.findall(rf"({_TEXT}): ({_TEXT}|[^,]+)", text)
    return between.join(f"{_bare(left)}={_bare(right)}" for left, right in items)


def _bare(text: str) -> str:
    return text[1:-1] if re.fullmatch(_TEXT, text) else text
