"""The page where people judge: blind, safe, and with the numbers that say when to stop, for the organiser alone.

    plan, topics, documents ─▶ study ─▶ schema, database ◀── assignment, answers, people
                                                 │
                        application (routes, guards, pages) ─▶ the judge's page
                        second_round ─▶ evaluation.fit ─▶ monitor ─▶ the organiser's page

It needs the extra `web`; `gainsayer judge demo` shows it in ten seconds.
"""
