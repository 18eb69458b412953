"""The keys of every command's JSON: each with its type and, in one line, what it is."""

from __future__ import annotations

from json_schemas import (
    NUMBER,
    TEXT,
    UNKNOWN_NUMBER,
    Document,
    Schema,
    anything,
    by_name,
    entries,
    flag,
    interval,
    listed,
    matrix,
    number,
    or_null,
    record,
    same,
    text,
    whole,
)

from gainsayer.model import COEFFICIENTS


def unknown(about: str) -> Schema:
    """A number that may not be known."""
    return or_null(number(about))


def strata(values: Schema, about: str = "stratum to the same keys; null without strata") -> Schema:
    """The same for each kind of topics."""
    return or_null(by_name(values, about))


LEVEL_TO_NUMBER: Schema = {"type": "object", "additionalProperties": NUMBER}
THRESHOLD = or_null(text("the lowest relevant level; null where the relevant levels are not a threshold"))
RELEVANT = listed(TEXT, "the relevant levels")
PEOPLE: dict[str, Schema] = {
    "over": text("what the intervals are over: topics, or topics and people"),
    "people": listed({"type": "integer"}, "how many named assessors each side has; without sides, one number"),
    "effective_people": listed(
        or_null(NUMBER), "how many equal people those of each side are worth; null for a side that is not left out"
    ),
}
CONFIDENCE = number("of the intervals")
SEED = whole("seed of everything that is drawn")
TOPICS = whole("how many topics")
LEVEL = text("name of the level")
RUN = text("name of the run")
MEASURE = text("name of the measure")
ESTIMATOR = text("symmetric or one-sided")
NOTE = or_null(text("a remark"))
WARNINGS = entries(
    "findings: what a reader should know",
    code=text("stable, see findings.md"),
    message=text("in words; may be reworded"),
)
PROVENANCE = or_null(
    record(
        "what it was made from; null for a result that no command made",
        version=text("of Gainsayer"),
        files=entries(
            "the files that were read",
            file=text("as it was named"),
            sha256=or_null(text("of its content; null for standard input")),
        ),
        options=anything("what was asked for, defaults included; what was left empty is not in it"),
        seed=SEED,
    )
)
NO_STRATA: Schema = {"type": "null", "description": "a stratum has none of its own"}
ERRORS = record(
    "standard errors of the probability",
    binomial=unknown("second opinions taken as independent"),
    pair=unknown("pairs taken as independent"),
    topic=unknown("over topics, which are the sample"),
)

AGREE_COEFFICIENTS: Schema = {
    **by_name(
        record(
            "",
            value=unknown("of the coefficient"),
            interval=or_null(interval("over topics; null where it is not known")),
            note=or_null(text("why there is no interval, or what is odd about it")),
        ),
        f"coefficient to its value: {', '.join(COEFFICIENTS)}",
    ),
    "propertyNames": {"enum": list(COEFFICIENTS)},
}
AGREE: dict[str, Schema] = {
    "pairs": whole("pairs of judgments of the same document, each counted once"),
    "topics": whole("topics that hold pairs"),
    "documents": whole("documents with at least one pair"),
    "first": or_null(listed(TEXT, "assessors of one side; null without sides")),
    "second": or_null(listed(TEXT, "assessors of the other side; null without sides")),
    "levels": listed(TEXT, "names of the levels, from low to high"),
    "counts": matrix("with sides, rows are the first side; without, coincidences in which each judgment counts once"),
    "confidence": CONFIDENCE,
    "coefficients": AGREE_COEFFICIENTS,
    "assessor_pairs": entries(
        "each two assessors who judged some documents both",
        first=text("an assessor"),
        second=text("another one"),
        pairs=whole("documents that both judged"),
        topics=whole("topics of these documents"),
        coefficients=AGREE_COEFFICIENTS,
    ),
    "warnings": WARNINGS,
    "strata": strata(same("stratum")),
}

