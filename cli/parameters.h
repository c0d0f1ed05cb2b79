// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "quadrance/metric.h"

namespace quadrance::cli {

/// The parameters of a metric from texts NAME=VALUE: p=3, w=1,0.5,2, box=10,inf, degrees, radius=6371.
/// Numbers are read the same in every locale. Throws CommandError for what is no such text; whether the
/// metric takes it is not asked.
MetricParameters parse_parameters(const std::vector<std::string>& texts);

}  // namespace quadrance::cli
