"""The same work where the data is: on a cluster, bucket by bucket of topics, with the same result.

A *bucket* is a set of whole topics. What happens between files and waists happens topic by topic, so the waists of
buckets, joined, are those of the whole; statistics begins behind them and never knows of buckets.
"""
