// SPDX-License-Identifier: Apache-2.0
#include "metrics/minkowski_multiplied-inl.h"

#include "metrics/begin-inl.h"

using MinkowskiInteger = MinkowskiMultiplied<false>;

#include "metrics/end-inl.h"