FIT_THRESHOLD: dict[str, Schema] = {
    "threshold": THRESHOLD,
    "relevant": RELEVANT,
    "levels": entries(
        "one entry per level, from low to high",
        level=LEVEL,
        probability=unknown("p(R|i): how likely a random user is to find such a document relevant"),
        interval=or_null(interval("of the probability")),
        one_sided=unknown("second given first, next to a symmetric estimate of two sides; else null"),
        relevant_count=unknown("relevant second opinions, without weights and before smoothing"),
        judged_count=unknown("all second opinions, or judgments; see counted"),
        standard_error=ERRORS,
        interval_method=or_null(text("how the interval was made")),
        note=NOTE,
        effective_topics=unknown("how many equal topics the topics are worth on this level"),
        degrees_of_freedom=unknown("of the interval's t quantile; null where it uses none"),
    ),
    "covariance": matrix("of the probabilities over topics; levels x levels"),
}
FIT: dict[str, Schema] = {
    **FIT_THRESHOLD,
    "estimator": ESTIMATOR,
    "topics": whole("topics that hold pairs"),
    "pairs": whole("pairs of judgments of the same document, each counted once"),
    "documents": whole("documents with at least one pair"),
    "first": or_null(listed(TEXT, "assessors of the first side; null without sides")),
    "second": or_null(listed(TEXT, "assessors of the second side; null without sides")),
    "assessors": or_null(listed(TEXT, "all assessors where there are no sides; else null")),
    "counts": matrix("pairs by level; rows are the first side. Without sides every pair is in it in both orders"),
    "matrix": matrix("p(j|i): rows sum to 1; a row without second opinions is null throughout"),
    "weighting": text("judgment, pair or document"),
    "weighted": flag("whether pairs carry sampling weights"),
    "cells": record(
        "the pairs that everything is made of, each once, or without sides and people in both orders",
        topics=listed(TEXT, "topics that hold pairs"),
        people=or_null(listed(TEXT, "assessors; null where nothing says who gave a label, or each side is one name")),
        rows=matrix("topic, first person and second person (where there are people), first level, second level, pairs"),
    ),
    "confidence": CONFIDENCE,
    **PEOPLE,
    "interval_note": or_null(text("whom the intervals are for, where that is a question")),
    "counted": text("what judged_count counts: second opinions or judgments"),
    "smoothing": or_null(
        record(
            "how the parameters were smoothed; null where they were not",
            kind=text("uniform, marginal, isotonic or eb-topics"),
            alpha=unknown("how many second opinions the prior is worth; null where it has no such number"),
            description=text("in words"),
        )
    ),
    "thresholds": listed(
        same("threshold"),
        "per notion of relevance: threshold, relevant, levels, covariance; at the top are those of the first",
    ),
    "level_scheme": record(
        "how labels became levels",
        names=listed(TEXT, "of the levels, from low to high"),
        codes=or_null(listed(TEXT, "the label in the files for each level; null where these are the names")),
        merges=by_name(TEXT, "label to the level it was merged into"),
        missing=listed(TEXT, "labels that mean not judged"),
        ordered=flag("false for categories without an order"),
    ),
    "exchangeability": or_null(
        record(
            "whether the two sides use the levels alike; null without two sides",
            stuart_maxwell=number("statistic of the test for equal margins"),
            stuart_maxwell_p=number("its p-value, pairs taken as independent"),
            bowker=number("statistic of the test for symmetry"),
            bowker_p=number("its p-value, pairs taken as independent"),
            stuart_maxwell_randomised_p=unknown("sides of whole topics exchanged; null below eight topics"),
            bowker_randomised_p=unknown("the same for the test for symmetry"),
            topics=TOPICS,
            randomisations=whole("how many"),
            seed=SEED,
        )
    ),
    "units": or_null(
        record(
            "parameters per unit; null but for --smooth eb-topics",
            kind=text("what a unit is: topics"),
            names=listed(TEXT, "of the units"),
            alpha=listed(
                {"type": ["number", "string", "null"]},
                "per level, how many second opinions the prior is worth; may be infinite",
            ),
            thresholds=entries(
                "for each notion of relevance",
                threshold=THRESHOLD,
                relevant=RELEVANT,
                between_units=listed(UNKNOWN_NUMBER, "standard deviation between units, per level"),
                probability=matrix("p(R|i) of each unit; units x levels"),
            ),
        )
    ),
    "warnings": WARNINGS,
    "strata": strata(same("stratum")),
}
FIT_PLAN = record(
    "how far the plan of second judgments has come; with --plan",
    file=text("the plan"),
    batch=whole("the last batch that is finished"),
    batches=whole("how many were planned"),
    levels=entries(
        "one entry per level",
        level=LEVEL,
        share=unknown("share of its documents that the finished batches ask for"),
        asked=whole("documents that the finished batches ask for"),
        judged=whole("those that were judged"),
    ),
    stopping=record(
        "the rule by which to stop",
        kind=text("precision or decision"),
        within=unknown("the half-width wanted"),
        information_ratio=unknown("as the first batch shows it, for a decision; else as planned"),
        nominal=unknown("the confidence that the intervals are made with, so that all looks hold together"),
        met=or_null({"type": "boolean", "description": "whether the rule says stop; null where it is not to say here"}),
    ),
)

POLICIES = record(
    "what was decided on the way",
    unjudged=text("what an unjudged document is worth"),
    ties=text("how ties in a run are broken"),
    topics=text("which topics are scored"),
    no_relevant=text("what becomes of topics without a relevant document"),
    duplicates=or_null(text("file with documents that are the same")),
    relevant=RELEVANT,
    labels=listed(TEXT, "assessors whose labels score"),
    label_rule=text("how several labels of a document become one"),
)
LABELS = text("whose labels score, in words; empty where nobody said")
GAINS_THRESHOLD = or_null(text("the lowest relevant level that the gains stand for; null for gains without one"))
SCORED: dict[str, Schema] = {"measure": MEASURE, "gains": text("kind of gains"), "threshold": GAINS_THRESHOLD}
RANKINGS = entries(
    "how far two kinds of gains order the runs alike",
    measure=MEASURE,
    a=text("kind of gains"),
    b=text("another kind"),
    threshold_a=GAINS_THRESHOLD,
    threshold_b=GAINS_THRESHOLD,
    tau_b=unknown("Kendall's tau-b; null where all runs are tied"),
    tau_interval=or_null(interval("where tau-b would lie with other topics")),
    tau_ap=unknown("tau-AP, in which the top of the order counts more"),
    runs=whole("how many"),
    ties=whole("pairs of runs that either kind ties"),
    ties_a=whole("pairs that the one kind ties"),
    ties_b=whole("pairs that the other kind ties"),
)
FOUND = record(
    "",
    run=RUN,
    depth=whole("how many documents users look at"),
    gains=text("kind of gains"),
    users={
        "type": ["string", "number"],
        "description": "kind of users: independent, comonotone, or the correlation of their views",
    },
    mean=unknown("relevant documents that a user finds, on average"),
    nothing=unknown("share of users who find none"),
    half_find_at_least=unknown("half of the users find at least so many"),
    probability=listed(UNKNOWN_NUMBER, "share of users who find exactly 0, 1, 2, ..."),
)
SCORE: dict[str, Schema] = {
    "rows": entries(
        "one entry per run, measure and gains; with --per-topic also per topic",
        run=RUN,
        **SCORED,
        topic=text("name of the topic, or all for the mean"),
        value=unknown("the score"),
        standard_error=unknown("of the mean over topics, gains taken as given"),
        topics=or_null(whole("how many topics the mean is over")),
        unjudged_share=unknown("share of unjudged documents down to the measure's depth"),
    ),
    "gains": by_name(LEVEL_TO_NUMBER, "kind of gains to level, or unjudged, to gain"),
    "labels": LABELS,
    "policies": POLICIES,
    "topics": by_name(
        record(
            "",
            topics=TOPICS,
            without_relevant=whole("topics without a relevant document"),
            without_ideal=whole("topics with an ideal DCG of 0"),
            all_gains_equal=whole("topics in which all documents are worth the same"),
        ),
        "kind of gains to topics of which a measure cannot say much",
    ),
    "warnings": WARNINGS,
    "provenance": PROVENANCE,
    "users": listed(FOUND, "what random users find; with --users and a measure that counts"),
    "rankings": RANKINGS,
}

