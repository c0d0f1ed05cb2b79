// SPDX-License-Identifier: Apache-2.0
// Carrying blocks: every count, alignment and stride, with and without streaming; nothing beside the block
// changes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "backends/backend.h"
#include "gtest/gtest.h"
#include "quadrance/matrix.h"
#include "support/generators.h"

namespace quadrance::internal {
namespace {

template <class Test>
void for_each_target(const Test& test) {
  for (const Backend* backend : backends()) {
    for (const std::string_view target : backend->targets()) {
      Engine engine;
      ASSERT_EQ(backend->take(0, target, JobSize{}, &engine), "");
      SCOPED_TRACE(std::string(backend->name()) + "-" + std::string(target));
      test(*engine.movers);
    }
  }
}

template <class T, class Out>
void check_copies(const Movers& movers) {
  constexpr std::int64_t kRows = 3;
  std::vector<T> from(kRows * 100);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i + 1);
  for (const bool streaming : {false, true}) {
    for (std::int64_t cols = 0; cols <= 70; ++cols) {
      for (const std::int64_t shift : {0, 1, 5, 15}) {
        for (const std::int64_t change : {0, -1}) {
          std::vector<Out> to(600, Out(-1));
          std::vector<Out> want = to;
          const auto size = static_cast<std::int64_t>(sizeof(Out));
          const RowPlaces places{reinterpret_cast<std::byte*>(to.data() + shift), 101 * size, change * size};
          movers.template copy<T, Out>({from.data(), 100, kRows, cols}, places, streaming);
          movers.fence();
          for (std::int64_t r = 0, at = shift, step = 101; r < kRows; ++r, at += step, step += change) {
            for (std::int64_t c = 0; c < cols; ++c)
              want[static_cast<std::size_t>(at + c)] =
                  static_cast<Out>(from[static_cast<std::size_t>(r * 100 + c)]);
          }
          ASSERT_EQ(to, want) << cols << " columns, shift " << shift << (streaming ? ", streaming" : "");
        }
      }
    }
  }
}

TEST(Movers, CopyExactlyTheBlock) {
  for_each_target([](const Movers& movers) {
    check_copies<float, float>(movers);
    check_copies<double, double>(movers);
    check_copies<double, float>(movers);
  });
}

template <class T>
void check_transposes(const Movers& movers) {
  for (const std::int64_t rows : {1, 15, 16, 17, 80, 96}) {
    for (const std::int64_t cols : {1, 2, 3, 4, 5, 16, 80}) {
      // Room for rows rounded up to 16 and columns up to 8, as the layout of tiles has it.
      std::vector<T> from(96 * 88);
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i);
      std::vector<T> to(88 * 96, T(-1));
      movers.transpose<T>({from.data(), 88, rows, cols}, to.data(), 96, false);
      for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t c = 0; c < cols; ++c) {
          ASSERT_EQ(to[static_cast<std::size_t>(c * 96 + r)], from[static_cast<std::size_t>(r * 88 + c)])
              << r << ", " << c;
        }
      }
    }
  }
}

TEST(Movers, TransposeEveryElement) {
  for_each_target([](const Movers& movers) {
    check_transposes<float>(movers);
    check_transposes<double>(movers);
  });
}

template <class T>
void check_streamed_transposes(const Movers& movers) {
  constexpr std::int64_t kLine = 64 / sizeof(T);
  constexpr std::int64_t kStride = 96;
  for (const std::int64_t rows : {kLine, 5 * kLine}) {
    for (const std::int64_t cols : {4, 80}) {
      std::vector<T> from(96 * 88);
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i);
      Matrix to(dtype_of<T>(), 88, kStride);  // begins at a line
      std::fill_n(to.as<T>(), 88 * kStride, T(-1));
      movers.transpose<T>({from.data(), 88, rows, cols}, to.as<T>(), kStride, true);
      movers.fence();
      for (std::int64_t c = 0; c < 88; ++c) {
        for (std::int64_t r = 0; r < kStride; ++r) {
          const T want = c < cols && r < rows ? from[static_cast<std::size_t>(r * 88 + c)] : T(-1);
          ASSERT_EQ(to.as<T>()[c * kStride + r], want) << r << ", " << c;
        }
      }
    }
  }
}

TEST(Movers, StreamExactlyTheTranspose) {
  for_each_target([](const Movers& movers) {
    check_streamed_transposes<float>(movers);
    check_streamed_transposes<double>(movers);
  });
}

