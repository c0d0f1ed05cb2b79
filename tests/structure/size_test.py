#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What:  size_test.py FILE...: every built file is below 25 MB.
Why:   kernels are made for each metric, dtype and instruction set, and unrolled: one more parameter of a template can
       double the library (libquadrance.a with 18 sets of kernels: 6 MB) with no test the wiser.
"""
import sys
from pathlib import Path

MOST = 25_000_000

failed = 0
for file in map(Path, sys.argv[1:]):
    size = file.stat().st_size
    print(f"{file.name}: {size / 1e6:.1f} MB of {MOST / 1e6:.0f}")
    failed += size >= MOST
sys.exit(failed > 0 or len(sys.argv) < 2)
