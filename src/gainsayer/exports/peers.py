"""Asking peers safely: in other processes, with a time limit, nothing printed, no exception let through."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

from gainsayer.exports import peer_process
from gainsayer.exports.gain_maps import show_decimal

Ranking = Mapping[str, Sequence[str]]
"""Documents by rank, for each topic."""

DISTRIBUTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "pytrec_eval": ("pytrec_eval-terrier", "pytrec_eval"),
    "ir_measures": ("ir-measures",),
    "ranx": ("ranx",),
}
BINARY: Final = "trec_eval"
_MOST_TEXT = 200
_LOOK = 0.1  # seconds between two looks at whether a question still matters


@dataclass(frozen=True)
class Question:
    """What a peer is given: relevance by topic and document, gains of the relevance levels or none, and rankings."""

    qrels: Mapping[str, Mapping[str, float]]
    gains: Mapping[str, float] | None
    rankings: Mapping[str, Ranking]


@dataclass(frozen=True)
class Answer:
    """What came back: a value for each ranking, or the reason why there is none.

    `refusal` are the peer's own words; `death` says how its process ended before it could answer; `late` says that
    the time limit did that.
    """

    values: Mapping[str, float] | None = None
    refusal: str | None = None
    death: str | None = None
    late: bool = False


def find_version(peer: str) -> str | None:
    """The installed version of a peer, None where it is not installed; nothing is imported.

    >>> find_version("no such peer") is None
    True
    """
    if peer == BINARY:
        path = shutil.which(BINARY)
        if path is None:
            return None
        ended = _run([path, "--version"], Patience.of(5))
        words = "" if isinstance(ended, str) else (ended.stdout + ended.stderr).split("\n")[0].strip()
        return words.removeprefix("trec_eval version").strip()[:40] or "unknown"
    for name in DISTRIBUTIONS.get(peer, ()):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return None


@dataclass(frozen=True)
class Patience:
    """How long a peer may take, for all its questions together, and whether anybody still waits for the answer.

    `end` is on the clock of `time.monotonic`. Setting `stopped` ends the peer's process soon, from any thread.
    """

    seconds: float
    end: float
    stopped: threading.Event

    @classmethod
    def of(cls, seconds: float, stopped: threading.Event | None = None) -> Patience:
        """So many seconds from now."""
        return cls(seconds, time.monotonic() + seconds, stopped or threading.Event())

    @property
    def left(self) -> float:
        """Seconds that are left; 0 where they are used up or nobody waits any more."""
        return 0.0 if self.stopped.is_set() else max(0.0, self.end - time.monotonic())


def ask_peer(peer: str, question: Question, patience: Patience) -> Answer:
    """Ask an installed peer for the mean nDCG of each ranking; whatever happens becomes an `Answer`.

    Ranks are given as scores `n, n - 1, ...` without ties, so that peers cannot differ by how they break them. A peer
    whose time was used up by earlier questions is not asked.
    """
    if not patience.left:
        return Answer(death=f"not asked: its {patience.seconds:g} seconds were used up", late=True)
    with tempfile.TemporaryDirectory(prefix="gainsayer-doctor-") as folder:
        ask = _ask_binary if peer == BINARY else _ask_package
        return ask(peer, question, Path(folder), patience)


def _ask_package(peer: str, question: Question, folder: Path, patience: Patience) -> Answer:
    asked, answered = folder / "question.json", folder / "answer.json"
    runs = {
        name: {topic: _scores(documents) for topic, documents in ranking.items()}
        for name, ranking in question.rankings.items()
    }
    content = {"peer": peer, "qrels": question.qrels, "gains": question.gains, "runs": runs}
    asked.write_text(json.dumps(content), encoding="utf-8")
    # -P: a file called ranx.py in the user's folder is not the peer. -W ignore: warnings are not the question.
    command = [sys.executable, "-P", "-W", "ignore", str(Path(peer_process.__file__)), str(asked), str(answered)]
    ended = _run(command, patience, folder=folder)
    if isinstance(ended, str):
        return Answer(death=ended, late=True)
    if not answered.exists():
        return Answer(death=_tell_death(ended))
    content = json.loads(answered.read_text(encoding="utf-8"))
    if "refusal" in content:
        return Answer(refusal=str(content["refusal"])[:_MOST_TEXT])
    return Answer(values=content["values"])


def _ask_binary(peer: str, question: Question, folder: Path, patience: Patience) -> Answer:
    path = shutil.which(peer)
    if path is None:
        return Answer(death="it is gone")
    measure = "ndcg"
    if question.gains is not None:
        measure += "." + ",".join(f"{level}={show_decimal(gain)}" for level, gain in question.gains.items())
    # Blanks part the columns, so topics and documents go by number.
    topics = {topic: f"t{place:09}" for place, topic in enumerate(question.qrels)}
    names = {
        topic: {document: f"d{place:09}" for place, document in enumerate(part)}
        for topic, part in question.qrels.items()
    }
    (folder / "qrels").write_text(
        "".join(
            f"{topics[topic]} 0 {names[topic][document]} {show_decimal(value)}\n"
            for topic, part in question.qrels.items()
            for document, value in part.items()
        )
    )
    values = {}
    for place, (name, ranking) in enumerate(question.rankings.items()):
        with (folder / f"run{place}").open("w") as stream:
            for topic, documents in ranking.items():
                for rank, document in enumerate(documents):
                    code = names[topic].get(document, f"u{rank:09}")
                    stream.write(f"{topics[topic]} Q0 {code} {rank + 1} {len(documents) - rank} doctor\n")
        files = [str(folder / "qrels"), str(folder / f"run{place}")]
        ended = _run([str(Path(path).absolute()), "-m", measure, *files], patience, folder=folder)
        if isinstance(ended, str):
            return Answer(death=ended, late=True)
        found = [line.split() for line in ended.stdout.split("\n") if len(line.split()) == 3]
        numbers = [cells[2] for cells in found if cells[0].startswith("ndcg") and cells[1] == "all"]
        if ended.returncode != 0 or not numbers:
            return Answer(refusal=_last_words(ended) or f"it ended with {ended.returncode} and said nothing")
        try:
            values[name] = float(numbers[-1])
        except ValueError:
            return Answer(refusal=f"it printed {numbers[-1][:40]!r}")
    return Answer(values=values)


def _scores(documents: Sequence[str]) -> dict[str, float]:
    return {document: float(len(documents) - place) for place, document in enumerate(documents)}


def _run(
    command: Sequence[str], patience: Patience, *, folder: Path | None = None
) -> subprocess.CompletedProcess[str] | str:
    """The ended process, or why it never ended by itself; what it leaves behind (a core dump) stays in the folder.

    It has a process group of its own, which ends as a whole when time is up: whatever it started would else keep its
    pipes open.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONFAULTHANDLER"}
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as fault:
        return f"it could not be started: {fault.strerror}"
    try:
        while patience.left:
            try:
                output, errors = process.communicate(timeout=min(_LOOK, patience.left))
            except subprocess.TimeoutExpired:
                continue
            return subprocess.CompletedProcess(command, process.returncode, output, errors)
        return f"no answer within {patience.seconds:g} seconds"
    finally:
        if process.returncode is None:
            _end_group(process)


def _end_group(process: subprocess.Popen[str]) -> None:
    process.kill()
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):  # nobody is left in it
            os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _tell_death(ended: subprocess.CompletedProcess[str]) -> str:
    how = f"the process ended with {ended.returncode}"
    if ended.returncode < 0:
        try:
            how = f"the process was killed by {signal.Signals(-ended.returncode).name}"
        except ValueError:
            how = f"the process was killed by signal {-ended.returncode}"
    words = _last_words(ended)
    return f"{how}, saying: {words}" if words else how


def _last_words(ended: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in (ended.stderr or ended.stdout).split("\n") if line.strip()]
    return lines[0][:_MOST_TEXT] if lines else ""
