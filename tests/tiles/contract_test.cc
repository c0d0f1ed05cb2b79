// SPDX-License-Identifier: Apache-2.0
// The contract of values (docs/numerics.md), line by line, for every metric x device x instruction set x
// dtype.
//
// Expected values come from tests/support/oracle.h (extended precision) or from the same call in another
// shape where the line is about equal bits. Sizes cross panel, band and line boundaries: panels are at most
// 80 wide, bands at most 160 high. Out of scope: speed, n beyond memory (tests/plan), the Python surface
// (tests/python).
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "quadrance/pairwise.h"
#include "support/comparator.h"
#include "support/elements.h"
#include "support/generators.h"
#include "support/oracle.h"
#include "support/runs.h"

namespace quadrance::testing {
namespace {

class Contract : public ::testing::TestWithParam<Run> {
 protected:
  StoredMatrix stored(Pattern pattern, std::int64_t rows, std::int64_t cols, std::uint64_t seed = 1) const {
    return {points_of(pattern, rows, cols, seed), GetParam().dtype};
  }
  /// In the metric's domain.
  Points points_of(Pattern pattern, std::int64_t rows, std::int64_t cols, std::uint64_t seed) const {
    Points points = make_points(pattern, GetParam().dtype, rows, features(cols), seed);
    if (of_distributions()) {
      for (long double& element : points.elements) element = std::fabs(element);
    }
    if (of_truths()) {  // about half of the numbers become 0; equal ones all or none
      for (long double& element : points.elements)
        element = std::fmod(std::fabs(element) * 1e6L, 2.0L) < 1 ? 0 : element;
    }
    return points;
  }
  /// Of rows scaled to sum 1: a zero row is NaN from others.
  bool of_distributions() const { return info().domain == "numbers not below 0"; }
  bool of_truths() const { return info().domain.find("not 0") != std::string_view::npos; }
  Matrix among(const MatrixView& x) const { return compute(x, options(x.cols)); }
  Matrix between(const MatrixView& x, const MatrixView& y) const { return compute(x, y, options(x.cols)); }
  Matrix compute(const MatrixView& x, const Options& with) const {
    return info().similarity ? similarities(x, with) : distances(x, with);
  }
  Matrix compute(const MatrixView& x, const MatrixView& y, const Options& with) const {
    return info().similarity ? similarities(x, y, with) : distances(x, y, with);
  }
  Options options(std::int64_t d) const {
    Options options = GetParam().options();
    options.parameters = test_parameters(metric(), features(d));
    return options;
  }
  /// d, or the number of features this metric takes.
  std::int64_t features(std::int64_t d) const { return info().features != 0 ? info().features : d; }
  /// Rows at the edges of tiles, whole.
  void compare_rows(const Matrix& got, const MatrixView& x, const MatrixView& y, const Plan& plan) const;
  const MetricInfo& info() const { return GetParam().info(); }
  const std::string& metric() const { return GetParam().metric; }
  /// For mahalanobis the oracle solves d equations a pair.
  std::int64_t most_features() const { return metric() == "mahalanobis" ? 7 : 300; }
};

INSTANTIATE_TEST_SUITE_P(Pairwise, Contract, ::testing::ValuesIn(all_runs()), run_name);

/// Bits of element (i, j).
std::uint64_t bits(const Matrix& matrix, std::int64_t i, std::int64_t j) {
  std::uint64_t out = 0;
  const std::size_t size = size_of(matrix.dtype());
  std::memcpy(
      &out, static_cast<const char*>(matrix.data()) + static_cast<std::size_t>(i * matrix.cols() + j) * size,
      size);
  return out;
}

MatrixView columns_of_view(const MatrixView& x, std::int64_t first, std::int64_t count) {
  MatrixView part = x;
  part.data = static_cast<const std::byte*>(x.data) + first * x.col_stride;
  part.cols = count;
  return part;
}

MatrixView rows_of_view(const MatrixView& x, std::int64_t first, std::int64_t count) {
  MatrixView part = x;
  part.data = static_cast<const std::byte*>(x.data) + first * x.row_stride;
  part.rows = count;
  return part;
}

void Contract::compare_rows(const Matrix& got, const MatrixView& x, const MatrixView& y,
                            const Plan& plan) const {
  std::set<std::int64_t> rows;
  for (const std::int64_t edge : {std::int64_t{0}, plan.tile_cols, plan.tile_rows, x.rows})
    rows.insert({std::clamp<std::int64_t>(edge - 1, 0, x.rows), std::clamp<std::int64_t>(edge, 0, x.rows)});
  rows.erase(x.rows);
  for (const std::int64_t i : rows) {
    EXPECT_TRUE(compare(rows_of_view(got.view(), i, 1), rows_of_view(x, i, 1), y, metric(), GetParam().dtype))
        << i;
  }
}

TEST_P(Contract, MatchesTheOracleForEveryPattern) {
  for (const Pattern pattern : patterns_of(GetParam().dtype)) {
    for (const std::int64_t d : {1, 2, 7, 40, 128, 129, 300}) {
      if (d > most_features()) continue;
      const StoredMatrix x = stored(pattern, 99, d, 1);
      const StoredMatrix y = stored(pattern, 37, d, 2);
      SCOPED_TRACE(std::string(name_of(pattern)) + " d=" + std::to_string(d));
      const Matrix symmetric = among(x.view());
      const Matrix rectangle = between(x.view(), y.view());
      // Pairs at both ends of panels: the oracle takes a thousand times as long as the kernels.
      constexpr std::pair<int, int> kSome[] = {{0, 4}, {78, 4}, {97, 2}};
      for (const auto& [row, rows] : kSome) {
        for (const auto& [col, cols] : kSome) {
          const MatrixView part = columns_of_view(rows_of_view(symmetric.view(), row, rows), col, cols);
          EXPECT_TRUE(compare(part, rows_of_view(x.view(), row, rows), rows_of_view(x.view(), col, cols),
                              metric(), GetParam().dtype));
        }
        const MatrixView part = columns_of_view(rows_of_view(rectangle.view(), row, rows), 33, 4);
        EXPECT_TRUE(compare(part, rows_of_view(x.view(), row, rows), rows_of_view(y.view(), 33, 4), metric(),
                            GetParam().dtype));
      }
    }
  }
}

TEST_P(Contract, MatchesTheOracleAtEveryEdgeOfATile) {
  const Plan plan = make_plan(MatrixView::shape(GetParam().dtype, 500, features(5)), options(5));
  std::vector<std::int64_t> sizes = interesting_sizes(plan.tile_cols);
  for (const std::int64_t edge : {plan.tile_rows, 2 * plan.tile_rows, 2 * plan.tile_cols}) {
    sizes.insert(sizes.end(), {edge - 1, edge, edge + 1});
  }
  for (const std::int64_t n : sizes) {
    if (n > 400) continue;
    for (const std::int64_t d : {0, 1, 5}) {
      const StoredMatrix x = stored(Pattern::kNormal, n, d, 3);
      SCOPED_TRACE("n=" + std::to_string(n) + " d=" + std::to_string(d));
      compare_rows(among(x.view()), x.view(), x.view(), plan);
      for (const std::int64_t m : {std::int64_t{1}, plan.tile_cols + 1}) {
        const StoredMatrix y = stored(Pattern::kNormal, m, d, 4);
        compare_rows(between(x.view(), y.view()), x.view(), y.view(), plan);
        compare_rows(between(y.view(), x.view()), y.view(), x.view(), plan);
      }
    }
  }
}

TEST_P(Contract, ErrorDoesNotGrowWithTheNumberOfFeatures) {
  if (info().features != 0 || most_features() < 300) return;
  for (const std::int64_t d : {1'000, 20'000}) {
    const StoredMatrix x = stored(Pattern::kOffset, 9, d, 5);
    const Matrix got = among(x.view());
    // Of two rows: the oracle takes a second for a million logarithms.
    EXPECT_TRUE(compare(rows_of_view(got.view(), 0, 2), rows_of_view(x.view(), 0, 2), x.view(), metric(),
                        GetParam().dtype))
        << d;
  }
}

TEST_P(Contract, EqualRowsAreExactlyZeroApart) {
  if (!info().zero_self) return;
  for (const Pattern pattern : {Pattern::kOffset, Pattern::kHuge, Pattern::kTiny, Pattern::kMixed,
                                Pattern::kSubnormal, Pattern::kNearAndFar, Pattern::kConstantRows}) {
    for (const std::int64_t d : {std::int64_t{11}, std::min<std::int64_t>(150, most_features())}) {
      const StoredMatrix x = stored(pattern, 150, d, 6);
      const StoredMatrix copy = stored(pattern, 150, d, 6);
      const Matrix self = among(x.view());
      const Matrix across = between(x.view(), copy.view());
      for (std::int64_t i = 0; i < 150; ++i) {
        ASSERT_EQ(bits(self, i, i), 0u) << name_of(pattern) << " row " << i;
        ASSERT_EQ(bits(across, i, i), 0u) << name_of(pattern) << " row " << i << " and its copy";
      }
    }
  }
}

TEST_P(Contract, SymmetricBitForBit) {
  if (!info().symmetric) return;
  for (const Pattern pattern : patterns_of(GetParam().dtype)) {
    for (const auto& [n, d] : {std::pair{2, 13}, {97, 13}, {250, 13}, {97, 150}}) {
      const StoredMatrix x = stored(pattern, n, std::min<std::int64_t>(d, most_features()), 7);
      EXPECT_TRUE(is_symmetric_bits(among(x.view()).view())) << name_of(pattern) << " n=" << n << " d=" << d;
    }
  }
}

TEST_P(Contract, SwappingTheSetsTransposesTheBits) {
  if (!info().symmetric) return;
  for (const auto& [pattern, d] :
       {std::pair{Pattern::kMixed, 17}, {Pattern::kNearAndFar, 150}, {Pattern::kConstantRows, 17}}) {
    const StoredMatrix x = stored(pattern, 101, std::min<std::int64_t>(d, most_features()), 8);
    const StoredMatrix y = stored(pattern, 83, std::min<std::int64_t>(d, most_features()), 9);
    const Matrix xy = between(x.view(), y.view());
    const Matrix yx = between(y.view(), x.view());
    for (std::int64_t i = 0; i < 101; ++i) {
      for (std::int64_t j = 0; j < 83; ++j) ASSERT_EQ(bits(xy, i, j), bits(yx, j, i)) << i << ", " << j;
    }
  }
}

TEST_P(Contract, APairHasTheSameBitsInEveryBatch) {
  for (const Pattern pattern :
       {Pattern::kNormal, Pattern::kMixed, Pattern::kHuge, Pattern::kTiny, Pattern::kNotFinite,
        Pattern::kNearAndFar, Pattern::kDuplicates, Pattern::kConstantRows}) {
    for (const std::int64_t d : {6, 131}) {
      const StoredMatrix stored_x = stored(pattern, 230, d, 10);
      const StoredMatrix copy = stored(pattern, 230, d, 10);
      const MatrixView& x = stored_x.view();
      const Matrix whole = among(x);
      const Matrix rectangle = between(x, copy.view());
      EXPECT_TRUE(bits_equal(whole.view(), rectangle.view())) << "symmetric and rectangular";
      for (const std::int64_t first : {0, 1, 79, 100, 229}) {
        const MatrixView some = rows_of_view(x, first, std::min<std::int64_t>(230 - first, 50));
        const Matrix part = between(some, x);
        for (std::int64_t i = 0; i < some.rows; ++i) {
          for (std::int64_t j = 0; j < 230; ++j) {
            const bool both_nan = std::isnan(part.dtype() == DType::kFloat32
                                                 ? static_cast<double>(part.as<float>()[i * 230 + j])
                                                 : part.as<double>()[i * 230 + j]);
            if (both_nan) continue;
            ASSERT_EQ(bits(part, i, j), bits(whole, first + i, j))
                << name_of(pattern) << " " << first + i << ", " << j;
          }
        }
      }
      Options alone = options(x.cols);
      if (GetParam().best) alone.device = "auto";  // which may choose narrower vectors for so small a job
      for (std::int64_t i = 0; i < 230; i += 23) {
        for (std::int64_t j = 1; j < 230; j += 19) {
          const Matrix one = compute(rows_of_view(x, i, 1), rows_of_view(copy.view(), j, 1), alone);
          EXPECT_TRUE(bits_equal(one.view(), columns_of_view(rows_of_view(whole.view(), i, 1), j, 1)))
              << name_of(pattern) << " " << i << ", " << j;
        }
      }
    }
  }
}

TEST_P(Contract, ThreadsDoNotChangeBits) {
  const StoredMatrix x = stored(Pattern::kNormal, 1'500, 40, 11);  // enough work for 11 threads
  Options with = options(40);
  with.threads = 1;
  const Matrix alone = compute(x.view(), with);
  for (const int threads : {2, 3, 8}) {
    with.threads = threads;
    EXPECT_TRUE(bits_equal(compute(x.view(), with).view(), alone.view())) << threads << " threads";
  }
}

TEST_P(Contract, CondensedHoldsTheUpperTriangle) {
  if (!info().symmetric) return;
  Options with = options(9);
  with.layout = Layout::kCondensed;
  for (const std::int64_t n : {0, 1, 2, 3, 80, 97, 260}) {
    const StoredMatrix x = stored(Pattern::kMixed, n, 9, 12);
    const Matrix dense = among(x.view());
    const Matrix condensed = compute(x.view(), with);
    ASSERT_EQ(condensed.rows(), 1);
    ASSERT_EQ(condensed.cols(), n * (n - 1) / 2);
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = i + 1; j < n; ++j, ++at) {
        ASSERT_EQ(bits(condensed, 0, at), bits(dense, i, j)) << "n=" << n << " " << i << ", " << j;
      }
    }
  }
}

TEST_P(Contract, EveryLayoutGivesTheSameBits) {
  const Points points = make_points(Pattern::kNormal, GetParam().dtype, 110, features(23), 13);
  const StoredMatrix plain(points, GetParam().dtype);
  const Matrix want = among(plain.view());
  for (const Storage storage : kAllStorages) {
    const StoredMatrix x(points, GetParam().dtype, storage);
    EXPECT_TRUE(bits_equal(among(x.view()).view(), want.view())) << name_of(storage);
    EXPECT_TRUE(bits_equal(between(x.view(), plain.view()).view(), want.view())) << name_of(storage);
  }
}

TEST_P(Contract, NaNAndInfComeBeforeEveryRule) {
  const StoredMatrix x = stored(Pattern::kNotFinite, 200, 5, 14);
  EXPECT_TRUE(compare(among(x.view()).view(), x.view(), x.view(), metric(), GetParam().dtype));
}

TEST_P(Contract, NoDistanceIsNegative) {
  if (!info().nonnegative) return;
  for (const auto& [pattern, d] :
       {std::pair{Pattern::kOffset, 64}, {Pattern::kNearAndFar, 200}, {Pattern::kConstantRows, 200}}) {
    const StoredMatrix x = stored(pattern, 300, std::min<std::int64_t>(d, most_features()), 15);
    const Matrix out = among(x.view());
    std::vector<bool> is_zero;
    for (const auto& row : rows_of(x.view()))
      is_zero.push_back(
          std::all_of(row.begin(), row.end(), [](long double element) { return element == 0; }));
    for (std::size_t k = 0; k < std::size_t{300} * 300; ++k) {
      const double value =
          out.dtype() == DType::kFloat32 ? static_cast<double>(out.as<float>()[k]) : out.as<double>()[k];
      const bool may_be_nan = of_distributions() && is_zero[k / 300] != is_zero[k % 300];
      ASSERT_TRUE(may_be_nan ? std::isnan(value) : !std::isnan(value) && !std::signbit(value))
          << name_of(pattern) << ' ' << k;
    }
  }
}

TEST_P(Contract, ScalesWithItsDegree) {
  // Powers of two change no bits where nothing over- or underflows.
  const int degree = info().degree;
  if (degree == MetricInfo::kNotHomogeneous) return;
  const Points points = points_of(Pattern::kNormal, 40, 12, 16);
  Points scaled = points;
  for (long double& element : scaled.elements) element *= 8;
  const Matrix once = among(StoredMatrix(points, GetParam().dtype).view());
  const Matrix eight = among(StoredMatrix(scaled, GetParam().dtype).view());
  for (std::int64_t k = 0; k < 40 * 40; ++k) {
    if (GetParam().dtype == DType::kFloat32) {
      ASSERT_EQ(std::ldexp(once.as<float>()[k], 3 * degree), eight.as<float>()[k]);
    } else {
      ASSERT_EQ(std::ldexp(once.as<double>()[k], 3 * degree), eight.as<double>()[k]);
    }
  }
}

TEST_P(Contract, TranslationMovesNothing) {
  // Whole numbers, and an offset that keeps them exact.
  const std::set<std::string> kept{"euclidean", "sqeuclidean", "cityblock",      "chebyshev",
                                   "minkowski", "rbf",         "seuclidean",     "nan_euclidean",
                                   "laplacian", "hamming",     "total_variation"};
  if (!kept.contains(metric())) return;
  const long double offset = GetParam().dtype == DType::kFloat32 ? 0x1p20L : 0x1p40L;
  const Points points = make_points(Pattern::kIntegers, GetParam().dtype, 60, 9, 18);
  Points moved = points;
  for (long double& element : moved.elements) element += offset;
  const Matrix before = among(StoredMatrix(points, GetParam().dtype).view());
  const Matrix after = among(StoredMatrix(moved, GetParam().dtype).view());
  EXPECT_TRUE(bits_equal(before.view(), after.view()));
}

TEST_P(Contract, AThirdPointIsNoShortCut) {
  if (!info().triangle) return;
  for (const Pattern pattern :
       {Pattern::kNormal, Pattern::kDuplicates, Pattern::kMixed, Pattern::kConstantRows}) {
    for (const std::int64_t d : {1, 6}) {
      const StoredMatrix x = stored(pattern, 30, d, 17);
      const Matrix out = among(x.view());
      const auto at = [&](std::int64_t i, std::int64_t j) {
        return decode(out.dtype(), address_of(out.view(), i, j));
      };
      const long double slack = GetParam().dtype == DType::kFloat32 ? 1e-5L : 1e-13L;
      for (std::int64_t i = 0; i < 30; ++i) {
        for (std::int64_t j = 0; j < 30; ++j) {
          if (of_distributions() && std::isnan(at(i, j))) continue;  // a zero row
          for (std::int64_t k = 0; k < 30; ++k) {
            if (of_distributions() && std::isnan(at(j, k))) continue;
            ASSERT_LE(at(i, k), (at(i, j) + at(j, k)) * (1 + slack) + slack * slack)
                << i << ' ' << j << ' ' << k;
          }
        }
      }
    }
  }
}

TEST_P(Contract, NoFeaturesMeanZero) {
  if (info().features != 0) return;
  const StoredMatrix x = stored(Pattern::kUniform, 5, 0);
  const StoredMatrix y = stored(Pattern::kUniform, 3, 0);
  const Matrix out = between(x.view(), y.view());
  ASSERT_EQ(out.rows(), 5);
  ASSERT_EQ(out.cols(), 3);
  for (std::int64_t i = 0; i < 5; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      if (info().similarity)  // exp(-gamma 0), (gamma 0 + 1)^3
        EXPECT_EQ(decode(out.dtype(), address_of(out.view(), i, j)), 1);
      else
        EXPECT_EQ(bits(out, i, j), 0u);
    }
  }
}

TEST_P(Contract, NoPointsMeanAnEmptyAnswer) {
  const StoredMatrix none = stored(Pattern::kUniform, 0, 3);
  const StoredMatrix two = stored(Pattern::kUniform, 2, 3);
  EXPECT_EQ(between(none.view(), two.view()).cols(), 2);
  EXPECT_EQ(between(none.view(), two.view()).rows(), 0);
  EXPECT_EQ(between(two.view(), none.view()).rows(), 2);
  EXPECT_EQ(between(two.view(), none.view()).cols(), 0);
  EXPECT_EQ(among(none.view()).rows(), 0);
}

}  // namespace
}  // namespace quadrance::testing
