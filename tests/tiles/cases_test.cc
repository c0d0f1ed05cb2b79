// SPDX-License-Identifier: Apache-2.0
// Inputs on which distance libraries are known to have gone wrong, with the right value, on every device.
//
// Values are exact arithmetic on the stored numbers, or plain algebra. Out of scope: dtype rules of the
// Python names.
#include <cmath>
#include <cstring>
#include <numeric>

#include "quadrance/pairwise.h"
#include "support/comparator.h"
#include "support/generators.h"
#include "support/runs.h"

namespace quadrance::testing {
namespace {

class Cases : public ::testing::TestWithParam<std::string> {
 protected:
  Options options(std::string metric = "euclidean") const {
    Options options;
    options.metric = std::move(metric);
    options.device = GetParam();
    return options;
  }
  /// The distance between two points, as the result's dtype has it.
  template <class T>
  double distance(const std::vector<T>& a, const std::vector<T>& b,
                  const std::string& metric = "euclidean") const {
    const auto d = static_cast<std::int64_t>(a.size());
    const Matrix out = distances(MatrixView(a.data(), 1, d), MatrixView(b.data(), 1, d), options(metric));
    return out.dtype() == DType::kFloat32 ? static_cast<double>(*out.as<float>()) : *out.as<double>();
  }
};

INSTANTIATE_TEST_SUITE_P(Pairwise, Cases, ::testing::ValuesIn(device_targets()), [](const auto& run) {
  std::string name = run.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// Indices of a row's distances, nearest first, equal ones by index.
template <class T>
std::vector<std::int64_t> nearest(const T* row, std::int64_t count) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return row[a] < row[b]; });
  return order;
}

/// Sums of 8-bit integers are whole numbers, and come out as such whatever d.
TEST_P(Cases, SumsOf8BitIntegersAreExact) {
  for (const std::size_t d : {1U, 127U, 129U, 130U, 131U, 257U, 784U, 5'000U, 70'000U}) {
    std::vector<std::uint8_t> x(d);
    std::vector<std::uint8_t> y(d);
    std::int64_t squares = 0;
    std::int64_t absolute = 0;
    std::int64_t products = 0;
    for (std::size_t f = 0; f < d; ++f) {
      x[f] = static_cast<std::uint8_t>(f * 97 + 255);
      y[f] = static_cast<std::uint8_t>(f * f * 31);
      const std::int64_t difference = static_cast<std::int64_t>(x[f]) - y[f];
      squares += difference * difference;
      absolute += std::abs(difference);
      products += static_cast<std::int64_t>(x[f]) * y[f];
    }
    EXPECT_EQ(distance(x, y, "sqeuclidean"), static_cast<float>(squares)) << d;
    EXPECT_EQ(distance(x, y, "cityblock"), static_cast<float>(absolute)) << d;
    EXPECT_EQ(distance(x, y, "inner_product"), -static_cast<float>(products)) << d;
    Options wide = options("sqeuclidean");
    wide.dtype = DType::kFloat64;
    const auto size = static_cast<std::int64_t>(d);
    const Matrix out = distances(MatrixView(x.data(), 1, size), MatrixView(y.data(), 1, size), wide);
    EXPECT_EQ(*out.as<double>(), static_cast<double>(squares)) << d;
  }
}

TEST_P(Cases, NearlyEqualFloat32PointsKeepTheirDigits) {
  const std::vector<float> a{61.22163773f, 71.60662842f, -65.75126648f};
  const std::vector<float> b{61.22163773f, 71.60894012f, -65.72847748f};
  const double dy = static_cast<double>(a[1]) - static_cast<double>(b[1]);
  const double dz = static_cast<double>(a[2]) - static_cast<double>(b[2]);
  EXPECT_NEAR(distance(a, b), std::sqrt(dy * dy + dz * dz), 1e-8);
  EXPECT_NEAR(distance(a, b), 0.0229059, 1e-7);
}

TEST_P(Cases, ManyFeaturesOfFloat32DoNotGiveNaN) {
  const double difference = static_cast<double>(1.001f) - 1.0;
  EXPECT_NEAR(distance(std::vector<float>(1000, 1.0f), std::vector<float>(1000, 1.001f)),
              difference * std::sqrt(1000.0), 1e-7);
  EXPECT_NEAR(distance(std::vector<float>(1000, 1.0f), std::vector<float>(1000, 1.001f)), 0.0316242, 1e-6);
}

TEST_P(Cases, DataFarFromTheOriginKeepItsDigits) {
  // 4649776.23 - 4649776.22 as float64 stores them.
  EXPECT_DOUBLE_EQ(distance<double>({500000.12, 4649776.22}, {500000.12, 4649776.23}),
                   4649776.23 - 4649776.22);
  EXPECT_EQ(distance<double>({1e8}, {1e8 + 1}), 1);
  EXPECT_EQ(distance<double>({1.7e12}, {1.7e12 + 250}), 250);
}

TEST_P(Cases, NeighboursUnderAnOffsetComeInOrder) {
  const std::vector<double> x{1e8, 1e8 + 1, 1e8 + 2};
  const Matrix out = distances(MatrixView(x.data(), 3, 1), options());
  EXPECT_EQ(nearest(out.as<double>(), 3), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(out.as<double>()[1], 1);
  EXPECT_EQ(out.as<double>()[2], 2);
}

TEST_P(Cases, TheNearestRowIsFoundUnderAnOffset) {
  const std::vector<double> x{1e9, 0.5};
  const std::vector<double> y{1e9, 0, 1e9, 0.5};
  const Matrix out = distances(MatrixView(x.data(), 1, 2), MatrixView(y.data(), 2, 2), options());
  EXPECT_EQ(nearest(out.as<double>(), 2).front(), 1);
}

TEST_P(Cases, TranslationDoesNotChangeTheOrderOfNeighbours) {
  for (const float offset : {0.0f, 1e4f, 1e6f}) {
    std::vector<float> base(3 * 64, offset);
    base[1 * 64] += 5.0f;
    base[2 * 64] += 139.3f;
    std::vector<float> queries;
    for (int q = 0; q < 2000; ++q) queries.insert(queries.end(), base.begin() + 2 * 64, base.end());
    const Matrix out = distances(MatrixView(queries.data(), 2000, 64), MatrixView(base.data(), 3, 64),
                                 options("sqeuclidean"));
    for (const std::int64_t q : {0, 1, 1999}) {
      const float* row = out.as<float>() + q * 3;
      EXPECT_EQ(nearest(row, 3), (std::vector<std::int64_t>{2, 1, 0})) << offset;
      EXPECT_EQ(row[2], 0);
      const double to_1 = static_cast<double>(base[2 * 64]) - static_cast<double>(base[64]);
      EXPECT_NEAR(row[1], to_1 * to_1, 1e-6 * to_1 * to_1);
      EXPECT_NEAR(row[1], 18036, offset == 1e6f ? 20 : 1);
      EXPECT_NEAR(row[0], 19404, offset == 1e6f ? 20 : 1);
    }
  }
}

TEST_P(Cases, SquaredDistancesAreNeverNegative) {
  Points points = make_points(Pattern::kUniform, DType::kFloat32, 50, 64);
  for (long double& element : points.elements) element = element * 100 + 1000;
  const StoredMatrix x(points, DType::kFloat32);
  const Matrix out = distances(x.view(), options("sqeuclidean"));
  EXPECT_EQ(*std::min_element(out.as<float>(), out.as<float>() + 50 * 50), 0);
  for (std::int64_t i = 0; i < 50; ++i) EXPECT_EQ(out.as<float>()[i * 51], 0);
}

TEST_P(Cases, ARowAloneAndInALargeBatchHaveTheSameBits) {
  const StoredMatrix x(make_points(Pattern::kNormal, DType::kFloat64, 2000, 10), DType::kFloat64);
  MatrixView first = x.view();
  first.rows = 1;
  const Matrix alone = distances(first, x.view(), options());
  const Matrix all = distances(x.view(), options());
  EXPECT_EQ(std::memcmp(alone.data(), all.data(), 2000 * sizeof(double)), 0);
}

TEST_P(Cases, AFarNeighbourIsStillANeighbour) {
  const std::vector<double> query{0};
  const std::vector<double> base{1e200, 1e160};
  const Matrix out = distances(MatrixView(query.data(), 1, 1), MatrixView(base.data(), 2, 1), options());
  EXPECT_EQ(nearest(out.as<double>(), 2).front(), 1);
  EXPECT_EQ(out.as<double>()[1], 1e160);
  EXPECT_EQ((distance<float>({0}, {1e25f})), static_cast<double>(1e25f));
}

TEST_P(Cases, DistancesWhoseSquareHasNoNumberAreReturned) {
  EXPECT_EQ((distance<float>({1e20f}, {0})), static_cast<double>(1e20f));
  EXPECT_EQ((distance<float>({1e-30f}, {0})), static_cast<double>(1e-30f));
  EXPECT_EQ((distance<double>({1e200}, {0})), 1e200);
  EXPECT_EQ((distance<double>({1e-200}, {0})), 1e-200);
  EXPECT_EQ((distance<double>({5e-324}, {0})), 5e-324);
  // Equal huge features beside a tiny difference: the difference is the distance.
  EXPECT_EQ((distance<float>({1e25f, 1e-30f}, {1e25f, 0})), static_cast<double>(1e-30f));
  EXPECT_EQ((distance<double>({1e200, 1e-200}, {1e200, 0})), 1e-200);
  const double hypotenuse = std::hypot(static_cast<double>(3e25f), static_cast<double>(4e25f));
  EXPECT_NEAR((distance<float>({3e25f, 0}, {0, 4e25f})), hypotenuse, 2e-7 * hypotenuse);
  EXPECT_EQ((distance<float>({0x1.8p100f, 0}, {0, 0x1p101f})), 0x1.4p101);  // 3, 4, 5 times a power of two
}

TEST_P(Cases, NoTileStaysUnwritten) {
  // 2,600 rows have ragged last tiles in both directions; the slow reference device does fewer.
  const std::int64_t n = GetParam().rfind("reference", 0) == 0 ? 813 : 2600;
  const StoredMatrix x(make_points(Pattern::kNormal, DType::kFloat32, n, 200), DType::kFloat32);
  Matrix out(DType::kFloat32, n, n);
  std::fill_n(out.as<float>(), n * n, -1.0f);
  distances_into(out.output(), x.view(), options());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const float value = out.as<float>()[i * n + j];
      ASSERT_TRUE(i == j ? value == 0 : value > 0) << i << ", " << j << ": " << value;
    }
  }
}

