// SPDX-License-Identifier: Apache-2.0
// What:  the generators keep what they promise: the same values everywhere, the property each pattern and the
//        layout each storage is named for, memory that cannot be written or read past.
// Why:   a test of NaN rows without a NaN, or of misaligned rows that are aligned, passes and proves nothing.
// Sizes: 0 to 64 rows and columns; every pattern, storage and dtype.
// Tolerances: mean and variance of 4096 samples within 5 standard errors; everything else exact.
// Out of scope: the quality of the random numbers beyond that.
#include "support/generators.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "support/elements.h"
#include "support/oracle.h"

namespace quadrance::testing {
namespace {

constexpr DType kFloats[] = {DType::kFloat16, DType::kBfloat16, DType::kFloat32, DType::kFloat64};

using Rows = std::vector<std::vector<long double>>;

/// What a test would read: generated, stored, decoded.
Rows stored_rows(Pattern pattern, DType dtype, std::int64_t rows = 64, std::int64_t cols = 64) {
  return rows_of(StoredMatrix(make_points(pattern, dtype, rows, cols), dtype).view());
}

template <class Predicate>
bool all_elements(const Rows& rows, Predicate predicate) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](const auto& row) { return std::all_of(row.begin(), row.end(), predicate); });
}

template <class Predicate>
std::int64_t count_rows(const Rows& rows, Predicate predicate) {
  return std::count_if(rows.begin(), rows.end(),
                       [&](const auto& row) { return std::any_of(row.begin(), row.end(), predicate); });
}

// --- random numbers ----------------------------------------------------------------------------------------

TEST(Random, IsSplitmix64) {
  Random random(1234567);  // the test vector of rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64
  EXPECT_EQ(random.bits(), 6457827717110365317u);
  EXPECT_EQ(random.bits(), 3203168211198807973u);
  EXPECT_EQ(random.bits(), 9817491932198370423u);
}

TEST(Random, NormalHasMean0AndDeviation1) {
  Random random(1);
  constexpr int kSamples = 4096;
  double sum = 0;
  double squares = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kSamples, 0, 5 / std::sqrt(kSamples));
  EXPECT_NEAR(squares / kSamples, 1, 5 * std::sqrt(2.0 / kSamples));
}

TEST(Random, IntegerReachesBothEnds) {
  Random random(1);
  std::set<std::int64_t> seen;
  for (int sample = 0; sample < 200; ++sample) seen.insert(random.integer(-2, 2));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2}));
}

// --- patterns ----------------------------------------------------------------------------------------------

TEST(MakePoints, SameSeedSameValuesOtherSeedOthers) {
  for (const DType dtype : kAllDTypes) {
    for (const Pattern pattern : patterns_of(dtype)) {
      const StoredMatrix once(make_points(pattern, dtype, 16, 8, 5), dtype);
      const StoredMatrix again(make_points(pattern, dtype, 16, 8, 5), dtype);
      const StoredMatrix other(make_points(pattern, dtype, 16, 8, 6), dtype);
      const auto bytes = static_cast<std::size_t>(16 * 8 * bytes_of(dtype));
      EXPECT_EQ(std::memcmp(once.view().data, again.view().data, bytes), 0) << name_of(pattern);
      EXPECT_NE(std::memcmp(once.view().data, other.view().data, bytes), 0) << name_of(pattern);
    }
  }
}

TEST(MakePoints, UniformIsWithin0And1) {
  for (const DType dtype : kFloats) {
    EXPECT_TRUE(
        all_elements(stored_rows(Pattern::kUniform, dtype), [](long double v) { return v >= 0 && v <= 1; }));
  }
}

TEST(MakePoints, OffsetLiesFarFromTheOriginAndStillVaries) {
  const auto far_and_varied = [](DType dtype, long double offset) {
    const Rows rows = stored_rows(Pattern::kOffset, dtype);
    return all_elements(rows, [&](long double v) { return std::fabs(v - offset) <= 6; }) &&
           rows[0] != rows[1];
  };
  EXPECT_TRUE(far_and_varied(DType::kFloat32, 1e6L));
  EXPECT_TRUE(far_and_varied(DType::kFloat64, 1e9L));
  EXPECT_TRUE(far_and_varied(DType::kFloat16, 1e3L));
  EXPECT_TRUE(far_and_varied(DType::kBfloat16, 1e2L));
}