SHARES: dict[str, Schema] = {
    "topics": unknown("share of the variance from topics"),
    "parameters": unknown("share from second judgments"),
    "together": unknown("share from both together"),
}
TEST: dict[str, Schema] = {
    "test": text("joint, t, wilcoxon or randomisation"),
    "adjustment": text("for many pairs: single-step, holm, bh, maxt or none"),
}
LEVERS = entries(
    "what could be done, the most useful first",
    lever=text("topics, topics judged twice, second judgments, assessors or deeper pools"),
    change=text("what would be done, in words"),
    cost=record("what it would cost", first=whole("first judgments"), second=whole("second judgments")),
    half_width=unknown("of the interval after it"),
    bias=unknown("by how much the result may be off until it is done, which no interval shows"),
)
COMPARE: dict[str, Schema] = {
    "runs": entries(
        "the runs in the order given",
        run=RUN,
        scores=entries(
            "one entry per measure and kind of gains",
            **SCORED,
            value=unknown("mean over topics"),
            standard_error=unknown("over topics, gains taken as given"),
            interval=or_null(interval("over topics and parameters together")),
            topic_interval=or_null(interval("over topics alone, gains taken as given")),
            rank=whole("1 for the highest score"),
            rank_interval=or_null(interval("ranks that it may have, for all runs at once", {"type": "integer"})),
            group=or_null(text("letters; runs that share one cannot be told apart")),
            variance=or_null(record("where the uncertainty comes from", **SHARES)),
            topics=TOPICS,
            unjudged_share=unknown("share of unjudged documents down to the measure's depth"),
        ),
    ),
    **PEOPLE,
    "possibly_best": entries(
        "which runs may be the best, per measure and kind of gains",
        **SCORED,
        runs=or_null(listed(TEXT, "runs that may be the best; null where it was not tested")),
    ),
    "rankings": RANKINGS,
    "differences": entries(
        "each pair of runs, per measure and kind of gains",
        **SCORED,
        a=RUN,
        b=text("name of another run"),
        difference=unknown("mean of a minus mean of b"),
        interval=or_null(interval("of this difference")),
        simultaneous_interval=or_null(interval("holds for all pairs at once")),
        relative_difference=unknown("as a share of the mean score of the two runs"),
        relative_interval=or_null(interval("of the relative difference")),
        simultaneous_relative_interval=or_null(interval("the same for all pairs at once")),
        percent_difference=unknown("in per cent of b's score; null where that is 0"),
        percent_interval=or_null(interval("of the difference in per cent")),
        simultaneous_percent_interval=or_null(interval("the same for all pairs at once")),
        p=unknown("p-value of this difference"),
        p_adjusted=unknown("adjusted for all pairs"),
        **TEST,
        degrees_of_freedom=unknown("of the t quantile"),
        effect=unknown("standardised difference over topics"),
        verdict=text("of a against b: better, worse, equivalent, no worse, undecided or the same"),
        reverse_verdict=text("the same of b against a"),
    ),
    "variance": entries(
        "where the uncertainty comes from: medians over runs, or pairs of runs",
        **SCORED,
        of=text("score or difference"),
        **SHARES,
    ),
    "power": entries(
        "discriminative power, per measure and kind of gains",
        **SCORED,
        share=unknown("share of pairs that differ significantly"),
        pairs=whole("pairs of runs"),
        **TEST,
        level=number("of significance"),
        permutations=or_null(whole("how many sign flips; null where there were none")),
        curve=record(
            "p-values of the pairs, sorted",
            p=listed(NUMBER, "p-values"),
            share=listed(NUMBER, "share of pairs with at most this p-value"),
        ),
    ),
    "gains": entries(
        "what a document is worth, by each kind of gains",
        gains=text("kind of gains"),
        threshold=GAINS_THRESHOLD,
        levels=by_name(NUMBER, "level to gain"),
        unjudged=number("gain of an unjudged document"),
        estimated=flag("whether they were estimated, and so are uncertain"),
    ),
    "topics": record(
        "how many topics",
        scored=whole("topics that the runs are scored on"),
        judged_twice=whole("topics with second judgments"),
        both=whole("topics that are both"),
    ),
    "resamples": record(
        "topics drawn again, with replacement", draws=whole("how many"), **{"for": text("the key that rests on them")}
    ),
    "confidence": CONFIDENCE,
    "interval_method": text("how the intervals were made"),
    "baseline": or_null(text("the run that the others are compared with")),
    "family": text("which pairs hold at once: those of each measure, kind of gains and stratum, or all"),
    "margin": unknown("differences below it do not matter"),
    "seed": SEED,
    "warnings": WARNINGS,
}
COMPARE_WHOLE: dict[str, Schema] = {
    **COMPARE,
    "strata": strata(same("stratum"), "stratum to the keys above; null without strata"),
    "labels": LABELS,
    "policies": POLICIES,
    "provenance": PROVENANCE,
    "advice": record(
        "what to judge next; where gains were estimated from second judgments at hand",
        about=text("the two best runs, or the only one"),
        measure=MEASURE,
        half_width=unknown("of the interval that is there"),
        floor_half_width=unknown("with all documents judged twice"),
        judged=whole("documents that are judged twice"),
        left=whole("documents of the same topics that are not"),
        levers=LEVERS,
    ),
    "users": entries(
        "what random users would compute; with --users",
        measure=MEASURE,
        gains=text("kind of gains"),
        equal_to_plug_in=flag("whether expected values equal those with gains put into the measure"),
        values=listed(
            {**record("", run=RUN), "additionalProperties": UNKNOWN_NUMBER},
            "each run's value: plug-in, and expected over each kind of users, under its name",
        ),
        taus=entries(
            "how far the values order the runs alike",
            a=text("kind of values"),
            b=text("another kind"),
            tau_b=unknown("Kendall's tau-b between the two orders of the runs"),
        ),
        found=listed(FOUND, "what random users find"),
    ),
}