TEST_P(Cases, UnsignedDifferencesDoNotWrap) {
  EXPECT_NEAR((distance<std::uint16_t>({352, 916}, {350, 660})), 256.0078, 1e-4);
  EXPECT_EQ((distance<std::uint8_t>({0}, {1})), 1);
  EXPECT_EQ((distance<std::uint64_t>({0}, {1})), 1);
}

TEST_P(Cases, SignedDifferencesDoNotOverflow) {
  EXPECT_EQ((distance<std::int16_t>({-1360}, {-136})), 1224);
  EXPECT_EQ((distance<std::int8_t>({100}, {-100})), 200);
  EXPECT_EQ((distance<std::int32_t>({2147483647}, {-2147483647 - 1})), 4294967295.0);
}

TEST_P(Cases, IntegersBeyondFloat64AreRefusedByName) {
  const std::int64_t big = std::int64_t{1} << 53;
  EXPECT_EQ((distance<std::int64_t>({big}, {big - 1})), 1);
  const std::vector<std::int64_t> x{0, 0, 0, big + 1};
  try {
    distances(MatrixView(x.data(), 2, 2), options());
    FAIL() << "2^53 + 1 was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kDtype);
    EXPECT_STREQ(error.what(),
                 "[pairwise] x[1, 1] = 9007199254740993 is beyond 2^53 and has no exact float64; "
                 "subtract an offset or convert first");
  }
  EXPECT_THROW((distance<std::int64_t>({0}, {-big - 1})), Error);
  EXPECT_THROW((distance<std::uint64_t>({0}, {std::uint64_t{1} << 63})), Error);
}

TEST_P(Cases, Float64IsNotNarrowed) { EXPECT_EQ((distance<double>({16777217}, {16777216})), 1); }