TEST(MakePoints, IntegersFillTheRangeOfTheDtype) {
  for (const DType dtype : kAllDTypes) {
    const Points points = make_points(Pattern::kIntegers, dtype, 64, 64);
    const auto [low, high] = std::minmax_element(points.elements.begin(), points.elements.end());
    const long double width =
        is_float(dtype) ? 200
                        : std::ldexp(1.0L, std::min<int>(8 * static_cast<int>(bytes_of(dtype)), 53)) - 1;
    EXPECT_GT(*high - *low, dtype == DType::kBool ? 0 : width * 0.97L) << name_of(Pattern::kIntegers);
    EXPECT_TRUE(std::all_of(points.elements.begin(), points.elements.end(),
                            [](long double v) { return std::trunc(v) == v && std::fabs(v) <= 0x1p53L; }));
  }
}

TEST(MakePoints, DuplicatesHaveFewDistinctRows) {
  for (const DType dtype : kAllDTypes) {
    const Rows rows = stored_rows(Pattern::kDuplicates, dtype);
    EXPECT_EQ(std::set(rows.begin(), rows.end()).size(), 9u);
  }
}

TEST(MakePoints, AllEqualHasOneDistinctRow) {
  for (const DType dtype : kAllDTypes) {
    const Rows rows = stored_rows(Pattern::kAllEqual, dtype);
    EXPECT_EQ(std::set(rows.begin(), rows.end()).size(), 1u);
    EXPECT_EQ(rows.size(), 64u);
  }
}

TEST(MakePoints, ConstantRowsHoldOneValueEachAndSomeAreZero) {
  for (const DType dtype : kAllDTypes) {
    const Rows rows = stored_rows(Pattern::kConstantRows, dtype);
    for (const auto& row : rows) EXPECT_EQ(std::set(row.begin(), row.end()).size(), 1u);
    EXPECT_GE(count_rows(rows, [](long double v) { return v == 0; }), 12) << name_of(dtype);
    EXPECT_GT(std::set(rows.begin(), rows.end()).size(), dtype == DType::kBool ? 1u : 32u) << name_of(dtype);
  }
}

TEST(MakePoints, NotFiniteHoldsEveryKindAndRowsWithout) {
  for (const DType dtype : kFloats) {
    const Rows rows = stored_rows(Pattern::kNotFinite, dtype);
    const std::int64_t special = count_rows(rows, [](long double v) { return !std::isfinite(v); });
    EXPECT_GT(special, 16);
    EXPECT_LT(special, 48);
    EXPECT_GT(count_rows(rows, [](long double v) { return std::isnan(v); }), 3);
    EXPECT_GT(count_rows(rows, [](long double v) { return std::isinf(v) && v > 0; }), 3);
    EXPECT_GT(count_rows(rows, [](long double v) { return std::isinf(v) && v < 0; }), 3);
  }
}

long double smallest_normal(DType dtype) {
  if (dtype == DType::kFloat16) return 0x1p-14L;
  return dtype == DType::kFloat64 ? 0x1p-1022L : 0x1p-126L;
}

TEST(MakePoints, SubnormalIsBelowTheSmallestNormalAndNotAllZero) {
  for (const DType dtype : kFloats) {
    const Rows rows = stored_rows(Pattern::kSubnormal, dtype);
    EXPECT_TRUE(all_elements(rows, [&](long double v) { return std::fabs(v) < smallest_normal(dtype); }));
    EXPECT_EQ(count_rows(rows, [](long double v) { return v != 0; }), 64);
  }
}

TEST(MakePoints, HugeAndTinySquaresLeaveTheRange) {
  const auto all_of_pattern = [](Pattern pattern, DType dtype, auto predicate) {
    const Rows rows = stored_rows(pattern, dtype);
    return count_rows(rows, predicate) == 64 &&
           all_elements(rows, [](long double v) { return std::isfinite(v); });
  };
  EXPECT_TRUE(
      all_of_pattern(Pattern::kHuge, DType::kFloat32, [](long double v) { return v * v > 0x1p128L; }));
  EXPECT_TRUE(
      all_of_pattern(Pattern::kHuge, DType::kFloat64, [](long double v) { return v * v > 0x1p1024L; }));
  EXPECT_TRUE(
      all_of_pattern(Pattern::kTiny, DType::kFloat32, [](long double v) { return v * v < 0x1p-150L; }));
  EXPECT_TRUE(
      all_of_pattern(Pattern::kTiny, DType::kFloat64, [](long double v) { return v * v < 0x1p-1076L; }));
}

