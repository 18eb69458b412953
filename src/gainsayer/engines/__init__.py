"""The same work on more data than fits: bucket by bucket of topics, on one machine or on many, with the same result.

A *bucket* is a set of whole topics. What happens between files and waists happens topic by topic, so the waists of
buckets, joined, are those of the whole; statistics begins behind them and never knows of buckets.
"""