PLAN: dict[str, Schema] = {
    "purpose": text("parameters, score or difference"),
    "measure": or_null(text("name of the measure; null for parameters")),
    "relevant": RELEVANT,
    "confidence": CONFIDENCE,
    "seed": whole("seed of the sampling keys"),
    "estimator": ESTIMATOR,
    "first": listed(TEXT, "assessors whose labels are the first ones"),
    "topics": TOPICS,
    "judged_topics": whole("topics in which documents are judged a second time"),
    "assessors": or_null(whole("how many second assessors; null where nobody said")),
    "targets": listed(TEXT, "what is to be precise: levels, runs, or a difference"),
    "difference": unknown("the difference to be found; null but for differences"),
    "judgments": unknown("second judgments in all"),
    "levels": entries(
        "one entry per level, from low to high",
        level=LEVEL,
        documents=whole("documents with this first label"),
        judge=unknown("how many of them to judge a second time"),
        share=unknown("the same as a share"),
        probability=unknown("p(R|i) that the plan reckons with"),
        source=text("where that comes from: pilot, guess or default"),
        intraclass=unknown("how far documents of one topic agree"),
        topics_effective=unknown("how many equal topics the topics are worth"),
        influence=unknown("of the probability on what is to be precise"),
        half_width=unknown("expected of the probability's interval, where parameters are planned for"),
    ),
    "expected": record(
        "what the plan would give",
        half_width=unknown("of the widest interval; null where too little was seen to say"),
        half_width_now=unknown("the same of the interval that is there; null without a pilot"),
        floor_half_width=unknown("the same with all documents judged twice"),
        power=unknown("to find the difference; null but for differences"),
        guessed=flag("whether it is a guess, as there is no pilot"),
    ),
    "curve": entries(
        "half-width by number of second judgments",
        judgments=unknown("second judgments"),
        half_width=unknown("as planned"),
        uniform_half_width=unknown("drawn evenly"),
    ),
    "levers": LEVERS,
    "batches": entries(
        "the steps",
        batch=whole("from 1"),
        judgments=unknown("documents in it"),
        shares=by_name(NUMBER, "level to the share judged at its end"),
    ),
    "stopping": record(
        "the rule by which to stop",
        kind=text("precision or decision"),
        information_ratio=unknown("variance after the first batch over variance after the whole budget, as foretold"),
        multiplier=unknown("of the standard error, so that the interval holds whenever one looks"),
        within=unknown("the half-width wanted"),
    ),
    "list": or_null(
        record(
            "the documents to judge; null for a plan from sizes alone",
            file=or_null(text("the list of documents, next to the plan; null where it was not written")),
            digest=text("of the first labels"),
            sha256=text("of the list"),
        )
    ),
    "warnings": WARNINGS,
    "provenance": PROVENANCE,
}

