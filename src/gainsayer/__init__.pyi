"""The public names, for type checkers and editors; `__init__.py` has them for Python."""

from gainsayer import (
    comparison as comparison,
)
from gainsayer import (
    datasets as datasets,
)
from gainsayer import (
    gains as gains,
)
from gainsayer import (
    machines as machines,
)
from gainsayer import (
    measures as measures,
)
from gainsayer import (
    model as model,
)
from gainsayer import (
    planning as planning,
)
from gainsayer import (
    ranking as ranking,
)
from gainsayer import (
    reading as reading,
)
from gainsayer import (
    studies as studies,
)
from gainsayer.commands import machine as machine
from gainsayer.commands import study as _study
from gainsayer.commands.agree import AgreementTable as AgreementTable
from gainsayer.commands.agree import agree as agree
from gainsayer.commands.compare import ComparisonTable as ComparisonTable
from gainsayer.commands.compare import compare as compare
from gainsayer.commands.export import Export as Export
from gainsayer.commands.export import export as export
from gainsayer.commands.fit import Fit as Fit
from gainsayer.commands.fit import fit as fit
from gainsayer.commands.inputs import Reading as Reading
from gainsayer.commands.model_file import SavedModel as SavedModel
from gainsayer.commands.model_file import read_model as read_model
from gainsayer.commands.plan import PlanTable as PlanTable
from gainsayer.commands.plan import plan as plan
from gainsayer.commands.provenance import Provenance as Provenance
from gainsayer.commands.score import Evaluator as Evaluator
from gainsayer.commands.score import ScoreTable as ScoreTable
from gainsayer.commands.score import score as score
from gainsayer.commands.simulate import simulate as simulate
from gainsayer.commands.study import StudyTable as StudyTable
from gainsayer.datasets.paper import twenty_documents as twenty_documents
from gainsayer.datasets.simulation import SimulatedCollection as SimulatedCollection
from gainsayer.errors import CallError as CallError
from gainsayer.errors import DataError as DataError
from gainsayer.errors import GainsayerError as GainsayerError
from gainsayer.findings import Finding as Finding
from gainsayer.gains.kinds import prm_gains as prm_gains
from gainsayer.gains.values import Gains as Gains
from gainsayer.levels import Levels as Levels
from gainsayer.levels import Relevance as Relevance
from gainsayer.measures.catalogue import Measure as Measure
from gainsayer.model.estimate import estimate_disagreement as estimate_disagreement
from gainsayer.model.pairs import count_pairs as count_pairs
from gainsayer.model.relevance import predict_relevance as predict_relevance
from gainsayer.ranking.resources import select_resources as select_resources
from gainsayer.reading.judgment_sources import read_judgments as read_judgments
from gainsayer.reading.judgments import Judgments as Judgments
from gainsayer.reading.run import Run as Run
from gainsayer.reading.runs import read_run as read_run
from gainsayer.reports.report import Report as Report
from gainsayer.reports.report import report as report
from gainsayer.result import Result as Result

__version__: str
study = _study
ROOMS: tuple[str, ...]
_HOME: dict[str, str]
_FAMILIES: dict[str, str]
__all__: list[str]
