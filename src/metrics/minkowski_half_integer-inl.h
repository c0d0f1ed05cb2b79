// SPDX-License-Identifier: Apache-2.0
#include "metrics/minkowski_multiplied-inl.h"

#include "metrics/begin-inl.h"

using MinkowskiHalfInteger = MinkowskiMultiplied<true>;

#include "metrics/end-inl.h"