STUDY_RELEVANCE: dict[str, Schema] = {"threshold": THRESHOLD, "relevant": RELEVANT}
TIES: dict[str, Schema] = {
    "concordant": or_null(whole("pairs of runs in the same order")),
    "discordant": or_null(whole("pairs in opposite order")),
}
NO_RELEVANT = text("what becomes of topics without a relevant document")
STUDIES: dict[str, tuple[str, str, dict[str, Schema]]] = {
    "topics": (
        "first.qrels second.qrels",
        "How far parameters move when topics are drawn again.",
        {
            **STUDY_RELEVANCE,
            "estimator": ESTIMATOR,
            "topics": TOPICS,
            "pairs": whole("pairs of judgments"),
            "draws": whole("how often topics were drawn"),
            "levels": entries(
                "one entry per level",
                level=LEVEL,
                probability=unknown("p(R|i) of all topics"),
                mean=unknown("over draws"),
                standard_deviation=unknown("over draws"),
                standard_error=ERRORS,
                box=record(
                    "the draws as a box plot",
                    lowest=unknown("of all draws"),
                    low_whisker=unknown("lowest within 1.5 boxes"),
                    low_quartile=unknown("lower end of the box"),
                    median=unknown("middle draw"),
                    high_quartile=unknown("upper end of the box"),
                    high_whisker=unknown("highest within 1.5 boxes"),
                    highest=unknown("of all draws"),
                ),
                undefined=whole("draws without second opinions on this level"),
                note=NOTE,
                draws=listed(UNKNOWN_NUMBER, "the probability in each draw"),
            ),
        },
    ),
    "amount": (
        "first.qrels second.qrels",
        "How many pairs it takes until parameters settle.",
        {
            **STUDY_RELEVANCE,
            "estimator": ESTIMATOR,
            "pairs": whole("pairs to draw from"),
            "rounds": whole("how often each number of pairs was drawn"),
            "probability": by_name(UNKNOWN_NUMBER, "level to p(R|i) of all pairs"),
            "sizes": entries(
                "one entry per number of pairs",
                pairs=whole("how many were drawn"),
                levels=entries(
                    "one entry per level",
                    level=LEVEL,
                    mean=unknown("p(R|i), over rounds"),
                    standard_deviation=unknown("over rounds"),
                    undefined=whole("rounds without second opinions on this level"),
                ),
            ),
        },
    ),
    "quality": (
        "first.qrels second.qrels --runs runs",
        "Whether parameters depend on how good the documents are.",
        {
            **STUDY_RELEVANCE,
            "by": text("what a step is: resources, metarank or depth"),
            "selected_by_one_side": flag(
                "whether the first side's labels made the order, so that only one_sided can be read"
            ),
            "steps": entries(
                "one entry per step",
                k=whole("how deep"),
                pairs=unknown("pairs behind the step"),
                topics=TOPICS,
                levels=entries(
                    "one entry per level",
                    level=LEVEL,
                    symmetric=unknown("p(R|i), eq. (5)"),
                    one_sided=unknown("p(R|i), eq. (4)"),
                    error_symmetric=unknown("its standard error over topics"),
                    error_one_sided=unknown("its standard error over topics"),
                ),
            ),
        },
    ),
    "robustness": (
        "first.qrels second.qrels --runs runs",
        "Whether the labels of both sides order the runs alike.",
        {
            **STUDY_RELEVANCE,
            "measure": MEASURE,
            "estimator": ESTIMATOR,
            "first": text("one side"),
            "second": text("the other side"),
            "runs": listed(TEXT, "names of the runs"),
            "topics": TOPICS,
            "skipped_topics": whole("topics left out"),
            "no_relevant": NO_RELEVANT,
            "rows": entries(
                "one entry per kind of gains, and per stratum",
                stratum=or_null(text("kind of topics; null for all of them")),
                gains=text("kind of gains"),
                tau_b=unknown("Kendall's tau-b between the two orders"),
                **TIES,
                ties_first=or_null(whole("pairs that the first side ties")),
                ties_second=or_null(whole("pairs that the second side ties")),
                topics=TOPICS,
                fitted_topics=or_null(whole("topics that the gains were estimated from")),
                values=or_null(listed(UNKNOWN_NUMBER, "the gains, from the lowest level to the highest")),
                first=or_null(listed(UNKNOWN_NUMBER, "scores of the runs by the first side's labels")),
                second=or_null(listed(UNKNOWN_NUMBER, "scores of the runs by the second side's labels")),
                note=NOTE,
            ),
        },
    ),
    "gains": (
        "first.qrels second.qrels --runs runs",
        "Whether the gains change the order of the runs.",
        {
            **STUDY_RELEVANCE,
            "measure": MEASURE,
            "estimator": ESTIMATOR,
            "labels": LABELS,
            "runs": listed(TEXT, "names of the runs"),
            "topics": TOPICS,
            "skipped_topics": whole("topics left out"),
            "no_relevant": NO_RELEVANT,
            "gains": by_name(LEVEL_TO_NUMBER, "kind of gains to level to gain"),
            "scores": by_name({"type": "array", "items": UNKNOWN_NUMBER}, "kind of gains to the scores of the runs"),
            "pairs": entries(
                "each two kinds of gains",
                a=text("kind of gains"),
                b=text("another kind"),
                tau_b=unknown("Kendall's tau-b between the two orders"),
                tau_ap=unknown("tau-AP, in which the top of the order counts more"),
                runs=whole("how many"),
                **TIES,
                ties_a=or_null(whole("pairs that the one kind ties")),
                ties_b=or_null(whole("pairs that the other kind ties")),
            ),
        },
    ),
}


def study(name: str) -> Document:
    """The JSON of a study."""
    files, about, result = STUDIES[name]
    per_stratum: Schema = {"type": "array", "items": same("result")}
    keys = {
        "study": text("which study"),
        "seed": SEED,
        "results": entries("one entry per notion of relevance, and per measure", **result),
        "strata": strata(per_stratum, "stratum to the same list; null without strata")
        if name != "robustness"
        else {"type": "null", "description": "strata are entries of results[].rows"},
        "warnings": WARNINGS,
        "provenance": PROVENANCE,
    }
    parts = {} if name == "robustness" else {"result": record("", **result)}
    return Document(f"study-{name}", f"gainsayer study {name} {files} --format json", about, keys, parts=parts)


