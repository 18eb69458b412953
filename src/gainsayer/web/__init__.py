"""The page where people judge: blind, safe, and with the numbers that say when to stop, for the organiser alone.

    plan, topics, documents ─▶ content ─▶ study ─▶ database ◀── work (blocks, answers), people

        guards ─▶ visits ─▶ application ─▶ routes ─▶ the judge's page
                                             └─────▶ the organiser's page
                         second_round ─▶ fit ─▶ monitor ─▶ organiser_page ──┘

It needs the extra `web`; `gainsayer judge demo` shows it in ten seconds.
"""
