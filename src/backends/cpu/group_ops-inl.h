// SPDX-License-Identifier: Apache-2.0
// The operations of a step on several vectors at a time, for metrics whose step has many constants: each is
// loaded once for all of them. Zen 4 loads one 512-bit vector a cycle, as many as it multiplies and adds:
// jensenshannon and minkowski with a real p take 0.8 to 0.86 of the time of a vector at a time. The
// operations are those that such metrics take.
#if defined(QDR_BACKENDS_CPU_GROUP_OPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_BACKENDS_CPU_GROUP_OPS_INL_H
#undef QDR_BACKENDS_CPU_GROUP_OPS_INL_H
#else
#define QDR_BACKENDS_CPU_GROUP_OPS_INL_H
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadrance::internal::HWY_NAMESPACE {

/// Ops on kCount vectors; every operation means what it means there.
template <class Ops, int kCount>
struct GroupOps {
  using T = typename Ops::T;
  template <class Item>
  struct Group {
    Item item[kCount];
    // Written out: GCC makes an implicit one outside the target's region, where Highway's constructor of an
    // Arm vector cannot be inlined.
    HWY_INLINE Group() {}
  };
  using V = Group<typename Ops::V>;
  using M = Group<typename Ops::M>;
  static constexpr int kDigits = Ops::kDigits;

  Ops ops;
  V first_result;

  HWY_INLINE explicit GroupOps(const Ops& ops_in) : ops(ops_in) {}

  /// The same vector kCount times.
  static HWY_INLINE V all(typename Ops::V one) {
    V out;
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i) out.item[i] = one;
    return out;
  }

  HWY_INLINE V weight() const { return all(ops.weight()); }
  HWY_INLINE V parameter(int i) const { return all(ops.parameter(i)); }
  HWY_INLINE V first_pass() const { return first_result; }
  HWY_INLINE V constant(double value) const { return all(ops.constant(value)); }
  HWY_INLINE V smallest_normal() const { return all(ops.smallest_normal()); }
  HWY_INLINE V infinity() const { return all(ops.infinity()); }

#define QDR_EACH(Result, expression)                                                 \
  Result out;                                                                        \
  _Pragma("GCC unroll 8") for (int i = 0; i < kCount; ++i) out.item[i] = expression; \
  return out

  HWY_INLINE V difference(V x, V y) const { QDR_EACH(V, ops.difference(x.item[i], y.item[i])); }
  HWY_INLINE V multiply(V a, V b) const { QDR_EACH(V, ops.multiply(a.item[i], b.item[i])); }
  HWY_INLINE V multiply_add(V a, V b, V c) const {
    QDR_EACH(V, ops.multiply_add(a.item[i], b.item[i], c.item[i]));
  }
  HWY_INLINE V add(V a, V b) const { QDR_EACH(V, ops.add(a.item[i], b.item[i])); }
  HWY_INLINE V subtract(V a, V b) const { QDR_EACH(V, ops.subtract(a.item[i], b.item[i])); }
  HWY_INLINE V divide(V a, V b) const { QDR_EACH(V, ops.divide(a.item[i], b.item[i])); }
  HWY_INLINE V max_magnitude(V a, V b) const { QDR_EACH(V, ops.max_magnitude(a.item[i], b.item[i])); }
  HWY_INLINE V at_most(V a, V b) const { QDR_EACH(V, ops.at_most(a.item[i], b.item[i])); }
  HWY_INLINE V at_least(V a, V b) const { QDR_EACH(V, ops.at_least(a.item[i], b.item[i])); }
  HWY_INLINE V abs(V a) const { QDR_EACH(V, ops.abs(a.item[i])); }
  HWY_INLINE V round(V a) const { QDR_EACH(V, ops.round(a.item[i])); }
  HWY_INLINE V exponent(V a) const { QDR_EACH(V, ops.exponent(a.item[i])); }
  HWY_INLINE V mantissa(V a) const { QDR_EACH(V, ops.mantissa(a.item[i])); }
  HWY_INLINE V two_to(V a) const { QDR_EACH(V, ops.two_to(a.item[i])); }
  HWY_INLINE M less(V a, V b) const { QDR_EACH(M, ops.less(a.item[i], b.item[i])); }
  HWY_INLINE M equal(V a, V b) const { QDR_EACH(M, ops.equal(a.item[i], b.item[i])); }
  HWY_INLINE V select(M c, V a, V b) const { QDR_EACH(V, ops.select(c.item[i], a.item[i], b.item[i])); }
#undef QDR_EACH
};

}  // namespace quadrance::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