TEST_P(Cases, Float16DoesNotOverflow) {
  const StoredMatrix x(Points{1, 1, {60000}}, DType::kFloat16);
  const StoredMatrix y(Points{1, 1, {-60000}}, DType::kFloat16);
  const Matrix out = distances(x.view(), y.view(), options());
  ASSERT_EQ(out.dtype(), DType::kFloat32);
  EXPECT_EQ(*out.as<float>(), 120000);
}

TEST_P(Cases, Float32StaysFloat32WithAnyNumberOfThreads) {
  const StoredMatrix x(make_points(Pattern::kNormal, DType::kFloat32, 6, 3), DType::kFloat32);
  for (const int threads : {1, 2}) {
    Options with_threads = options();
    with_threads.threads = threads;
    EXPECT_EQ(distances(x.view(), with_threads).dtype(), DType::kFloat32);
  }
}

TEST_P(Cases, EveryIntegerDtypeIsExact) {
  for (const DType dtype :
       {DType::kBool, DType::kInt8, DType::kUint8, DType::kInt16, DType::kUint16, DType::kInt32,
        DType::kUint32, DType::kInt64, DType::kUint64, DType::kFloat16, DType::kBfloat16}) {
    for (const std::int64_t d : {3, 200}) {
      const bool is_float = dtype == DType::kFloat16 || dtype == DType::kBfloat16;
      Points points = make_points(is_float ? Pattern::kNormal : Pattern::kIntegers, dtype, 70, d);
      const StoredMatrix x(points, dtype);
      const Matrix out = distances(x.view(), options("sqeuclidean"));
      const bool small = size_of(dtype) == 1 || is_float;
      EXPECT_EQ(out.dtype(), small ? DType::kFloat32 : DType::kFloat64) << name_of(dtype);
      EXPECT_TRUE(compare(out.view(), x.view(), x.view(), "sqeuclidean", out.dtype())) << name_of(dtype);
    }
  }
}

TEST_P(Cases, MixedDtypesAreComputedInTheWiderOne) {
  const StoredMatrix x(make_points(Pattern::kNormal, DType::kFloat32, 20, 6), DType::kFloat32);
  const StoredMatrix y(make_points(Pattern::kOffset, DType::kFloat64, 20, 6), DType::kFloat64);
  const StoredMatrix z(make_points(Pattern::kIntegers, DType::kInt8, 20, 6), DType::kInt8);
  const StoredMatrix w(make_points(Pattern::kIntegers, DType::kUint8, 20, 6), DType::kUint8);
  const auto check = [&](const MatrixView& a, const MatrixView& b, DType result) {
    const Matrix out = distances(a, b, options());
    EXPECT_EQ(out.dtype(), result);
    EXPECT_TRUE(compare(out.view(), a, b, "euclidean", result));
  };
  check(x.view(), y.view(), DType::kFloat64);
  check(x.view(), z.view(), DType::kFloat32);
  check(z.view(), w.view(), DType::kFloat64);  // differences of 9 bits: 128 squares exceed 24
}

TEST_P(Cases, ANarrowerResultIsRoundedAtTheEnd) {
  const StoredMatrix x(make_points(Pattern::kOffset, DType::kFloat64, 130, 40), DType::kFloat64);
  Options narrow = options();
  narrow.dtype = DType::kFloat32;
  const Matrix out = distances(x.view(), narrow);
  ASSERT_EQ(out.dtype(), DType::kFloat32);
  EXPECT_TRUE(compare(out.view(), x.view(), x.view(), "euclidean", DType::kFloat64));
  EXPECT_TRUE(is_symmetric_bits(out.view()));
}

TEST_P(Cases, AWiderResultIsComputedWider) {
  const StoredMatrix x(make_points(Pattern::kNormal, DType::kFloat32, 130, 40), DType::kFloat32);
  Options wide = options();
  wide.dtype = DType::kFloat64;
  EXPECT_TRUE(compare(distances(x.view(), wide).view(), x.view(), x.view(), "euclidean", DType::kFloat64));
}

// --- cityblock, chebyshev, canberra, braycurtis
// ----------------------------------------------------------------

TEST_P(Cases, Case19BrayCurtisOfZeroAndOfSignedRows) {
  EXPECT_EQ(distance<double>({0, 0}, {0, 0}, "braycurtis"), 0);
  EXPECT_EQ(distance<double>({1, 2}, {-1, -1.5}, "braycurtis"), 11);
  EXPECT_EQ(distance<double>({1, -1}, {-1, 1}, "braycurtis"), std::numeric_limits<double>::infinity());
}

TEST_P(Cases, Case24ChebyshevKeepsNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(distance<double>({nan, 1}, {0, 0}, "chebyshev")));
  EXPECT_TRUE(std::isnan(distance<double>({1, nan, 2}, {0, 0, 7}, "chebyshev")));
  std::vector<float> x(300, 1.0f);  // the NaN lies in the first of three blocks of features
  x[3] = -std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(distance<float>(x, std::vector<float>(300, 5.0f), "chebyshev")));
}

TEST_P(Cases, Case25CanberraOfFeaturesThatAreZeroInBoth) {
  EXPECT_EQ(distance<double>({0, 1}, {0, 3}, "canberra"), 0.5);
  EXPECT_EQ(distance<double>({0, -0.0}, {-0.0, 0}, "canberra"), 0);
}

TEST_P(Cases, Case31UnsignedIntegersDoNotWrap) {
  for (const char* metric : {"cityblock", "chebyshev", "euclidean", "canberra", "braycurtis"})
    EXPECT_EQ(distance<std::uint8_t>({0}, {1}, metric), 1) << metric;
  EXPECT_EQ((distance<std::uint16_t>({352, 916}, {350, 660}, "cityblock")), 258);
}