TEST(MakePoints, MixedSpansItsExponentsWithBothSigns) {
  const auto spans = [](DType dtype, int exponent) {
    const Rows rows = stored_rows(Pattern::kMixed, dtype);
    return count_rows(rows, [&](long double v) { return v > std::ldexp(1.0L, exponent * 9 / 10); }) > 0 &&
           count_rows(
               rows, [&](long double v) { return v < 0 && v > -std::ldexp(1.0L, -exponent * 9 / 10); }) > 0 &&
           all_elements(rows, [&](long double v) { return std::abs(std::ilogb(v)) <= exponent; });
  };
  EXPECT_TRUE(spans(DType::kFloat16, 12));
  EXPECT_TRUE(spans(DType::kBfloat16, 100));
  EXPECT_TRUE(spans(DType::kFloat32, 100));
  EXPECT_TRUE(spans(DType::kFloat64, 900));
}

TEST(MakePoints, SignedZerosHoldBothZerosAndAFewOnes) {
  for (const DType dtype : kFloats) {
    const Rows rows = stored_rows(Pattern::kSignedZeros, dtype);
    EXPECT_EQ(count_rows(rows, [](long double v) { return v == 0 && std::signbit(v); }), 64);
    EXPECT_EQ(count_rows(rows, [](long double v) { return v == 0 && !std::signbit(v); }), 64);
    EXPECT_EQ(count_rows(rows, [](long double v) { return v == 1; }), 16);
  }
}

TEST(MakePoints, RefusesWhatIntegersCannotHold) {
  EXPECT_THROW(make_points(Pattern::kNormal, DType::kInt32, 2, 2), std::invalid_argument);
  EXPECT_THROW(make_points(Pattern::kNotFinite, DType::kBool, 2, 2), std::invalid_argument);
  EXPECT_EQ(patterns_of(DType::kUint8).size(), 4u);
  EXPECT_EQ(patterns_of(DType::kFloat16).size(), std::size(kAllPatterns));
}

// --- storage -----------------------------------------------------------------------------------------------

class Stored : public ::testing::TestWithParam<Storage> {};

std::string storage_name(const ::testing::TestParamInfo<Storage>& info) {
  return std::string(name_of(info.param));
}

INSTANTIATE_TEST_SUITE_P(Storages, Stored, ::testing::ValuesIn(kAllStorages), storage_name);

TEST_P(Stored, GivesBackEveryDtype) {
  for (const DType dtype : kAllDTypes) {
    const Points points = make_points(Pattern::kIntegers, dtype, 7, 5);
    const StoredMatrix stored(points, dtype, GetParam());
    ASSERT_EQ(stored.view().rows, 7);
    ASSERT_EQ(stored.view().cols, 5);
    for (std::int64_t i = 0; i < 7; ++i) {
      for (std::int64_t f = 0; f < 5; ++f)
        ASSERT_EQ(row_of(stored.view(), i)[static_cast<std::size_t>(f)], points.at(i, f));
    }
  }
}

TEST_P(Stored, TakesEmptyAndSingleShapes) {
  for (const std::int64_t rows : {0, 1, 3}) {
    for (const std::int64_t cols : {0, 1, 3}) {
      const StoredMatrix stored(make_points(Pattern::kDuplicates, DType::kFloat64, rows, cols),
                                DType::kFloat64, GetParam());
      EXPECT_EQ(rows_of(stored.view()).size(), static_cast<std::size_t>(rows));
      EXPECT_NE(stored.view().data, nullptr);
    }
  }
}

