"""Expected measures: the mean, over random users, of the *binary* measure each of them would compute.

Not to be mixed up with plug-in measures, which put p(R|i) where a measure has a gain. The two agree for measures that
are linear in relevance (P, DCG, RBP), and differ for the others.
"""