TEST_P(Cases, Case32SignedIntegersDoNotOverflow) {
  EXPECT_EQ(distance<std::int16_t>({-1360}, {-136}, "cityblock"), 1224);
  EXPECT_EQ(distance<std::int8_t>({-128}, {1}, "canberra"), 1);
  EXPECT_EQ(distance<std::int8_t>({100}, {-100}, "braycurtis"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(distance<std::int8_t>({100, 50}, {-100, 50}, "braycurtis"), 2);
}

TEST_P(Cases, RatiosOfIntegersAreComputedInFloat64) {
  const std::vector<std::int8_t> x{1, 2, 3, 4};
  for (const char* metric : {"canberra", "braycurtis"}) {
    const Matrix out = distances(MatrixView(x.data(), 2, 2), options(metric));
    EXPECT_EQ(out.dtype(), DType::kFloat64) << metric;
  }
  EXPECT_EQ(distances(MatrixView(x.data(), 2, 2), options("cityblock")).dtype(), DType::kFloat32);
}

TEST_P(Cases, RatiosOfTheLargestNumbersAreReturned) {
  const float f = std::numeric_limits<float>::max();
  const double g = std::numeric_limits<double>::max();
  EXPECT_NEAR(distance<float>({f, 0}, {f / 2, 0}, "braycurtis"), 1.0 / 3, 1e-7);
  EXPECT_NEAR(distance<double>({g, g}, {g / 2, g / 2}, "braycurtis"), 1.0 / 3, 1e-15);
  EXPECT_EQ(distance<float>({f}, {-f}, "canberra"), 1);
  EXPECT_NEAR(distance<double>({g}, {g / 2}, "canberra"), 1.0 / 3, 1e-15);
  // One huge feature leaves the digits of a tiny one.
  EXPECT_NEAR(distance<float>({f, 3e-45f}, {f, 1e-45f}, "canberra"), 1.0 / 3, 1e-7);
  EXPECT_NEAR(distance<double>({g, 1e-323}, {g, 5e-324}, "canberra"), 1.0 / 3, 1e-15);
}

/// Of neighbouring numbers, of which a quotient must keep every digit however large or small they are.
template <class T, class Distance>
void expect_exact_ratios(const Distance& canberra) {
  using Limits = std::numeric_limits<T>;
  for (int exponent = Limits::min_exponent - Limits::digits; exponent < Limits::max_exponent; ++exponent) {
    const T a = std::ldexp(T{1}, exponent);
    for (const T b : {std::nextafter(a, Limits::max()), a * static_cast<T>(1.75), a * static_cast<T>(0.3)}) {
      if (!std::isfinite(b)) continue;
      const long double want = std::fabs(static_cast<long double>(a) - static_cast<long double>(b)) /
                               (static_cast<long double>(a) + static_cast<long double>(b));
      ASSERT_LE(std::fabs(canberra(a, b) - want), 1.1L * static_cast<long double>(Limits::epsilon()) * want)
          << a << ' ' << b;
    }
  }
}

TEST_P(Cases, CanberraOfNeighboursOfAnySize) {
  expect_exact_ratios<float>([&](float a, float b) { return distance<float>({a}, {b}, "canberra"); });
  expect_exact_ratios<double>([&](double a, double b) { return distance<double>({a}, {b}, "canberra"); });
}

// The quotients of two features are one where their product keeps to the range.
TEST_P(Cases, CanberraOfTwoFeaturesOfAnySizes) {
  const std::vector<int> exponents{-1074, -1022, -510, -500, -453, -401, -400,
                                   -399,  -1,    0,    499,  500,  501,  1022};
  const auto ratio = [](double a, double b) {
    const long double sum = static_cast<long double>(a) + static_cast<long double>(b);
    return sum == 0 ? 0 : std::fabs(static_cast<long double>(a) - static_cast<long double>(b)) / sum;
  };
  const auto check = [&](double a, double b) {
    const double a2 = std::nextafter(a, 1e308);
    const double b2 = b * 1.75;
    const long double want = ratio(a, a2) + ratio(b, b2);
    ASSERT_LE(std::fabs(distance<double>({a, b}, {a2, b2}, "canberra") - want), 4.5L * 0x1p-52L * want)
        << a << ' ' << b;
    ASSERT_LE(std::fabs(distance<double>({a, b, 0, 0, 3}, {a2, b2, 0, 0, 1}, "canberra") - (want + 0.5L)),
              4.5L * 0x1p-52L * (want + 0.5L))
        << a << ' ' << b;
  };
  for (const int e : exponents) {
    check(std::ldexp(1.0, e), 0);
    for (const int f : exponents) check(std::ldexp(1.0, e), std::ldexp(1.0, f));
  }
}

// --- hamming, total_variation, chi_square
// --------------------------------------------------------------------------

TEST_P(Cases, HammingIsTheFractionThatDiffers) {
  EXPECT_EQ(distance<double>({1, 2, 3}, {1, 0, 4}, "hamming"), 2.0 / 3);
  EXPECT_EQ(distance<float>({1, 2, 3}, {1, 0, 4}, "hamming"), 2.0f / 3);
  EXPECT_EQ(distance<std::int8_t>({-128, 0, 127}, {-128, 1, -127}, "hamming"), 2.0 / 3);
  EXPECT_EQ(distance<double>({0, 5e-324, 1}, {-0.0, 0, std::nextafter(1.0, 2.0)}, "hamming"), 2.0 / 3);
  for (const std::int64_t d : {127, 128, 129, 1000}) {
    std::vector<float> x(static_cast<std::size_t>(d), 1);
    std::vector<float> y = x;
    for (std::size_t f = 0; f < y.size(); f += 3) y[f] = 2;
    const auto differing = static_cast<float>((d + 2) / 3);
    EXPECT_EQ(distance(x, y, "hamming"), differing / static_cast<float>(d)) << d;
    EXPECT_EQ(distance(x, std::vector<float>(x.size()), "hamming"), 1) << d;
  }
}

TEST_P(Cases, HammingOfNaNAndInf) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(distance<double>({nan, 1}, {nan, 1}, "hamming")));
  EXPECT_TRUE(std::isnan(distance<double>({1, 1, 1}, {1, nan, 1}, "hamming")));
  EXPECT_TRUE(std::isnan(distance<double>({nan}, {1}, "hamming")));
  EXPECT_EQ(distance<double>({inf, -inf, 1, inf}, {inf, inf, 1, 1}, "hamming"), 0.5);
}

TEST_P(Cases, HalvesOfDifferences) {
  EXPECT_EQ(distance<double>({0.25, 0.75}, {0.5, 0.5}, "total_variation"), 0.25);
  EXPECT_EQ(distance<double>({1, 0, 2, 0}, {3, 0, 0, 0}, "chi_square"), 1.5);
  EXPECT_EQ(distance<float>({0, 0}, {0, -0.0f}, "chi_square"), 0);
  EXPECT_EQ(distance<double>({-1, 2}, {1, 2}, "chi_square"), 1);
}