TEST_P(Stored, HasTheLayoutItIsNamedFor) {
  for (const DType dtype : kAllDTypes) {
    const std::int64_t size = bytes_of(dtype);
    const StoredMatrix stored(make_points(Pattern::kAllEqual, dtype, 6, 4), dtype, GetParam());
    const MatrixView& view = stored.view();
    const auto address = reinterpret_cast<std::uintptr_t>(view.data);
    const bool aligned = address % static_cast<std::uintptr_t>(size) == 0;
    switch (GetParam()) {
      case Storage::kRowMajor:
        EXPECT_TRUE(aligned && view.row_stride == 4 * size && view.col_stride == size);
        break;
      case Storage::kColumnMajor:
        EXPECT_TRUE(aligned && view.row_stride == size && view.col_stride == 6 * size);
        break;
      case Storage::kPaddedRows:
        EXPECT_TRUE(aligned && view.row_stride == 7 * size && view.col_stride == size);
        break;
      case Storage::kReversedRows:
        EXPECT_TRUE(aligned && view.row_stride == -4 * size && view.col_stride == size);
        break;
      case Storage::kMisaligned:
        EXPECT_TRUE(address % 2 == 1 && view.row_stride == 4 * size && view.col_stride == size);
        break;
      case Storage::kStructuredField:
        EXPECT_TRUE(view.col_stride == size + 1 && view.row_stride > 4 * (size + 1));
        EXPECT_TRUE(size == 1 || view.col_stride % size != 0);
    }
  }
}

std::byte* last_element(const MatrixView& view) {
  const std::int64_t last_row = view.row_stride < 0 ? 0 : view.rows - 1;
  return const_cast<std::byte*>(address_of(view, last_row, view.cols - 1));
}

using StoredDeathTest = Stored;
INSTANTIATE_TEST_SUITE_P(Storages, StoredDeathTest, ::testing::ValuesIn(kAllStorages), storage_name);

TEST_P(StoredDeathTest, CannotBeWrittenNorReadPast) {
  const StoredMatrix stored(make_points(Pattern::kNormal, DType::kFloat32, 5, 3), DType::kFloat32,
                            GetParam());
  volatile std::byte* const last = reinterpret_cast<volatile std::byte*>(last_element(stored.view()));
  EXPECT_DEATH(last[0] = std::byte{0}, "");
  // kMisaligned leaves 3 bytes behind a float32.
  EXPECT_DEATH(static_cast<void>(last[4 + 3]), "");
}

TEST(StoredMatrix, FillsGapsWithNaN) {
  const StoredMatrix stored(make_points(Pattern::kNormal, DType::kFloat64, 2, 3), DType::kFloat64,
                            Storage::kPaddedRows);
  for (std::int64_t f = 3; f < 6; ++f)
    EXPECT_TRUE(std::isnan(decode(DType::kFloat64, address_of(stored.view(), 0, f))));
}

TEST(StoredMatrix, MovesItsMemory) {
  StoredMatrix from(make_points(Pattern::kNormal, DType::kFloat32, 2, 3), DType::kFloat32);
  const Rows rows = rows_of(from.view());
  const StoredMatrix to(std::move(from));
  EXPECT_EQ(rows_of(to.view()), rows);
}

TEST(StoredMatrix, RefusesValuesTheIntegerDtypeLacks) {
  const auto store = [](long double value, DType dtype) {
    return StoredMatrix(Points{1, 1, {value}}, dtype);
  };
  EXPECT_THROW(store(256, DType::kUint8), std::invalid_argument);
  EXPECT_THROW(store(-1, DType::kUint64), std::invalid_argument);
  EXPECT_THROW(store(0.5L, DType::kInt32), std::invalid_argument);
  EXPECT_THROW(store(2, DType::kBool), std::invalid_argument);
  EXPECT_THROW(store(std::numeric_limits<long double>::quiet_NaN(), DType::kInt64), std::invalid_argument);
  EXPECT_EQ(row_of(store(0x1p64L - 1, DType::kUint64).view(), 0)[0], 0x1p64L - 1);
}

TEST(InterestingSizes, AscendWithoutRepeats) {
  EXPECT_EQ(interesting_sizes(8), (std::vector<std::int64_t>{0, 1, 7, 8, 9, 35}));
  EXPECT_EQ(interesting_sizes(2), (std::vector<std::int64_t>{0, 1, 2, 3, 11}));
  EXPECT_EQ(interesting_sizes(1), (std::vector<std::int64_t>{0, 1, 2, 7}));
}

}  // namespace
}  // namespace quadrance::testing
