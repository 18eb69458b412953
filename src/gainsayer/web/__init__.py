"""The page where people judge: blind, safe, and with the numbers that say when to stop, for the organiser alone.

    plan, topics, documents ─▶ study ─▶ schema, database ◀── assignment, answers, people
                                                 │
        guards ─▶ visits ─▶ application: entrance, judge_routes ─▶ the judge's page
                                         organiser_routes ─▶ the organiser's page
                         second_round ─▶ evaluation.fit ─▶ monitor ──┘

It needs the extra `web`; `gainsayer judge demo` shows it in ten seconds.
"""