TEST_P(Cases, HalvesOfTheLargestAndSmallestNumbersAreReturned) {
  const float f = std::numeric_limits<float>::max();
  const double g = std::numeric_limits<double>::max();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(distance<float>({f, 1}, {-f, 1}, "total_variation"), f);
  EXPECT_EQ(distance<double>({g, 1}, {-g, 1}, "total_variation"), g);
  EXPECT_EQ(distance<double>({g, g}, {-g, -g}, "total_variation"), inf);
  EXPECT_EQ(distance<double>({g, 1e-323}, {g, 0}, "total_variation"), 5e-324);
  EXPECT_NEAR(distance<double>({g, g}, {g / 2, g / 2}, "chi_square") / (g / 6), 1, 1e-15);
  EXPECT_NEAR(distance<float>({f, f}, {f / 2, f / 2}, "chi_square") / (f / 6), 1, 1e-6);
  EXPECT_NEAR(distance<double>({g, 1e-310}, {g, 3e-310}, "chi_square") / 0.5e-310, 1, 1e-12);
  EXPECT_NEAR(distance<double>({1e-307}, {3e-307}, "chi_square") / 0.5e-307, 1, 1e-15);
  EXPECT_NEAR(distance<float>({3e-37f, 1e20f}, {1e-37f, 1e20f}, "chi_square") / 0.5e-37f, 1, 1e-6);
}

TEST_P(Cases, DistributionsOfSmallNumbers) {
  EXPECT_NEAR(distance<double>({1, 3}, {3, 1}, "hellinger"), (std::sqrt(3.0) - 1) / 2, 4e-16);
  EXPECT_NEAR(distance<double>({1, 3}, {3, 1}, "bhattacharyya"), 0.14384103622589045,
              4e-16);  // -ln sqrt(3/4)
  EXPECT_EQ(distance<double>({2, 0}, {0, 5}, "hellinger"), 1);
  EXPECT_EQ(distance<float>({2, 0}, {0, 5}, "hellinger"), 1);
  EXPECT_EQ(distance<double>({2, 0}, {0, 5}, "bhattacharyya"), std::numeric_limits<double>::infinity());
  for (const char* metric : {"hellinger", "bhattacharyya"}) {
    EXPECT_EQ(distance<double>({1, 2, 3}, {2, 4, 6}, metric), 0) << "rows are scaled";
    EXPECT_EQ(distance<float>({1, 2, 3}, {100, 200, 300}, metric), 0);
    EXPECT_EQ(distance<double>({0, 0}, {0, -0.0}, metric), 0);
    EXPECT_TRUE(std::isnan(distance<double>({0, 0}, {1, 0}, metric)));
    EXPECT_TRUE(std::isnan(distance<double>({1, -1e-9}, {1, 0}, metric)));
    EXPECT_TRUE(std::isnan(distance<float>({1, INFINITY}, {1, 0}, metric)));
  }
}

TEST_P(Cases, Case55And56JensenShannon) {
  const double root_ln2 = 0.83255461115769769;
  EXPECT_EQ(distance<double>({0.1, 0.2, 0.3}, {0.2, 0.4, 0.6}, "jensenshannon"), 0);
  EXPECT_NEAR(distance<double>({.1, .2, .3}, {.3, .6, .9}, "jensenshannon"), 0, 4e-16) << "case 55";
  EXPECT_NEAR(distance<double>({1, 0}, {.5, .5}, "jensenshannon"), 0.464501404022459, 4e-16) << "case 56";
  EXPECT_NEAR(distance<float>({1, 0}, {.5f, .5f}, "jensenshannon"), 0.46450140f, 4e-7);
  EXPECT_NEAR(distance<double>({1, 0, 0}, {0, 2, 3}, "jensenshannon"), root_ln2, 4e-16);
  EXPECT_NEAR(distance<double>({1, 1e-300}, {1, 0}, "jensenshannon"), 0, 4e-16);
  // p = (1 +- e) / 2 and q = 1 / 2 each: e / sqrt(8), and e^3 of it.
  for (const double e : {1e-3, 1e-6, 1e-9}) {
    EXPECT_NEAR(distance<double>({1 + e, 1 - e}, {1, 1}, "jensenshannon"), e / std::sqrt(8.0),
                e * e * e + 4e-16);
  }
  EXPECT_EQ(distance<double>({0, 0}, {0, 0}, "jensenshannon"), 0);
  EXPECT_TRUE(std::isnan(distance<double>({0, 0}, {1, 0}, "jensenshannon")));
  EXPECT_TRUE(std::isnan(distance<double>({1, -1}, {1, 1}, "jensenshannon")));
  Options bits = options("jensenshannon");
  bits.parameters.base = 2;
  const std::vector<double> x{1, 0, 0, 1};
  EXPECT_NEAR(distances(MatrixView(x.data(), 2, 2), bits).as<double>()[1], 1, 4e-16);
  for (const double wrong : {1.0, 0.5, 0.0, -2.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    bits.parameters.base = wrong;
    EXPECT_THROW(distances(MatrixView(x.data(), 2, 2), bits), Error) << wrong;
  }
}

TEST_P(Cases, DistributionsOfAnyRange) {
  const double g = std::numeric_limits<double>::max();
  EXPECT_NEAR(distance<double>({g / 3, g}, {g, g / 3}, "hellinger"), (std::sqrt(3.0) - 1) / 2, 4e-16);
  EXPECT_NEAR(distance<double>({5e-324, 15e-324}, {3, 1}, "hellinger"), (std::sqrt(3.0) - 1) / 2, 4e-16);
  EXPECT_NEAR(distance<double>({1, 1e-300, 0}, {0, 1e-300, 1}, "bhattacharyya") / 690.77552789821368, 1,
              1e-15);
  EXPECT_NEAR(distance<float>({1, 1e-45f, 0}, {0, 1e-45f, 1}, "bhattacharyya") / 103.27892990343183, 1, 1e-6);
  EXPECT_NEAR(distance<double>({1, 0x1p-1074, 0}, {0, 0x1p-1074, 1}, "bhattacharyya") / 744.44007192138126, 1,
              1e-15);
}

TEST_P(Cases, KullbackLeibler) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(distance<double>({1, 3}, {1, 1}, "kl"), 0.13081203594113696, 4e-16);
  EXPECT_NEAR(distance<double>({1, 1}, {1, 3}, "kl"), 0.14384103622589045, 4e-16);
  EXPECT_NEAR(distance<float>({1, 1}, {1, 3}, "kl"), 0.14384103622589045, 1e-8);
  EXPECT_EQ(distance<double>({1, 1}, {1, 0}, "kl"), inf);
  EXPECT_NEAR(distance<double>({1, 0}, {1, 1}, "kl"), std::log(2.0), 4e-16);
  EXPECT_EQ(distance<double>({1, 2, 0}, {2, 4, 0}, "kl"), 0);
  EXPECT_EQ(distance<double>({0, 0}, {0, 0}, "kl"), 0);
  for (const std::vector<double>& none : {std::vector<double>{0, 0}, {1, -1}, {1, inf}, {std::nan(""), 1}}) {
    EXPECT_TRUE(std::isnan(distance<double>(none, {1, 2}, "kl")));
    EXPECT_TRUE(std::isnan(distance<double>({1, 2}, none, "kl")));
    EXPECT_TRUE(std::isnan(distance<double>({1, 0}, none, "kl"))) << "q = 0 < p, but q is no distribution";
  }
  EXPECT_NEAR(distance<double>({1, 1}, {1, 1e-300}, "kl") / (std::log(1e300) / 2 - std::log(2.0)), 1, 1e-15);
  // p = (1 +- e) / 2 and q = 1 / 2 each: e^2 / 2, and e^4 / 12.
  for (const double e : {1e-3, 1e-6})
    EXPECT_NEAR(distance<double>({1 + e, 1 - e}, {1, 1}, "kl") / (e * e / 2), 1, e * e + 1e-15 / e);
}

