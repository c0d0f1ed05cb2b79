// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "metrics/elementary-inl.h"
#include "metrics/kernel_parameters.h"
#include "metrics/places.h"

#include "metrics/begin-inl.h"

/// The haversine of the angle and that of the angle to the antipode: the first keeps the digits of near
/// points, the second those of far ones. Differences of the angles as they are given, so no digit is lost
/// between near points.
struct Haversine {
  static constexpr MetricInfo info{
      .names = "haversine",
      .formula = "2 r asin(sqrt(sin^2((x0 - y0) / 2) + cos(x0) cos(y0) sin^2((x1 - y1) / 2)))",
      .source = "sklearn.metrics.pairwise.haversine_distances",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = MetricInfo::kNotHomogeneous,
      .growth = MetricInfo::kNeverExact,
      .accuracy =
          "relative error <= 16 eps for distances above 1e-150 r, computed in float64; 8 eps r more for a "
          "latitude beyond a pole or radians beyond a circle",
      .edges =
          "features are latitude, longitude; radians, or degrees = true; radius r, left out: 1; antipodes "
          "-> pi r; angles may be of any size: whole circles are taken off, and a latitude beyond a pole "
          "goes down its other side; d != 2 -> error; NaN or Inf -> NaN",
      .parameters = "degrees radius",
      .domain = "latitude, longitude",
      .features = 2,
      .in_float64 = true,
  };
  using Preparation = Places;
  static constexpr Combine combine = Combine::kSum;
  static constexpr Redo redo = Redo::kNever;
  static constexpr int temporaries = 6;  // the row's value, three choices, difference and its error

  /// Each holds one number of a pair: the step adds 0 to it but in its own feature.
  enum Accumulator { kLatitudes, kLatitudeSum, kLongitudes, kLongitudeError, kCosines, kAccumulators };
  static constexpr int accumulators = kAccumulators;
  /// 1 in the features latitude, longitude and cosine of latitude, else 0.
  enum FeatureParameter { kIsLatitude, kIsLongitude, kIsCosine, kFeatureParameters };
  enum Parameter { kRadius, kCircle, kCircleRest, kInverseCircle, kHalfAngle };

  static std::vector<double> feature_parameters(const ParametersGiven&) {
    return {1, 0, 0, 0, 1, 0, 0, 0, 1};
  }

  static std::vector<double> kernel_parameters(const ParametersGiven& given) {
    const double radius = given.parameters.radius.value_or(1);
    if (given.parameters.degrees.value_or(false)) return {radius, 360, 0, 1.0 / 360, std::numbers::pi / 360};
    constexpr double kTwoPi = 0x1.921fb54442d18p+2;
    constexpr double kTwoPiRest = 0x1.1a62633145c07p-52;
    return {radius, kTwoPi, kTwoPiRest, 1 / kTwoPi, 0.5};
  }

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    const V difference = o.subtract(x, y);
    const V b = o.subtract(difference, x);  // Knuth's two-sum
    const V error = o.subtract(o.subtract(x, o.subtract(difference, b)), o.add(y, b));
    const V is_latitude = o.feature_parameter(kIsLatitude);
    const V is_longitude = o.feature_parameter(kIsLongitude);
    sum[kLatitudes] = o.multiply_add(is_latitude, difference, sum[kLatitudes]);
    sum[kLatitudeSum] = o.multiply_add(is_latitude, o.add(x, y), sum[kLatitudeSum]);
    sum[kLongitudes] = o.multiply_add(is_longitude, difference, sum[kLongitudes]);
    sum[kLongitudeError] = o.multiply_add(is_longitude, error, sum[kLongitudeError]);
    sum[kCosines] = o.multiply_add(o.feature_parameter(kIsCosine), o.multiply(x, y), sum[kCosines]);
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    const V none = o.constant(0);
    const V longitudes = half_of(o, sum[kLongitudes], sum[kLongitudeError]);
    const V cosines = sum[kCosines];
    const V near = o.multiply_add(cosines, squared_sine(o, longitudes),
                                  squared_sine(o, half_of(o, sum[kLatitudes], none)));
    const V quarter = o.add(o.subtract(o.constant(0x1.921fb54442d18p+0), o.abs(longitudes)),
                            o.constant(0x1.1a62633145c07p-54));
    const V far = o.multiply_add(cosines, squared_sine(o, quarter),
                                 squared_sine(o, half_of(o, sum[kLatitudeSum], none)));
    return o.multiply(double_angle(o, near, far), o.parameter(kRadius));
  }

 private:
  /// Half of an angle in radians, less whole circles: within a quarter of one. Differences of about a circle
  /// have no error but the one that is put back.
  template <class Ops, class V>
  static QDR_INLINE V half_of(const Ops& o, V angle, V error) {
    const V circles = o.round(o.multiply(angle, o.parameter(kInverseCircle)));
    const V turned = o.subtract(o.constant(0), circles);
    const V rest = o.multiply_add(turned, o.parameter(kCircle), angle);
    return o.multiply(o.add(rest, o.multiply_add(turned, o.parameter(kCircleRest), error)),
                      o.parameter(kHalfAngle));
  }
};

#include "metrics/end-inl.h"
