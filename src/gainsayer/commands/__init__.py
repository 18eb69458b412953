"""One function per command, same word, same defaults: from what a person has to one frozen result."""