ANSWER = text("yes, no or open")


def ends_of(about: str) -> Schema:
    """Two ends, each null where unknown."""
    return listed(UNKNOWN_NUMBER, f"95 % interval {about}")


MATERIAL: dict[str, Schema] = {
    "verdict": record(
        "what the machine may be used for; each answer is yes, no or open",
        code=text("the three answers, such as worth-yes order-open favour-no; or not-measured"),
        text=text("all of it in words, a line each"),
        measure=MEASURE,
        worth=record(
            "do its grades take a twentieth off the error of guessing people's labels?",
            answer=ANSWER,
            skill=unknown("share of the error that they take off, out of topic"),
            interval=or_null(ends_of("of the skill")),
            text=text("in words"),
        ),
        order=record(
            "does it put runs in people's order?",
            answer=ANSWER,
            wrong=unknown("share of pairs that people would tell apart and it turns round"),
            interval=ends_of("of that share"),
            of_100=or_null(listed({"type": "integer"}, "the same ends, of 100 pairs, outwards")),
            tau=unknown("about Kendall's tau between its order and people's"),
            more_labels=or_null(whole("about how many labels more would settle it; null where settled or unknown")),
            text=text("in words"),
        ),
        favour=record(
            "does it favour a run?",
            answer=ANSWER,
            runs=entries(
                "runs that it favours or slights, the furthest first",
                run=RUN,
                people=unknown("DCG for people"),
                machine=unknown("by the machine's own grades"),
                equals=unknown("what runs with that machine score get from people"),
                favour=unknown("by how much it favours the run; below 0 where it slights it"),
                own_ndcg=unknown("nDCG@10 by the machine's own grades"),
            ),
            rank_as_judge=entries(
                "runs that rank as the judge does",
                run=RUN,
                own_ndcg=unknown("nDCG@10 by the machine's own grades"),
            ),
            smallest=unknown("a favour below this would not have been seen four times in five"),
            text=text("in words"),
        ),
        scores=or_null(
            record(
                "people's scores on the machine's; null where unknown",
                slope=unknown("points for people of one point of the machine's"),
                slope_error=unknown("standard error of the slope"),
                slope_interval=ends_of("of the slope"),
                level=unknown("how much too high the machine scores on average"),
                reach=unknown("how far a machine's score, converted, may be off without labels"),
                taste=unknown("its taste for runs, in units of what chance would give"),
                taste_interval=ends_of("of the taste"),
                runs=whole("how many runs the line was fitted to"),
                text=text("in words"),
            )
        ),
    ),
    "machine": listed(TEXT, "names of the machines"),
    "people": listed(TEXT, "names of the people"),
    "threshold": THRESHOLD,
    "relevant": RELEVANT,
    "design": or_null(
        record(
            "how documents were chosen for people; null where nobody judged",
            kind=text("documents, topics or two-stage"),
            topics=TOPICS,
            seen_topics=whole("topics in which people judged"),
            labels=whole("labels of people"),
            documents=whole("documents that people judged"),
            people=or_null(whole("people known by name; null where one name stands for all")),
            probabilities=text("known, or observed where they were taken from what was judged"),
            smallest=unknown("smallest probability of a document that was judged"),
        )
    ),
    "agreement": or_null(
        record(
            "how often two people give a document the same level; null where no two judged the same",
            value=unknown("share"),
            interval=or_null(interval("of the share")),
        )
    ),
}
FLAGS = listed(TEXT, "what speaks against ranking the run by the machine")
MACHINE_CHECK: dict[str, Schema] = {
    **MATERIAL,
    "levels": entries(
        "what each grade is worth to people",
        level=text("the machine's grade"),
        probability=unknown("how likely a person is to be satisfied"),
        relevant_count=unknown("people's satisfaction, each document weighted by 1 / its chance of being judged"),
        judged_count=unknown("the weights of the documents that people judged"),
        standard_error=record("standard error of the probability", topic=unknown("over topics")),
        interval=or_null(interval("of the probability")),
        interval_method=or_null(text("how the interval was made")),
        labels=whole("people's labels"),
        note=NOTE,
    ),
    "effects": entries(
        "what properties of documents tell within the machine's grades",
        what=text("the property"),
        slope=unknown("how many more people are satisfied where it is larger by one, within a grade"),
        standard_error=unknown("of the slope"),
        t=unknown("slope / standard error"),
        p=unknown("p-value"),
        p_adjusted=unknown("adjusted for all properties"),
    ),
    "runs": entries(
        "which runs it favours",
        run=RUN,
        people=unknown("DCG for people"),
        machine=unknown("by the machine's own grades"),
        favour=unknown("by how much the machine favours it over runs of the same machine score"),
        standard_error=unknown("of the favour"),
        p_adjusted=unknown("for all runs, or for those named before; its best label does not count"),
        own_ndcg=unknown("nDCG@10 by the machine's own grades"),
        flags=FLAGS,
    ),
    "families": entries(
        "which families of runs it favours; with --families",
        family=text("name of the family of runs"),
        runs=whole("how many"),
        favour=unknown("by how much the machine favours them on average"),
        standard_error=unknown("of the favour"),
        p_adjusted=unknown("adjusted for all families"),
    ),
    "machines": entries(
        "how well each machine predicts people",
        name=text("of the machine; several together last"),
        brier=unknown("mean squared error, out of topic"),
        base=unknown("that of the base rate"),
        skill=unknown("1 - brier / base"),
        interval=ends_of("of the skill"),
    ),
    "warnings": WARNINGS,
    "provenance": PROVENANCE,
}
MACHINE_SCORE: dict[str, Schema] = {
    **MATERIAL,
    "target": text("population: topics like these; these: these topics"),
    "runs": entries(
        "the runs in the order given",
        run=RUN,
        scores=entries(
            "one entry per measure",
            measure=MEASURE,
            value=unknown("as people would score"),
            standard_error=unknown("of the value"),
            interval=or_null(interval("of the value")),
            method=or_null(text("how the value was made; null where nobody judged")),
            people_alone=or_null(
                record(
                    "without the machine",
                    value=unknown("from people's labels alone"),
                    interval=or_null(interval("of that value")),
                )
            ),
            machine_alone=record(
                "without people's labels of these documents",
                raw=unknown("by its own grades"),
                prm=unknown("by what its grades are worth to people"),
            ),
            composite=unknown("best guess for the order, of DCG where the measure is no sum; not a measurement"),
            order=unknown("1 for the best"),
            flags=FLAGS,
        ),
    ),
    "differences": entries(
        "pairs of runs; with --pairwise or --baseline",
        a=RUN,
        b=text("name of another run"),
        measure=MEASURE,
        difference=unknown("a minus b"),
        standard_error=unknown("of the difference"),
        interval=or_null(interval("of the difference")),
        p=unknown("p-value"),
        p_adjusted=unknown("adjusted for all pairs"),
        test=text("the test and the adjustment"),
    ),
    "savings": entries(
        "what the machine was good for",
        measure=MEASURE,
        of=text("score or difference"),
        saved=unknown("share of the variance that the machine took off, against people alone; null where none"),
        equivalent_topics=or_null(whole("whole topics from which people alone would say as much")),
        equivalent_labels=or_null(whole("labels in these topics")),
    ),
    "warnings": WARNINGS,
    "provenance": PROVENANCE,
}


