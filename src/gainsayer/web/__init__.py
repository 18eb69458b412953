"""The page where people judge: blind, safe, and with the numbers that say when to stop, for the organiser alone.

    plan, topics, documents ─▶ study ─▶ schema, database ◀── assignment, answers, people
                                                 │
        guards ─▶ visits ─▶ application: entrance, judge_routes ─▶ the judge's page
                                         organiser_routes ─▶ the organiser's page
                         second_round ─▶ evaluation.fit ─▶ monitor ──┘

It needs the extra `web`; `gainsayer judge demo` shows it in ten seconds.
"""

from __future__ import annotations

from gainsayer.rooms import late_names

# What the room's own tests use; users have the names of `gainsayer`.
_INSIDE = {
    "Address": "guards",
    "Answer": "answers",
    "COLUMNS": "second_round",
    "Content": "content",
    "Database": "database",
    "Event": "second_round",
    "ForeignError": "answers",
    "InvalidAnswerError": "answers",
    "Item": "content",
    "LEASE_SECONDS": "assignment",
    "LevelText": "content",
    "Monitor": "monitor",
    "PATIENCE_SECONDS": "assignment",
    "Person": "people",
    "Place": "assignment",
    "Planned": "second_round",
    "Rate": "guards",
    "Round": "second_round",
    "Served": "visits",
    "StoppedError": "answers",
    "Study": "study",
    "Topic": "content",
    "back_up": "database",
    "back_up_study": "server",
    "block": "schema",
    "check_template": "content",
    "claim_place": "assignment",
    "compose": "organiser_page",
    "create_application": "application",
    "create_database": "database",
    "create_study": "study",
    "event": "schema",
    "export_csv": "second_round",
    "fill_template": "content",
    "find_abandoned": "assignment",
    "find_invited": "people",
    "find_last_word": "answers",
    "find_place": "assignment",
    "forecast": "monitor",
    "invite": "people",
    "item": "schema",
    "judgment": "schema",
    "make_links": "server",
    "measure_leniency": "monitor",
    "metadata": "schema",
    "open_database": "database",
    "oversee": "monitor",
    "parse_answer": "answers",
    "read_round": "second_round",
    "read_study": "content",
    "read_study_row": "study",
    "record_answer": "answers",
    "release": "assignment",
    "revoke": "people",
    "stop_judging": "study",
}
__getattr__, __dir__ = late_names(__name__, {}, _INSIDE)
