// SPDX-License-Identifier: Apache-2.0
// What:  the comparator passes correctly rounded matrices and flags every planted error at its place.
// Why:   one that forgives (a mean, a negative tolerance, a skipped NaN) makes every other test worthless.
// Sizes: 7 x 5 for the kinds of error, most of them planted at the first, an inner and the last element;
//        1000 x 1000 for one bad element among many.
// Tolerances: the bound for d = 40; errors are planted at 0.9 and 1.1 times it, of every kind of bound.
// Out of scope: whether the library meets the bound.
#include "support/comparator.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest-spi.h"
#include "support/generators.h"

namespace quadrance::testing {
namespace {

constexpr std::int64_t kRows = 7;
constexpr std::int64_t kCols = 5;
constexpr std::int64_t kFeatures = 40;
constexpr std::pair<std::int64_t, std::int64_t> kPlaces[] = {{0, 0}, {3, 2}, {kRows - 1, kCols - 1}};

constexpr long double kSingle = 0x1p-23L;
constexpr long double kDouble = 0x1p-52L;

using AnyFloat = ::testing::Types<float, double>;

/// A truth of any sign and magnitude, and a matrix that holds it correctly rounded, with garbage between the
/// rows.
template <class T>
class Comparator : public ::testing::Test {
 protected:
  using Limits = std::numeric_limits<T>;
  static constexpr std::int64_t kStride = kCols + 2;

  /// The truth at [i, j] from now on, and the computed value with it.
  void set(std::int64_t i, std::int64_t j, long double value) {
    truth_.at(i, j) = value;
    got(i, j) = static_cast<T>(value);
  }
  T& got(std::int64_t i, std::int64_t j) { return got_[static_cast<std::size_t>(i * kStride + j)]; }
  long double truth(std::int64_t i, std::int64_t j) const { return truth_.at(i, j); }

  OutputView output() {
    return {got_.data(), dtype_of<T>(), kRows, kCols, kStride * std::int64_t{sizeof(T)}};
  }
  Tolerance bound() const { return tolerance_of("euclidean", kFeatures, dtype_of<T>(), dtype_of<T>()); }
  Comparison compare() {
    return quadrance::testing::compare(
        view_of(output()), [this](std::int64_t i, std::int64_t j) { return truth(i, j); }, bound());
  }

