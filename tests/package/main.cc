// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "quadrance/device.h"
#include "quadrance/error.h"
#include "quadrance/pairwise.h"

int main() {
  const double points[] = {0, 0, 3, 4};
  const quadrance::Matrix distances = quadrance::distances(quadrance::MatrixView(points, 2, 2));
  const double* d = distances.as<double>();
  std::printf("%g %g %g %g on %zu devices\n", d[0], d[1], d[2], d[3], quadrance::devices().size());
  try {
    quadrance::Options options;
    options.metric = "no such metric";
    quadrance::distances(quadrance::MatrixView(points, 2, 2), options);
    return 1;
  } catch (const quadrance::Error& error) {
    if (error.code() != quadrance::ErrorCode::kMetric) return 1;
  }
  return d[0] == 0 && d[1] == 5 && d[2] == 5 && d[3] == 0 ? 0 : 1;
}
