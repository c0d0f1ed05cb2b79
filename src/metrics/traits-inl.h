// SPDX-License-Identifier: Apache-2.0
// What the backends ask of a metric.
#if defined(QDR_METRICS_TRAITS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_TRAITS_INL_H
#undef QDR_METRICS_TRAITS_INL_H
#else
#define QDR_METRICS_TRAITS_INL_H
#endif

#include "metrics/begin-inl.h"

template <class Metric, class T>
constexpr Range range_of() {
  if constexpr (Metric::redo == Redo::kNever)
    return {};
  else if constexpr (sizeof(T) == 4)
    return Metric::float32;
  else
    return Metric::float64;
}

/// The power of a scaling of the rows that a result is multiplied by.
template <class Metric>
constexpr int degree_of() {
  if constexpr (requires { Metric::kDegree; })
    return Metric::kDegree;
  else
    return Metric::info.degree;
}

/// Of a prepared row the last number, which no step takes but finish() reads: 1 or none.
template <class Metric>
constexpr int summaries_of() {
  return requires { Metric::summary; }
  ? 1 : 0;
}

/// Whether sums are taken with weights, w or 1 / V.
template <class Metric>
constexpr bool is_weighted() {
  return (Metric::info.takes("w") || Metric::info.takes("V")) && requires { Metric::weight_halves; };
}

/// Whether sums may be taken by products too: not by a metric that inherits them but has a step of its own.
template <class Metric, class Ops, class V>
constexpr bool has_products() {
  if constexpr (requires { typename Metric::ByProducts; }) {
    using Differences = typename Metric::ByProducts::Differences;
    return &Metric::template step<Ops, V> == &Differences::template step<Ops, V>;
  } else {
    return false;
  }
}

/// finish() of one accumulated number, for limits of the metric's results.
template <class Metric, class Ops, class V>
static QDR_INLINE V finish_alone(const Ops& o, V sum) {
  if constexpr (requires { Metric::finish_alone(o, sum); }) {
    return Metric::finish_alone(o, sum);
  } else {
    const V sums[1] = {sum};
    return Metric::finish(o, sums);
  }
}

#include "metrics/end-inl.h"

#endif
