"""Benchmarks: speed (`throughput`) and detection quality (`quality`), each one command."""
