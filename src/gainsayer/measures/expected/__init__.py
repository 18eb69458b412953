"""Expected measures: the mean, over random users, of the *binary* measure that each of them would compute.

Not the same as plug-in measures, which put p(R|i) where a measure has a gain. The two agree for measures that are
linear in relevance (P, DCG, RBP), and differ for the others.
"""