  /// Passes if the comparison finds exactly one wrong element, and finds it here.
  ::testing::AssertionResult flags_only(std::int64_t i, std::int64_t j) {
    const Comparison found = compare();
    if (found.failures == 1 && found.i == i && found.j == j && found.compared == kRows * kCols) {
      return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << "not flagged at [" << i << ", " << j << "]: " << found.message;
  }
  /// The same for a computed value planted at [i, j], which is put right again.
  ::testing::AssertionResult flags_planted(std::int64_t i, std::int64_t j, long double value) {
    const T right = std::exchange(got(i, j), static_cast<T>(value));
    const auto result = flags_only(i, j);
    got(i, j) = right;
    return result;
  }

  void SetUp() override {
    for (std::int64_t i = 0; i < kRows; ++i) {
      for (std::int64_t j = 0; j < kCols; ++j)
        set(i, j, (i + j) % 3 == 0 ? -1.7L - i * j : 0.3L + i * 11 + j);
    }
  }

 private:
  Points truth_{kRows, kCols, std::vector<long double>(kRows* kCols)};
  std::vector<T> got_ = std::vector<T>(kRows * kStride, Limits::quiet_NaN());
};
TYPED_TEST_SUITE(Comparator, AnyFloat);

TYPED_TEST(Comparator, PassesWhatIsCorrectlyRounded) {
  const Comparison found = this->compare();
  EXPECT_TRUE(found);
  EXPECT_EQ(found.compared, kRows * kCols);
  EXPECT_GT(found.error, 0);
  EXPECT_LT(found.error, 0.5L / (kFeatures + 4) + 0.001L) << "half an ulp in units of the bound";
}

TYPED_TEST(Comparator, FlagsErrorsOfBothSignsOnValuesOfBothSigns) {
  const long double bound = this->bound().relative;
  for (const auto& [i, j] : kPlaces) {
    for (const long double value : {5.3L, -5.3L, 1e30L, -1e30L, 1e-30L, -1e-30L}) {
      for (const int sign : {1, -1}) {
        this->set(i, j, value);
        EXPECT_TRUE(this->flags_planted(i, j, value * (1 + sign * 1.1L * bound)))
            << static_cast<double>(value);
        EXPECT_TRUE(this->flags_planted(i, j, value * (1 + sign * 0.5L)));
        EXPECT_TRUE(this->flags_planted(i, j, -value));
        EXPECT_TRUE(this->flags_planted(i, j, 0));
        this->got(i, j) = static_cast<TypeParam>(value * (1 + sign * 0.9L * bound));
        EXPECT_TRUE(this->compare());
      }
      this->set(i, j, 1);
    }
  }
}

TYPED_TEST(Comparator, FlagsNaNAndInf) {
  constexpr long double kNaN = std::numeric_limits<long double>::quiet_NaN();
  constexpr long double kInf = std::numeric_limits<long double>::infinity();
  for (const auto& [i, j] : kPlaces) {
    for (const long double planted : {kNaN, kInf, -kInf}) EXPECT_TRUE(this->flags_planted(i, j, planted));
    for (const long double truth : {kInf, -kInf}) {
      this->set(i, j, truth);
      EXPECT_TRUE(this->compare());
      for (const long double planted :
           {kNaN, -truth, 0.0L, 1.0L, static_cast<long double>(TestFixture::Limits::max())}) {
        EXPECT_TRUE(this->flags_planted(i, j, planted)) << static_cast<double>(planted);
      }
    }
    this->set(i, j, kNaN);
    EXPECT_TRUE(this->compare());
    this->got(i, j) = -TestFixture::Limits::quiet_NaN();
    EXPECT_TRUE(this->compare()) << "NaN has no sign";
    for (const long double planted : {kInf, -kInf, 0.0L, 1.0L})
      EXPECT_TRUE(this->flags_planted(i, j, planted));
    this->set(i, j, 1);
  }
}

TYPED_TEST(Comparator, FlagsTwoSwappedElements) {
  std::swap(this->got(2, 1), this->got(4, 3));
  const Comparison found = this->compare();
  EXPECT_EQ(found.failures, 2);
  EXPECT_TRUE((found.i == 2 && found.j == 1) || (found.i == 4 && found.j == 3)) << found.message;
}

TYPED_TEST(Comparator, ATrueZeroIsExactlyPositiveZero) {
  for (const auto& [i, j] : kPlaces) {
    this->set(i, j, 0);
    EXPECT_TRUE(this->compare());
    const long double tiny = TestFixture::Limits::denorm_min();
    for (const long double planted : {-0.0L, tiny, -tiny, 1e-12L, -1e-12L}) {
      EXPECT_TRUE(this->flags_planted(i, j, planted)) << static_cast<double>(planted);
    }
  }
}

TYPED_TEST(Comparator, BelowTheSmallestNormalTwoSubnormalsAreAllowed) {
  const long double step = TestFixture::Limits::denorm_min();
  for (const long double truth :
       {100 * step, 100.3L * step, -100 * step, 1e-3L * TestFixture::Limits::min()}) {
    this->set(3, 2, truth);
    const long double right = this->got(3, 2);
    for (const int sign : {1, -1}) {
      this->got(3, 2) = static_cast<TypeParam>(right + sign * step);
      EXPECT_TRUE(this->compare());
      EXPECT_TRUE(this->flags_planted(
          3, 2, right + sign * (3 * step + 1.2L * this->bound().relative * std::fabs(truth))));
    }
    EXPECT_TRUE(this->flags_planted(3, 2, 0));
  }
}

TYPED_TEST(Comparator, FromTheSmallestNormalOnTheBoundIsRelativeOnly) {
  const long double smallest = TestFixture::Limits::min();
  const long double step = TestFixture::Limits::denorm_min();  // eps times the smallest normal number
  this->set(3, 2, smallest);
  this->got(3, 2) = static_cast<TypeParam>(smallest + (kFeatures + 4) * step);
  EXPECT_TRUE(this->compare());
  EXPECT_TRUE(this->flags_planted(3, 2, smallest + (kFeatures + 5) * step));
}

TYPED_TEST(Comparator, ASmallPositiveTruthNeverComesOutNegative) {
  const long double step = TestFixture::Limits::denorm_min();
  for (const long double truth : {0.3L * step, 0.9L * step}) {
    this->set(3, 2, truth);
    for (const long double right : {0.0L, step}) {
      this->got(3, 2) = static_cast<TypeParam>(right);
      EXPECT_TRUE(this->compare());
    }
    EXPECT_TRUE(this->flags_planted(3, 2, -0.0L));
    EXPECT_TRUE(this->flags_planted(3, 2, -step));
  }
}

TYPED_TEST(Comparator, OverflowIsRightOnlyWhereTheToleranceReachesIt) {
  const long double largest = TestFixture::Limits::max();
  const long double bound = this->bound().relative;
  constexpr auto kInf = TestFixture::Limits::infinity();
  for (const int sign : {1, -1}) {
    for (const long double truth : {2 * largest, 1e4L * largest}) {
      this->set(3, 2, sign * truth);
      EXPECT_TRUE(this->compare());
      EXPECT_TRUE(this->flags_planted(3, 2, sign * largest));
      EXPECT_TRUE(this->flags_planted(3, 2, -sign * std::numeric_limits<long double>::infinity()));
    }
    this->set(3, 2, sign * largest);
    EXPECT_TRUE(this->compare());
    this->got(3, 2) = sign > 0 ? kInf : -kInf;
    EXPECT_TRUE(this->compare()) << "a rounding error away from Inf";
    this->set(3, 2, sign * largest * (1 - 1.5L * bound));
    EXPECT_TRUE(this->flags_planted(3, 2, sign * std::numeric_limits<long double>::infinity()));
  }
}

TYPED_TEST(Comparator, ReportsTheWorstOfSeveral) {
  this->got(1, 1) *= 1.01f;
  this->got(2, 4) *= 1.5f;
  this->got(6, 0) *= 0.9f;
  const Comparison found = this->compare();
  EXPECT_EQ(found.failures, 3);
  EXPECT_EQ(found.i, 2);
  EXPECT_EQ(found.j, 4);
  EXPECT_EQ(found.got, this->got(2, 4));
  EXPECT_EQ(found.want, this->truth(2, 4));
  EXPECT_NEAR(static_cast<double>(found.error * this->bound().relative), 0.5, 1e-5);
  this->got(5, 3) = -this->got(5, 3);
  EXPECT_EQ(this->compare().i, 5) << "a fault that no bound allows is worse";
}

TYPED_TEST(Comparator, FindsOneBadElementAmongAMillion) {
  constexpr std::int64_t kSide = 1000;
  std::vector<TypeParam> computed(kSide * kSide);
  const auto truth = [](std::int64_t i, std::int64_t j) { return std::sqrt(1.0L + i) + j; };
  for (std::int64_t i = 0; i < kSide; ++i) {
    for (std::int64_t j = 0; j < kSide; ++j)
      computed[static_cast<std::size_t>(i * kSide + j)] = static_cast<TypeParam>(truth(i, j));
  }
  const MatrixView view(computed.data(), kSide, kSide);
  ASSERT_TRUE(compare(view, truth, this->bound()));
  TypeParam& bad = computed[static_cast<std::size_t>(617 * kSide + 443)];
  bad = static_cast<TypeParam>(bad * (1 + 1.5L * this->bound().relative));
  const Comparison found = compare(view, truth, this->bound());
  EXPECT_EQ(found.failures, 1);
  EXPECT_EQ(found.compared, kSide * kSide);
  EXPECT_TRUE(found.i == 617 && found.j == 443) << found.message;
}

// --- bounds, rows, messages --------------------------------------------------------------------------------

TEST(Tolerance, FollowsTheStatedBound) {
  for (const char* metric : {"euclidean", "sqeuclidean"}) {
    EXPECT_EQ(tolerance_of(metric, 0, DType::kFloat32, DType::kFloat32).relative, 4 * kSingle);
    EXPECT_EQ(tolerance_of(metric, 40, DType::kFloat32, DType::kFloat32).relative, 44 * kSingle);
    EXPECT_EQ(tolerance_of(metric, 128, DType::kFloat64, DType::kFloat64).relative, 132 * kDouble);
    EXPECT_EQ(tolerance_of(metric, 1'000'000, DType::kFloat64, DType::kFloat64).relative, 132 * kDouble);
    EXPECT_EQ(tolerance_of(metric, 2, DType::kFloat64, DType::kFloat32).relative, 6 * kDouble + kSingle / 2);
    EXPECT_EQ(tolerance_of(metric, 2, DType::kFloat32, DType::kFloat64).relative, 6 * kSingle);
    EXPECT_EQ(tolerance_of(metric, 2, DType::kFloat32, DType::kFloat32).subnormals, 2);
  }
  EXPECT_THROW(tolerance_of("nonsense", 2, DType::kFloat32, DType::kFloat32), std::invalid_argument);
  EXPECT_THROW(tolerance_of("euclidean", 2, DType::kInt32, DType::kFloat32), std::invalid_argument);
}

TEST(Tolerance, OfNothingWantsExactValues) {
  const float values[] = {3, 4};
  const MatrixView view(values, 1, 2);
  EXPECT_TRUE(compare(
      view, [](auto, auto j) { return 3.0L + j; }, Tolerance{}));
  const Comparison found = compare(
      view, [](auto, auto j) { return 3.0L + j * (1 + 1e-15L); }, Tolerance{});
  EXPECT_EQ(found.failures, 1);
  EXPECT_EQ(found.j, 1);
}

// --- bounds of the other kinds -----------------------------------------------------------------------------

/// How a single float64 or float32 compares: the error in units of the bound, Inf for a broken rule.
template <class T>
long double error_of(T got, long double want, const Tolerance& tolerance, Magnitudes size = {}) {
  const Comparison found = compare(
      MatrixView(&got, 1, 1), [&](auto, auto) { return want; }, tolerance, [&](auto, auto) { return size; });
  EXPECT_EQ(found.failures, found.error <= 1 ? 0 : 1);
  return found.error;
}

/// Errors of 0.9 bounds pass and of 1.1 bounds are found, of both signs.
void expect_bound(long double want, long double bound, const Tolerance& tolerance, Magnitudes size = {}) {
  for (const int sign : {1, -1}) {
    EXPECT_LE(error_of(static_cast<double>(want + sign * 0.9L * bound), want, tolerance, size), 1);
    EXPECT_GT(error_of(static_cast<double>(want + sign * 1.1L * bound), want, tolerance, size), 1);
  }
}

Tolerance of_doubles(std::string_view metric, std::int64_t d) {
  return tolerance_of(metric, d, DType::kFloat64, DType::kFloat64);
}

TEST(Tolerance, OfMinkowskiIsDividedByItsPower) {
  const long double logarithm = std::log(40.0L);
  expect_bound(3, 3 * ((48 + 4 * logarithm) / 2.7L + 6) * kDouble, of_doubles("minkowski", 40));
  EXPECT_NEAR(static_cast<double>(of_doubles("minkowski", 0).relative / kDouble),
              (8 + 4 * std::log(2.0)) / 2.7 + 6, 1e-9);
  EXPECT_GT(error_of(1e-300, 0, of_doubles("minkowski", 40)), 1) << "a true 0 is exact";
}

TEST(Tolerance, OfAnglesIsAbsoluteToo) {
  expect_bound(2, (2 * 52 + 5) * kDouble, of_doubles("angular", 40));
  expect_bound(3, 3 * 16 * kDouble, of_doubles("haversine", 2));
  const Tolerance narrow = tolerance_of("haversine", 2, DType::kFloat32, DType::kFloat32);
  expect_bound(3, 3 * 16 * kDouble + 3 * kSingle / 2, narrow);
  EXPECT_LE(error_of(4 * 0x1p-52, 0, of_doubles("angular", 40)), 1);
  EXPECT_GT(error_of(6 * 0x1p-52, 0, of_doubles("angular", 40)), 1);
  EXPECT_GT(error_of(-0x1p-60, 0, of_doubles("angular", 40)), 1) << "no angle is negative";
}

TEST(Tolerance, OfPartialAndPeriodicSums) {
  expect_bound(3, 3 * 46 * kDouble, of_doubles("nan_euclidean", 40));
  expect_bound(3, 3 * 48 * kDouble, of_doubles("periodic_euclidean", 40));
  expect_bound(3, 3 * (48 * kDouble + kSingle / 2),
               tolerance_of("periodic_euclidean", 40, DType::kFloat32, DType::kFloat32));
}

TEST(Tolerance, OfExponentialsGrowsWithTheExponent) {
  for (const char* metric : {"rbf", "laplacian"}) {
    for (const long double exponent : {1e-3L, 1.0L, 30.0L, 600.0L}) {
      const long double want = std::exp(-exponent);
      expect_bound(want, want * (48 * exponent + 6) * kDouble, of_doubles(metric, 40));
    }
    EXPECT_LE(error_of(1.0, 1, of_doubles(metric, 40)), 1);
    EXPECT_GT(error_of(1 + 7 * 0x1p-52, 1, of_doubles(metric, 40)), 1);
    EXPECT_GT(error_of(1e-320, 0, of_doubles(metric, 40)), 1);
    EXPECT_GT(error_of(-0.0, 0, of_doubles(metric, 40)), 1);
    EXPECT_LE(error_of(0.0, 1e-4000L, of_doubles(metric, 40)), 1) << "below the smallest number";
    EXPECT_GT(error_of(0.0, 1e-300L, of_doubles(metric, 40)), 1);
  }
}

TEST(Tolerance, OfProductsIsOfTheirMagnitudes) {
  const Magnitudes size{100, 100};
  for (const long double want : {-70.0L, 0.0L, 1e-3L, 70.0L}) {
    expect_bound(want, 100 * 44 * kDouble, of_doubles("inner_product", 40), size);
    expect_bound(want, 3 * 48 * 100 * kDouble, of_doubles("polynomial", 40), size);
  }
  const Tolerance tolerance = of_doubles("inner_product", 40);
  EXPECT_EQ(error_of(-0.0, 0, tolerance), 0) << "a sum of both signs may be 0 from below";
  EXPECT_LE(error_of(-1e-14, 1e-14L, tolerance, size), 1) << "nor has one that cancels a sign";
  EXPECT_GT(error_of(1e-300, 0, tolerance), 1) << "nothing cancels: no product but 0";
  EXPECT_LE(error_of(39 * 0x1p-1074, 0, tolerance), 1) << "products that underflow";
  EXPECT_GT(error_of(41 * 0x1p-1074 + 2 * 0x1p-1074, 0, tolerance), 1);
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const double sign : {1.0, -1.0}) {
    const long double want = sign * kInf;
    EXPECT_LE(error_of(sign * kInf, want, tolerance, {want, want}), 1);
    EXPECT_GT(error_of(-sign * kInf, want, tolerance, {kInf, kInf}), 1) << "Inf in a row has a sign";
    EXPECT_GT(error_of(sign * 1.0, want, tolerance, {kInf, kInf}), 1);
  }
  EXPECT_GT(error_of(1.0, std::nanl(""), tolerance, {std::nanl(""), std::nanl("")}), 1);
  EXPECT_GT(error_of(std::nan(""), 1, tolerance, size), 1);
}

TEST(Tolerance, AllowsOnlyWhatAnOverflowExplains) {
  const long double largest = std::numeric_limits<float>::max();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Magnitudes within{largest / 5, largest / 5};
  const Magnitudes beyond{largest / 3, largest / 3};
  for (const char* metric : {"inner_product", "polynomial"}) {
    const Tolerance tolerance = tolerance_of(metric, 4, DType::kFloat32, DType::kFloat32);
    for (const float got : {kInf, -kInf, nan}) {
      EXPECT_LE(error_of(got, 5, tolerance, beyond), 1);
      EXPECT_GT(error_of(got, 5, tolerance, within), 1);
      EXPECT_GT(error_of(got, 5, tolerance), 1);
    }
    EXPECT_LE(error_of(1e35f, 1e35L, tolerance, beyond), 1) << "right all the same";
    EXPECT_GT(error_of(-3e38f, 1e35L, tolerance, beyond), 1);
  }
  EXPECT_LE(error_of(kInf, 5, tolerance_of("polynomial", 4, DType::kFloat32, DType::kFloat32), {1, largest}),
            1)
      << "only the power overflows";
  for (const char* metric : {"rbf", "laplacian"}) {
    const Tolerance tolerance = tolerance_of(metric, 4, DType::kFloat32, DType::kFloat32);
    EXPECT_LE(error_of(0.0f, 0.5L, tolerance, beyond), 1) << "of a tiny gamma";
    EXPECT_LE(error_of(0.5f, 0.5L, tolerance, beyond), 1);
    EXPECT_GT(error_of(0.0f, 0.5L, tolerance, within), 1);
    for (const float got : {-0.0f, 0.4f, 1.0f, kInf, nan})
      EXPECT_GT(error_of(got, 0.5L, tolerance, beyond), 1);
  }
  const Tolerance wide = tolerance_of("rbf", 4, DType::kFloat64, DType::kFloat32);
  EXPECT_GT(error_of(0.0f, 0.5L, wide, beyond), 1) << "float64 does not overflow there";
}

TEST(CompareRows, AProductThatOverflowsBesideInfMayGiveNaN) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const auto failures = [&](double size, double got) {
    const double x[] = {size, -kInfinite};
    const double y[] = {-size, -1};  // -(-size^2 + Inf)
    return compare(MatrixView(&got, 1, 1), MatrixView(x, 1, 2), MatrixView(y, 1, 2), "inner_product",
                   DType::kFloat64)
        .failures;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(failures(1e200, nan), 0);
  EXPECT_EQ(failures(1e200, -kInfinite), 0);
  EXPECT_EQ(failures(1e200, 1.0), 1);
  EXPECT_EQ(failures(1e10, -kInfinite), 0);
  EXPECT_EQ(failures(1e10, nan), 1);
  EXPECT_EQ(failures(1e10, kInfinite), 1);
}

TEST(CompareRows, TakesTheMagnitudesFromTheOracle) {
  const double x[] = {1, 1e10, 1};
  const double y[] = {1, 1, -1e10};
  double got[] = {-1};  // the products cancel but for 1
  const auto failures = [&](const char* metric) {
    return compare(MatrixView(got, 1, 1), MatrixView(x, 1, 3), MatrixView(y, 1, 3), metric, DType::kFloat64)
        .failures;
  };
  EXPECT_EQ(failures("inner_product"), 0);
  got[0] += 6.9 * 2e10 * 0x1p-52;
  EXPECT_EQ(failures("inner_product"), 0);
  got[0] += 0.3 * 2e10 * 0x1p-52;
  EXPECT_EQ(failures("inner_product"), 1);
  got[0] = 64.0 / 27;
  EXPECT_EQ(failures("polynomial"), 0);
  got[0] = 0;
  EXPECT_EQ(failures("rbf") + failures("laplacian"), 0);
}

TEST(CompareRows, HoldsAgainstTheOracle) {
  const double x[] = {0, 0, 3, 4};
  const double y[] = {0, 0, 6, 8, 3, 4};
  double got[] = {0, 10, 5, 5, 5, 0};
  const MatrixView xs(x, 2, 2);
  const MatrixView ys(y, 3, 2);
  const MatrixView result(got, 2, 3);
  EXPECT_TRUE(compare(result, xs, ys, "euclidean", DType::kFloat64));
  EXPECT_EQ(compare(result, xs, ys, "sqeuclidean", DType::kFloat64).failures, 4);
  got[5] = -0.0;
  const Comparison found = compare(result, xs, ys, "euclidean", DType::kFloat64);
  EXPECT_TRUE(found.failures == 1 && found.i == 1 && found.j == 2) << found.message;
  EXPECT_FALSE(compare(MatrixView(got, 3, 2), xs, ys, "euclidean", DType::kFloat64)) << "transposed shape";
  EXPECT_FALSE(compare(MatrixView(got, 1, 3), xs, ys, "euclidean", DType::kFloat64)) << "a row is missing";
  EXPECT_FALSE(compare(MatrixView(got, 2, 0), xs, ys, "euclidean", DType::kFloat64)) << "nothing to compare";
  EXPECT_FALSE(compare(result, xs, MatrixView(y, 3, 1), "euclidean", DType::kFloat64));
}

TEST(CompareRows, RefusesResultsThatAreNotFloats) {
  const std::int32_t numbers[] = {1};
  const MatrixView view(numbers, 1, 1);
  EXPECT_THROW(compare(
                   view, [](auto, auto) { return 1.0L; }, Tolerance{}),
               std::invalid_argument);
}

TEST(Comparison, FailsAnAssertionWithItsMessage) {
  static const float values[] = {1, 2, 3, 4};
  static const Truth truth = [](auto i, auto j) { return 1.0L + 2 * i + 2 * j; };
  EXPECT_NONFATAL_FAILURE(
      EXPECT_TRUE(compare(MatrixView(values, 2, 2), truth, {.relative = 1e-3L})),
      "2 of 4 elements are wrong; worst is [0, 1]: got 2, want 3, error 333.3 times the bound");
  const Comparison empty = compare(MatrixView(values, 0, 2), truth, Tolerance{});
  EXPECT_TRUE(empty);
  EXPECT_EQ(empty.compared, 0);
  EXPECT_EQ(empty.message, "0 of 0 elements are wrong");
}

// --- bits --------------------------------------------------------------------------------------------------

TYPED_TEST(Comparator, BitsEqualFlagsASingleUlpAndTheSignOfZero) {
  const std::vector<TypeParam> a = {1,
                                    0,
                                    TestFixture::Limits::quiet_NaN(),
                                    TestFixture::Limits::infinity(),
                                    -3,
                                    TestFixture::Limits::denorm_min()};
  std::vector<TypeParam> b = a;
  b[2] = -b[2];
  const MatrixView left(a.data(), 2, 3);
  const MatrixView right(b.data(), 2, 3);
  EXPECT_TRUE(bits_equal(left, right)) << "NaN equals NaN";
  const auto flags = [&](std::size_t at, TypeParam value) {
    const TypeParam kept = std::exchange(b[at], value);
    const Comparison found = bits_equal(left, right);
    b[at] = kept;
    return found.failures == 1 && found.i * 3 + found.j == static_cast<std::int64_t>(at);
  };
  EXPECT_TRUE(flags(0, std::nextafter(TypeParam{1}, TypeParam{2})));
  EXPECT_TRUE(flags(1, TypeParam{-0.0}));
  EXPECT_TRUE(flags(2, 1));
  EXPECT_TRUE(flags(3, TestFixture::Limits::quiet_NaN()));
  EXPECT_TRUE(flags(4, 3));
  EXPECT_TRUE(flags(5, 0));
  // The same memory, another shape or dtype.
  EXPECT_FALSE(bits_equal(MatrixView(a.data(), 1, 3), left));
  EXPECT_FALSE(bits_equal(MatrixView(a.data(), 2, 1), left));
  const DType integer = sizeof(TypeParam) == 4 ? DType::kInt32 : DType::kInt64;
  EXPECT_FALSE(bits_equal(left, MatrixView(a.data(), integer, 2, 3, left.row_stride, left.col_stride)));
}

TYPED_TEST(Comparator, SymmetryIsOfBits) {
  std::vector<TypeParam> matrix = {
      0, 1, 2, 1, 0, TestFixture::Limits::quiet_NaN(), 2, -TestFixture::Limits::quiet_NaN(), 0};
  const MatrixView view(matrix.data(), 3, 3);
  EXPECT_TRUE(is_symmetric_bits(view));
  matrix[6] = std::nextafter(TypeParam{2}, TypeParam{3});
  const Comparison found = is_symmetric_bits(view);
  EXPECT_EQ(found.failures, 2);
  EXPECT_TRUE(found.i == 0 && found.j == 2) << found.message;
  EXPECT_FALSE(is_symmetric_bits(MatrixView(matrix.data(), 3, 2)));
}

}  // namespace
}  // namespace quadrance::testing