// --- boolean
// ------------------------------------------------------------------------------------------------

TEST_P(Cases, BooleansOfSmallRows) {
  const std::vector<double> x{1, -2, 3, 0, 0};
  const std::vector<double> y{5, 0, 0, 0.25, 0};
  EXPECT_EQ(distance(x, y, "jaccard"), 3.0 / 4);
  EXPECT_EQ(distance(x, y, "tanimoto"), 3.0 / 4);
  EXPECT_EQ(distance(x, y, "dice"), 3.0 / 5);
  EXPECT_EQ(distance(x, y, "rogerstanimoto"), 6.0 / 8);
  EXPECT_EQ(distance(x, y, "russellrao"), 4.0 / 5);
  EXPECT_EQ(distance(x, y, "sokalsneath"), 6.0 / 7);
  EXPECT_EQ(distance(x, y, "yule"), 4.0 / 3);
  EXPECT_EQ(distance<float>({1, 2, 3}, {1, 0, 0}, "jaccard"), 2.0f / 3);
  EXPECT_EQ(distance<std::int8_t>({-128, 0, 7}, {1, 0, 0}, "jaccard"), 0.5);
}

TEST_P(Cases, Case20EmptySets) {
  for (const char* metric : {"jaccard", "dice", "rogerstanimoto", "sokalsneath", "yule"}) {
    EXPECT_EQ(distance<double>({0, 0, 0, 0, 0}, {0, -0.0, 0, 0, 0}, metric), 0) << metric;
    EXPECT_EQ(distance<double>({}, {}, metric), 0) << metric;
  }
  EXPECT_EQ(distance<double>({0, 0}, {0, 0}, "russellrao"), 1);
  EXPECT_EQ(distance<double>({1, 1}, {1, 1}, "russellrao"), 0);
  EXPECT_EQ(distance<double>({}, {}, "russellrao"), 0);
}

TEST_P(Cases, Case21To23BooleansReadNonZero) {
  EXPECT_EQ(distance<double>({18, 11, 13, 22}, {19, 11, 13, 12}, "jaccard"), 0) << "case 21";
  EXPECT_EQ(distance<double>({1, 0, 0}, {2, 0, 0}, "dice"), 0) << "case 22";
  EXPECT_EQ(distance<double>({1, 1, 1}, {1, 1, 1}, "yule"), 0) << "case 23";
}

TEST_P(Cases, BooleansOfNaNAndInf) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const char* metric : {"jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"}) {
    EXPECT_TRUE(std::isnan(distance<double>({nan, 1}, {nan, 1}, metric))) << metric;
    EXPECT_TRUE(std::isnan(distance<double>({0, 0}, {0, nan}, metric))) << metric;
  }
  EXPECT_EQ(distance<double>({inf, 1, 0}, {-inf, 0, 0}, "jaccard"), 0.5);
}

TEST_P(Cases, BooleansOfManyWords) {
  for (const std::int64_t d : {63, 64, 65, 128, 4096, 8191, 8192, 8193, 20'000}) {
    std::vector<float> x(static_cast<std::size_t>(d), 1);
    std::vector<float> y = x;
    for (std::size_t f = 0; f < y.size(); f += 3) y[f] = 0;
    const auto differing = static_cast<float>((d + 2) / 3);
    EXPECT_EQ(distance(x, y, "jaccard"), differing / static_cast<float>(d)) << d;
    EXPECT_EQ(distance(y, x, "jaccard"), differing / static_cast<float>(d)) << d;
    EXPECT_EQ(distance(y, y, "jaccard"), 0) << d;
    EXPECT_EQ(distance(x, std::vector<float>(x.size()), "jaccard"), 1) << d;
  }
}

/// Rows of bits in integers of any size are the same as one element each.
TEST_P(Cases, PackedRowsAreBits) {
  constexpr std::int64_t kRows = 90;
  for (const std::int64_t words : {1, 2, 130}) {
    std::vector<std::uint64_t> packed(static_cast<std::size_t>(kRows * words));
    std::uint64_t state = 1;
    for (std::uint64_t& word : packed) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      word = state ^ state >> 29;
    }
    packed[0] = ~std::uint64_t{0};    // NaN, as a number
    packed[1] = 0x7ff0000000000001U;  // a NaN that signals
    const std::int64_t d = 64 * words;
    std::vector<std::uint8_t> unpacked(static_cast<std::size_t>(kRows * d));
    for (std::size_t bit = 0; bit < unpacked.size(); ++bit) unpacked[bit] = packed[bit / 64] >> bit % 64 & 1;
    for (const char* metric : {"hamming", "jaccard", "dice", "yule", "russellrao"}) {
      const Matrix want = distances(MatrixView(unpacked.data(), kRows, d), options(metric));
      const auto check = [&]<class Integer>(Integer) {
        Options given = options(metric);
        given.parameters.packed = 0;
        const auto* integers = reinterpret_cast<const Integer*>(packed.data());
        const MatrixView x(integers, kRows, d / (8 * static_cast<std::int64_t>(sizeof(Integer))));
        EXPECT_TRUE(bits_equal(distances(x, given).view(), want.view())) << metric << ' ' << words;
        given.parameters.packed = d;
        EXPECT_TRUE(bits_equal(distances(x, x, given).view(), want.view())) << words;
        given.parameters.packed = d - 5;
        EXPECT_THROW(distances(x, given), Error) << "bits beyond the features are set";
      };
      check(std::uint8_t{});
      check(std::int8_t{});
      check(std::uint16_t{});
      check(std::int32_t{});
      check(std::uint64_t{});
      check(std::int64_t{});
    }
  }
}