template <class T>
void check_flags(const Movers& movers) {
  constexpr T kInf = std::numeric_limits<T>::infinity();
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  const RowLimits<T> limits{T{0x1p-30}, T{0x1p40}};
  const struct {
    T value;
    int flag;
  } cases[] = {{T{1}, kPlain},
               {T{0}, kPlain},
               {T{-0.0}, kPlain},
               {T{0x1p-30}, kPlain},
               {T{-0x1.fffffep-31}, kFine},
               {std::numeric_limits<T>::denorm_min(), kFine},
               {T{0x1.fffffep39}, kPlain},
               {T{-0x1p40}, kLarge},
               {std::numeric_limits<T>::max(), kLarge},
               {kInf, kPlain},
               {-kInf, kPlain},
               {kNan, kPlain}};
  for (const std::int64_t d : {1, 16, 21, 40}) {
    for (std::int64_t at = 0; at < d; ++at) {
      for (const auto& one : cases) {
        std::vector<T> rows(3 * 48, T{0});
        for (std::int64_t r = 0; r < 3; ++r) std::fill_n(&rows[static_cast<std::size_t>(r * 48)], d, T{1});
        rows[static_cast<std::size_t>(48 + at)] = one.value;
        std::uint8_t flags[3] = {kPlain, kFine, kLarge};
        movers.flag<T>({rows.data(), 48, 3, d}, limits, flags);
        ASSERT_EQ(flags[0], kPlain);
        ASSERT_EQ(flags[1], kFine | one.flag) << one.value << " at " << at << " of " << d;
        ASSERT_EQ(flags[2], kLarge) << "what was noted before stays";
      }
    }
  }
}

TEST(Movers, FlagRowsThatAreFineOrLarge) {
  for_each_target([](const Movers& movers) {
    check_flags<float>(movers);
    check_flags<double>(movers);
  });
}

template <class T>
void check_sums(const Movers& movers) {
  constexpr std::int64_t kStride = 1'040;
  testing::Random random(3);
  for (const std::int64_t d : {1, 15, 16, 40, 130, 1'000}) {
    std::vector<T> rows(3 * kStride, T{0});
    for (std::int64_t i = 0; i < 3 * kStride; ++i) {
      if (i % kStride < d) rows[static_cast<std::size_t>(i)] = static_cast<T>(random.normal() + 7.0);
    }
    for (std::size_t r = 0; r < 3; ++r) {
      const T mean = r == 0 ? T{0} : T{6.5};
      const TwoSums got = movers.sums<T>(&rows[r * kStride], d, mean);
      long double sum = 0;
      long double square = 0;
      for (std::int64_t f = 0; f < d; ++f) {
        const long double x = rows[r * kStride + static_cast<std::size_t>(f)] - mean;
        sum += x;
        square += x * x;
      }
      const long double bound = sizeof(T) == 4 ? 0x1p-40L : 1.1L * 0x1p-53L;
      EXPECT_LE(std::abs(static_cast<long double>(got.sum) - sum), bound * std::sqrt(square * d))
          << "d=" << d;
      EXPECT_LE(std::abs(static_cast<long double>(got.square) / square - 1), bound) << "d=" << d;
    }
  }
}

TEST(Movers, SumRowsAndTheirSquares) {
  for_each_target([](const Movers& movers) {
    check_sums<float>(movers);
    check_sums<double>(movers);
  });
}

template <class T>
void check_doubts(const Movers& movers) {
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  constexpr std::int64_t kStride = 24;
  for (const std::int64_t cols : {1, 7, 16, 21}) {
    for (std::int64_t at = 0; at < 2 * kStride; ++at) {
      const bool inside = at % kStride < cols;
      std::vector<T> results(2 * kStride, T{2});
      const auto found = [&](T value) {
        results[static_cast<std::size_t>(at)] = value;
        return movers.inspect<T>({results.data(), kStride, 2, cols}, T{1}, T{3});
      };
      EXPECT_EQ(found(T(0.5)).too_small, inside) << at;
      EXPECT_FALSE(found(T(0.5)).too_large);
      EXPECT_EQ(found(T(3.5)).too_large, inside) << at;
      EXPECT_FALSE(found(T(3.5)).too_small);
      for (const T trusted : {T{1}, T{3}, kNan}) {
        EXPECT_FALSE(found(trusted).too_small || found(trusted).too_large) << trusted;
      }
    }
  }
}

TEST(Movers, FindResultsOutsideTheTrustedRange) {
  for_each_target([](const Movers& movers) {
    check_doubts<float>(movers);
    check_doubts<double>(movers);
  });
}

TEST(RowPlaces, FromGoesWhereRowsGo) {
  std::vector<std::byte> memory(6'000);
  const RowPlaces places{memory.data(), 1000, -8};
  std::byte* at = places.first;
  std::int64_t stride = places.stride;
  for (std::int64_t r = 0; r < 5; ++r) {
    EXPECT_EQ(places.from(r).first, at);
    EXPECT_EQ(places.from(r).stride, stride);
    at += stride;
    stride += places.stride_change;
  }
}

}  // namespace
}  // namespace quadrance::internal
