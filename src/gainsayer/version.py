"""The version, said once: packages, results and `gainsayer --version` take it from here."""

VERSION = "0.1.0"