TEST_P(Cases, PackedRowsWithFewerFeaturesThanBits) {
  const std::vector<std::uint8_t> x{0b111, 0b101};
  Options given = options("hamming");
  given.parameters.packed = 3;
  EXPECT_EQ(distances(MatrixView(x.data(), 2, 1), given).as<double>()[1], 1.0 / 3);
  given.metric = "rogerstanimoto";
  EXPECT_EQ(distances(MatrixView(x.data(), 2, 1), given).as<double>()[1], 2.0 / 4);
}

TEST_P(Cases, WhatCannotBePackedIsRefused) {
  const std::vector<double> numbers(8);
  const std::vector<std::uint8_t> bytes(8);
  const std::vector<std::uint16_t> shorts(8);
  Options given = options("jaccard");
  given.parameters.packed = 0;
  EXPECT_THROW(distances(MatrixView(numbers.data(), 2, 4), given), Error);
  EXPECT_THROW(distances(MatrixView(bytes.data(), 2, 4), MatrixView(shorts.data(), 2, 4), given), Error);
  for (const std::int64_t wrong : {-1, 33}) {
    given.parameters.packed = wrong;
    EXPECT_THROW(distances(MatrixView(bytes.data(), 2, 4), given), Error) << wrong;
  }
  given.parameters.packed = 32;
  given.parameters.w.assign(32, 1.0);
  EXPECT_THROW(distances(MatrixView(bytes.data(), 2, 4), given), Error);
  given.parameters.w.clear();
  given.metric = "euclidean";
  EXPECT_THROW(distances(MatrixView(bytes.data(), 2, 4), given), Error);
}

// --- gower
// --------------------------------------------------------------------------------------------------

/// Two numbers with ranges 4 and 10, then a category.
TEST_P(Cases, GowerOfSmallRows) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  Options given = options("gower");
  given.parameters.ranges = {4, 10, 0};
  given.parameters.categorical = {2};
  const auto gower = [&](std::vector<double> x, std::vector<double> y) {
    return *distances(MatrixView(x.data(), 1, 3), MatrixView(y.data(), 1, 3), given).as<double>();
  };
  EXPECT_EQ(gower({1, 2, 7}, {3, 2, 7}), (0.5 + 0 + 0) / 3);
  EXPECT_EQ(gower({1, 2, 7}, {3, 7, 8}), (0.5 + 0.5 + 1) / 3);
  EXPECT_EQ(gower({1, nan, 7}, {3, 7, 8}), (0.5 + 1) / 2);
  EXPECT_TRUE(std::isnan(gower({1, nan, nan}, {nan, 7, nan}))) << "nothing in common";
  EXPECT_EQ(gower({1, 2, nan}, {1, 2, nan}), 0);
  EXPECT_EQ(gower({inf, 2, inf}, {1, 2, inf}), inf);
  EXPECT_TRUE(std::isnan(gower({inf, 2, 1}, {inf, 2, 1}))) << "Inf - Inf";
  EXPECT_EQ(gower({1, 2, inf}, {1, 2, 1}), 1.0 / 3);
  EXPECT_EQ(gower({1, 2, 0}, {21, 2, -0.0}), 5.0 / 3) << "beyond the range";
  given.parameters.w = {2, 0, 1};
  EXPECT_EQ(gower({1, 2, 7}, {3, 9, 8}), (2 * 0.5 + 1) / 3);
  EXPECT_EQ(gower({1, nan, 7}, {3, 9, 8}), (2 * 0.5 + 1) / 3) << "missing, of weight 0";
  EXPECT_TRUE(std::isnan(gower({nan, 2, nan}, {1, 2, 3}))) << "nothing that counts in common";
  given.parameters.w = {0, 0, 0};
  EXPECT_EQ(gower({1, 2, 7}, {3, 9, 8}), 0);
}

TEST_P(Cases, GowerTakesRangesFromThePoints) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double g = std::numeric_limits<double>::max();
  const auto among = [&](const std::vector<double>& x, std::int64_t d) {
    return distances(MatrixView(x.data(), static_cast<std::int64_t>(x.size()) / d, d), options("gower"));
  };
  const Matrix three = among({1, 5, 0, /**/ 3, 5, nan, /**/ 9, 5, 2}, 3);
  EXPECT_EQ(three.as<double>()[1], (0.25 + 0) / 2);
  EXPECT_EQ(three.as<double>()[2], (1.0 + 0 + 1) / 3);
  EXPECT_EQ(three.as<double>()[5], (0.75 + 0) / 2);
  const Matrix huge = among({g, 0, -g, -g / 2}, 1);
  EXPECT_DOUBLE_EQ(huge.as<double>()[2], 1);
  EXPECT_DOUBLE_EQ(huge.as<double>()[1], 0.5);
  EXPECT_DOUBLE_EQ(huge.as<double>()[3], 0.75);
  const Matrix tiny = among({5e-324, 0, 15e-324}, 1);
  EXPECT_EQ(tiny.as<double>()[1], 1.0 / 3);
  EXPECT_EQ(tiny.as<double>()[5], 1);
  EXPECT_EQ(among({3, nan}, 1).as<double>()[0], 0);
  EXPECT_TRUE(std::isnan(among({3, nan}, 1).as<double>()[1]));
  EXPECT_EQ(among({3}, 1).as<double>()[0], 0);
}