def document_list(key: str, about: str) -> dict[str, Schema]:
    """A number for each document of a list."""
    row = {"topic": text("name of the topic"), "document": text("name of the document"), key: unknown(about)}
    return {"rows": entries("one entry per document", **row), "warnings": WARNINGS}


MACHINE_DESIGN: dict[str, Schema] = {
    "kind": text("documents"),
    "seed": whole("of the permanent keys"),
    "measure": listed(TEXT, "by which runs will be scored"),
    "depth": or_null(whole("of the deepest cutoff")),
    "labels": unknown("how many were expected"),
    "worth": listed(NUMBER, "what the grades were taken to be worth"),
    "suspects": listed(TEXT, "runs for which documents were drawn"),
    "chances": by_name({"type": "object", "additionalProperties": NUMBER}, "topic to document to its chance"),
    "rest": by_name(
        {"type": "array", "items": NUMBER},
        "topic to the chances of documents that are not listed, by grade from low to high; in large pools only",
    ),
    "sizes": by_name(
        {"type": "array", "items": {"type": "integer"}},
        "topic to the number of its documents of each grade; in large pools only",
    ),
    "drawn": by_name({"type": "array", "items": TEXT}, "topic to the documents drawn so far"),
}
MACHINE_SAMPLE: dict[str, Schema] = {
    "rows": entries(
        "one entry per document to judge", topic=text("name of the topic"), document=text("name of the document")
    ),
    "design": record("how documents were drawn: the file next to the list", **MACHINE_DESIGN),
    "warnings": WARNINGS,
}
CELL: Schema = {"type": ["string", "number", "boolean", "array", "null"]}
TABLE: dict[str, Schema] = {
    "title": text("above it"),
    "columns": entries("in order", key=text("its name in data"), heading=or_null(text("its name for readers"))),
    "rows": listed({"type": "array", "items": CELL}, "cells in the order of the columns, not rounded"),
    "notes": listed(TEXT, "what a reader should know to read it"),
}
FIGURE = record(
    "",
    id=text("its anchor on the page"),
    kind=text("how it is drawn"),
    title=text("what it shows, in a sentence"),
    heading=text("above it"),
    caption=text("how to read it"),
    data=record("its numbers", **TABLE),
)
SENTENCE: dict[str, Schema] = {"text": text("the sentence"), "strong": text("its part in bold, or empty")}
REPORT: dict[str, Schema] = {
    "title": text("of the report"),
    "about": text("runs, topics, measure"),
    "summary": listed(TEXT, "the answer in sentences, the most important first"),
    "verdict": record(
        "the first screen",
        headline=text("the answer in one sentence"),
        badge=or_null(text("the verdict in a word, for two runs")),
        lead=entries("what it rests on", **SENTENCE),
        numbers=entries(
            "at most four", value=text("the number"), beside=text("its interval or total"), label=text("what it counts")
        ),
        steps_title=text("heading of the steps"),
        steps=entries("what to do, the cheapest first", **SENTENCE),
        figures=listed(FIGURE, "the main figures"),
        figures_beside=listed(same("figure"), "the second figure"),
        facts=anything("what the sentences are made of, by the names of our types: not promised to be stable"),
    ),
    "sections": entries(
        "the questions behind it, in reading order",
        id=text("its anchor on the page"),
        title=text("the question"),
        answer=record("in one sentence", **SENTENCE),
        paragraphs=listed(TEXT, "more sentences"),
        warnings=WARNINGS,
        figures=listed(same("figure"), "as in the verdict"),
        tables=entries("with their numbers", id=text("its anchor on the page"), **TABLE),
        facts=anything("as in the verdict"),
    ),
    "provenance": record(
        "what it was made from",
        version=text("of Gainsayer"),
        files=entries(
            "the files that were read",
            name=text("as it was named"),
            sha256=text("of its content, or that it was not a file"),
        ),
        options=entries("what held", name=text("of the option"), value=text("as it is typed")),
        seed=SEED,
        command=or_null(text("what to type to make it again")),
    ),
}

