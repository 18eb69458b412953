"""`simulate`: judgments and runs with known parameters, in memory and as files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy.typing as npt

from gainsayer.datasets.checks import check_count
from gainsayer.datasets.design import RunDesign, SecondRound
from gainsayer.datasets.label_models import JointModel, LatentModel, read_matrix
from gainsayer.datasets.machine_judge import MachineJudge
from gainsayer.datasets.simulation import SimulatedCollection, simulate_collection
from gainsayer.datasets.write import write_collection
from gainsayer.errors import CallError
from gainsayer.levels import Levels, parse_levels
from gainsayer.reading.files import FilePath
from gainsayer.text import option

_BEST, _WORST = 0.9, 0.3


def simulate(
    folder: FilePath | None = None,
    *,
    overwrite: bool = False,
    topics: int = 50,
    documents: int = 100,
    levels: Levels | str | Sequence[str] | None = None,
    assessors: int = 2,
    second_topics: int | None = None,
    second_share: float = 1.0,
    second_by_level: Mapping[str, float] | None = None,
    readings: int = 2,
    shares: Sequence[float] | None = None,
    topic_effect: float = LatentModel.topic_effect,
    leniency: float = LatentModel.leniency,
    noise: float = LatentModel.noise,
    matrix: npt.ArrayLike | FilePath | None = None,
    concentration: float | None = 35.0,
    strata: Mapping[str, float] | None = None,
    runs: int | Mapping[str, float] | Sequence[float] = 5,
    depth: int = 100,
    unjudged: float = 0.05,
    machine: str | None = None,
    generosity: float = MachineJudge.generosity,
    taste: float = MachineJudge.taste,
    machine_noise: float = MachineJudge.noise,
    calls: int = 1,
    call_noise: float = MachineJudge.call_noise,
    tasteful: Sequence[str] | None = None,
    reranker: str | None = None,
    seed: int = 0,
) -> SimulatedCollection:
    """Draw judgments and runs from known parameters; with a folder, write them there as ordinary files as well.

    Labels come from a latent quality that assessors see through leniency and noise (`LatentModel`) or, where there is
    a matrix, from a joint distribution of two labels (`JointModel`). `simulate_collection` takes these models
    themselves, also one for each stratum; `write_collection` says what the files are.

    Args:
        folder: where the files go, all of them or none: a folder that does not exist yet, or is empty.
        overwrite: replace an earlier simulation in that folder.
        topics: number of topics.
        documents: documents judged per topic.
        levels: from low to high, by name; by default Non, Rel, HRel, Key, or numbers where there are not four.
        assessors: number of assessors, half on each side.
        second_topics: topics judged twice; by default 24 of every 50.
        second_share: share of their documents judged again.
        second_by_level: the same by first level; levels left out have `second_share`.
        readings: opinions on each document judged again, the first one included.
        shares: latent model: share of each level, from low to high.
        topic_effect: latent model: how much topics differ.
        leniency: latent model: how much assessors differ.
        noise: latent model: what else separates two readings of a document.
        matrix: joint model: counts or shares, rows the first level; or a file of them, one row a line.
        concentration: joint model: how alike topics are; None where they do not differ at all.
        strata: kinds of topics and their shares, such as `{"nav": 0.4, "inf": 0.6}`.
        runs: how many runs, of falling quality; or the quality of each from 0 to 1, by name or in order.
        depth: documents per topic in a run.
        unjudged: share of unjudged documents in a run.
        machine: name of a machine that grades every document of the pool (`MachineJudge`); by default there is none.
        generosity: how much too well the machine thinks of every document, in standard deviations of quality.
        taste: how much it likes a style for which people do not care.
        machine_noise: what else separates it from quality, the same in every call.
        calls: how often it is asked about each document.
        call_noise: what separates one call from another.
        tasteful: runs that share its taste; by default every other one, the first included.
        reranker: name of a further run that ranks by the machine's grades alone.
        seed: of everything that is drawn.

    Returns:
        The collection, with the true parameters in `truth`.

    Raises:
        CallError: something asked is out of range, or the folder holds something else.
        FormatError: the matrix in a file is no square of numbers.

    >>> simulate(topics=10, documents=20, runs=2, seed=1)
    SimulatedCollection(300 judgments, 10 topics, 5 judged twice, 2 runs, seed 1)
    >>> len(simulate(topics=10, documents=20, machine="gpt", calls=3).machine)
    600
    >>> simulate(matrix=[[4, 1, 1], [3, 4, 3], [0, 2, 2]], topics=4).truth.symmetric[:, 2].round(4).tolist()
    [0.0769, 0.2941, 0.4]
    """
    model: JointModel | LatentModel
    if matrix is not None:
        square = read_matrix(matrix) if isinstance(matrix, str | os.PathLike) else matrix
        model = JointModel(square, concentration)
    else:
        of_levels = LatentModel.shares if shares is None else shares
        model = LatentModel(of_levels, topic_effect=topic_effect, leniency=leniency, noise=noise)
    judge = None
    if machine is not None:
        judge = MachineJudge(
            machine, generosity, taste, machine_noise, calls, call_noise, tasteful=tasteful, reranker=reranker
        )
    elif reranker is not None or tasteful is not None:
        raise CallError(f"A run that is close to a machine needs the machine: name it, {option('machine', 'gpt')}.")
    collection = simulate_collection(
        model,
        levels=parse_levels(levels) if isinstance(levels, str) else levels,
        topics=topics,
        documents=documents,
        assessors=assessors,
        second=SecondRound(second_topics, second_share, dict(second_by_level or {}), readings),
        runs=RunDesign(_falling(runs) if isinstance(runs, int) else runs, depth, unjudged),
        strata=strata,
        machine=judge,
        seed=seed,
    )
    if folder is not None:
        write_collection(collection, folder, overwrite=overwrite)
    return collection


def _falling(runs: int) -> list[float]:
    """Qualities of so many runs from good to bad, evenly.

    >>> _falling(3)
    [0.9, 0.6, 0.3]
    """
    check_count(runs, "The number of runs", least=0)
    step = (_BEST - _WORST) / (runs - 1) if runs > 1 else 0.0
    return [round(_BEST - step * place, 6) for place in range(runs)]