TEST_P(Cases, GowerOfTwoSetsNeedsRanges) {
  const std::vector<double> x{1, 2};
  const std::vector<double> y{1, 3};
  const std::vector<double> copy = x;
  const MatrixView a(x.data(), 2, 1);
  Options given = options("gower");
  EXPECT_THROW(distances(a, MatrixView(y.data(), 2, 1), given), Error);
  EXPECT_EQ(distances(a, MatrixView(copy.data(), 2, 1), given).as<double>()[1], 1);
  given.parameters.from_both = true;
  EXPECT_EQ(distances(a, MatrixView(y.data(), 2, 1), given).as<double>()[1], 1);
  given.parameters.from_both = false;
  given.parameters.categorical = {0};
  EXPECT_EQ(distances(a, MatrixView(y.data(), 2, 1), given).as<double>()[1], 1) << "no range is needed";
  for (const std::int64_t wrong : {-1, 1}) {
    given.parameters.categorical = {wrong};
    EXPECT_THROW(distances(a, given), Error) << wrong;
  }
  given.parameters.categorical.clear();
  for (const double wrong : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    given.parameters.ranges = {wrong};
    EXPECT_THROW(distances(a, given), Error) << wrong;
  }
}

// --- cosine, correlation
// ---------------------------------------------------------------------------------------

TEST_P(Cases, Case13EqualRowsAreNoAngleApart) {
  for (std::size_t d = 1; d <= 32; ++d) {
    const std::vector<double> ones(d, 1.0);
    EXPECT_EQ(distance(ones, ones, "cosine"), 0) << d;
    const std::vector<float> tenths(d, 0.1f);
    EXPECT_EQ(distance(tenths, tenths, "cosine"), 0) << d;
  }
}

TEST_P(Cases, Case15CosineOfZeroRows) {
  EXPECT_EQ(distance<double>({0, 0}, {0, 0}, "cosine"), 0);
  EXPECT_EQ(distance<double>({0, 0}, {1, 0}, "cosine"), 1);
  EXPECT_EQ(distance<float>({1e-45f, 0}, {0, 0}, "cosine"), 1);
  // In one matrix, where other rows are not zero.
  const std::vector<float> x{0, 0, 3, 4, -0.0f, 0};
  const Matrix out = distances(MatrixView(x.data(), 3, 2), options("cosine"));
  const std::vector<float> want{0, 1, 0, 1, 0, 1, 0, 1, 0};
  for (std::size_t k = 0; k < want.size(); ++k) EXPECT_EQ(out.as<float>()[k], want[k]) << k;
}

// The length of a row that is no zero row is 1 within rounding, which must not be seen.
TEST_P(Cases, Case15ZeroRowsAreExactlyOneFromAllOthers) {
  for (const std::int64_t d : {1, 3, 37, 128, 200}) {
    for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
      const StoredMatrix y(make_points(Pattern::kNormal, dtype, 300, d), dtype);
      const StoredMatrix zero(Points{1, d, std::vector<long double>(static_cast<std::size_t>(d))}, dtype);
      for (const char* metric : {"cosine", "correlation"}) {
        if (d == 1 && metric == std::string("correlation")) continue;  // all rows are constant
        Options float64 = options(metric);
        float64.dtype = DType::kFloat64;
        const Matrix out = distances(zero.view(), y.view(), float64);
        for (std::int64_t j = 0; j < 300; ++j) EXPECT_EQ(out.as<double>()[j], 1) << metric << " d=" << d;
        if (dtype == DType::kFloat64) continue;
        const Matrix narrow = distances(zero.view(), y.view(), options(metric));
        for (std::int64_t j = 0; j < 300; ++j) EXPECT_EQ(narrow.as<float>()[j], 1) << metric << " d=" << d;
      }
    }
  }
}

TEST_P(Cases, Case16CosineOfHugeAndTinyRows) {
  for (const double unit : {1e200, 1e-200, 1.0, 5e-324, 1e308})
    EXPECT_NEAR(distance<double>({unit, 0}, {unit, unit}, "cosine"), 0.29289321881345245, 1e-15) << unit;
  for (const float unit : {1e38f, 1e-38f, 1e-45f})
    EXPECT_NEAR(distance<float>({unit, 0}, {unit, unit}, "cosine"), 0.2928932, 1e-6) << unit;
}

TEST_P(Cases, Case17NearlyEqualDirectionsKeepTheirDigits) {
  EXPECT_NEAR(distance<double>({1, 0}, {1, 1e-9}, "cosine") / 5e-19, 1, 1e-14);
  EXPECT_NEAR(distance<float>({1, 0}, {1, 1e-6f}, "cosine") / 5e-13, 1, 1e-6);
}

TEST_P(Cases, Case18CorrelationOfConstantRows) {
  for (const std::vector<double>& constant : {std::vector<double>{.1, .1, .1}, {1, 1, 1}, {0, 0, 0}}) {
    EXPECT_EQ(distance<double>(constant, {1, 2, 3}, "correlation"), 1);
    EXPECT_EQ(distance<double>(constant, {7, 7, 7}, "correlation"), 0);
  }
  // Nearly constant is not constant.
  EXPECT_NEAR(distance<double>({1e8, 1e8, 1e8 + 1}, {0, 0, 1}, "correlation"), 0, 1e-15);
  EXPECT_EQ(distance<double>({5}, {7}, "correlation"), 0);
}

TEST_P(Cases, CorrelationIsFreeOfTheOffset) {
  const StoredMatrix plain(make_points(Pattern::kIntegers, DType::kInt8, 40, 30), DType::kFloat64);
  Points moved = make_points(Pattern::kIntegers, DType::kInt8, 40, 30);
  for (long double& element : moved.elements) element += 1e12L;
  const StoredMatrix far(moved, DType::kFloat64);
  const Matrix near_out = distances(plain.view(), options("correlation"));
  const Matrix far_out = distances(far.view(), options("correlation"));
  for (std::int64_t k = 0; k < 1600; ++k)
    ASSERT_NEAR(near_out.as<double>()[k], far_out.as<double>()[k], 1e-14) << k;
}

}  // namespace
}  // namespace quadrance::testing