TRUTH = record(
    "the exact parameters; levels x levels",
    joint=matrix("probability of a first and a second label"),
    one_sided=matrix("p(j|i), eq. (4)"),
    symmetric=matrix("p(j|i), eq. (5)"),
)
ABOUT = text("what it is")
MEASURES: dict[str, Schema] = {
    "measures": entries(
        "the families of measures",
        measure=text("its name, with parameters and depth"),
        about=ABOUT,
        gains=text("which gains it takes: 0 to 1, 0 or 1, any or none"),
        classic=text("the gains it has without a model"),
        users=or_null(text("how it is expected over users: same, exact or simulated; null where it is not")),
        trec_eval=or_null(text("what trec_eval calls it")),
    ),
    "parameters": entries("what names may say about gains and lists", parameter=text("as it is written"), about=ABOUT),
    "users": entries("what they may say about users", parameter=text("as it is written"), about=ABOUT),
    "elsewhere": by_name(TEXT, "measure that other tools have to what to use instead"),
}

TWO = "first.qrels second.qrels"
RUNS = f"{TWO} --runs runs -m nDCG@10"
MACHINE = "--machine gpt=machine.qrels --people people.csv --runs runs"
DOCUMENTS: tuple[Document, ...] = (
    Document(
        "agree",
        f"gainsayer agree {TWO} --format json",
        "How far assessors agree.",
        {**AGREE, "provenance": PROVENANCE},
        ("provenance",),
        {"stratum": record("", **{**AGREE, "strata": NO_STRATA})},
    ),
    Document(
        "fit",
        f"gainsayer fit {TWO} -o model.json",
        "What each level is worth: also the model file that `--model` reads.",
        {**FIT, "plan": FIT_PLAN, "provenance": PROVENANCE},
        ("plan", "provenance"),
        {"threshold": record("", **FIT_THRESHOLD), "stratum": record("", **{**FIT, "strata": NO_STRATA})},
    ),
    Document("score", f"gainsayer score {RUNS} --format json", "Scores of runs.", SCORE, ("users", "rankings")),
    Document(
        "compare",
        f"gainsayer compare {RUNS} --format json",
        "Which run is better, and how sure that is.",
        {**COMPARE_WHOLE, "plan": FIT_PLAN},
        ("advice", "plan", "users"),
        {"stratum": record("", **COMPARE)},
    ),
    Document(
        "plan",
        f"gainsayer plan {TWO} --budget 400 -o plan.json",
        "Which documents to judge a second time: also the plan that `fit --plan` and the judging page read.",
        PLAN,
    ),
    *map(study, STUDIES),
    Document(
        "machine-sample",
        "gainsayer.machine.sample(...).to_json()",
        "Documents for people to judge, and the design that the command writes into a file of its own.",
        MACHINE_SAMPLE,
    ),
    Document(
        "machine-design",
        f"gainsayer machine sample {MACHINE} --labels 500 -o people.csv",
        "The file next to the list, people.design.json: how documents were drawn.",
        MACHINE_DESIGN,
    ),
    Document(
        "machine-check",
        f"gainsayer machine check {MACHINE} --format json",
        "What is known of a machine.",
        MACHINE_CHECK,
    ),
    Document(
        "machine-gains",
        "gainsayer.machine.gains(...).to_json()",
        "Predicted gains of all documents.",
        document_list("gain", "predicted"),
    ),
    Document(
        "machine-score",
        f"gainsayer machine score {MACHINE} -m nDCG@10 --format json",
        "Scores of runs that people would have given.",
        MACHINE_SCORE,
    ),
    Document(
        "report",
        f"gainsayer report {RUNS} -o report.html",
        "Everything on the page, in a file next to it.",
        REPORT,
        parts={"figure": FIGURE},
    ),
    Document(
        "simulate",
        "gainsayer simulate -o collection --format json",
        "The true parameters of a simulation.",
        {
            "levels": listed(TEXT, "from low to high"),
            "one_sided": matrix("p(j|i), eq. (4)"),
            "symmetric": matrix("p(j|i), eq. (5)"),
            "seed": SEED,
        },
    ),
    Document(
        "truth",
        "gainsayer simulate -o collection",
        "The file `truth.json` next to a simulation.",
        {
            "gainsayer_simulation": whole("marks the folder as a simulation"),
            "seed": SEED,
            "levels": listed(TEXT, "from low to high"),
            "truth": TRUTH,
            "stratum_truth": strata(TRUTH, "stratum to the same; null without strata"),
            "second_topics": listed(TEXT, "topics judged twice"),
            "inclusion": by_name(NUMBER, "first level to the chance of a second judgment"),
            "options": anything("what was asked for"),
            "files": listed(TEXT, "of the simulation"),
        },
    ),
    Document("measures", "gainsayer measures --format json", "The measures, and what their names may say.", MEASURES),
)
