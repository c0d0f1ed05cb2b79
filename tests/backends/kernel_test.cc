// SPDX-License-Identifier: Apache-2.0
// A kernel by itself, on every instruction set at hand: what it writes, and what it reports about the
// results, which is all that a sink which selects (neighbours, radius) will need. Values are checked by
// tests/tiles.
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "backends/backend.h"
#include "gtest/gtest.h"
#include "tiles/scratch.h"

namespace quadrance::internal {
namespace {

/// Points on a line: row r at r, column c at c + 0.5, times `unit`, the same in all d features.
template <class T>
struct Panels {
  Panels(const Kernel<T>& kernel, std::int64_t row_panels, std::int64_t d, T unit = 1) {
    const std::int64_t rows = row_panels * kernel.rows;
    auto* base = reinterpret_cast<T*>(scratch.reserve(
        static_cast<std::size_t>((rows * d + kernel.cols * d + rows * kernel.cols) * 8 + 4096)));
    const auto aligned = [](std::int64_t count) { return (count + 63) / 64 * 64; };
    T* x = base;
    T* y = x + aligned(rows * d);
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t f = 0; f < d; ++f) x[r * d + f] = T(r) * unit;
    }
    for (std::int64_t c = 0; c < kernel.cols; ++c) {
      for (std::int64_t f = 0; f < d; ++f) y[f * kernel.cols + c] = (T(c) + T(0.5)) * unit;
    }
    totals.resize(static_cast<std::size_t>(rows * kernel.cols * kernel.total_bytes) + 64);
    call.rows = x;
    call.row_stride = d;
    call.columns = y;
    call.row_panels = row_panels;
    call.features = d;
    call.out = y + aligned(kernel.cols * d);
    call.out_stride = kernel.cols;
    call.totals = totals.data();
  }
  Scratch scratch;
  std::vector<std::byte> totals;
  TileCall<T> call{};
};

/// Calls test(kernel) for the euclidean kernels of every backend and target, in both dtypes.
template <class Test>
void for_each_kernel(const Test& test) {
  for (const Backend* backend : backends()) {
    for (const std::string_view target : backend->targets()) {
      Engine engine;
      ASSERT_EQ(backend->take(0, target, JobSize{}, &engine), "");
      SCOPED_TRACE(std::string(backend->name()) + "-" + std::string(target));
      test(engine.kernels->f32);
      test(engine.kernels->f64);
    }
  }
}

TEST(Kernel, WritesEveryElementOfItsTile) {
  for_each_kernel([]<class T>(const Kernel<T>& kernel) {
    for (const std::int64_t d : {1, 4, 130}) {
      Panels<T> panels(kernel, 3, d);
      kernel.fill[0](panels.call);
      for (std::int64_t r = 0; r < 3 * kernel.rows; ++r) {
        for (int c = 0; c < kernel.cols; ++c) {
          const double want = std::abs(static_cast<double>(r) - c - 0.5) * std::sqrt(static_cast<double>(d));
          ASSERT_NEAR(panels.call.out[r * kernel.cols + c], want, want * 1e-5) << r << ", " << c;
        }
      }
    }
  });
}

TEST(Kernel, TheNarrowOneGivesTheSameBitsForItsColumns) {
  for_each_kernel([]<class T>(const Kernel<T>& kernel) {
    if (kernel.fill_narrow == nullptr) return;  // reference: a column is as narrow as can be
    ASSERT_LE(kernel.narrow_cols, kernel.cols);
    for (const std::int64_t d : {1, 40, 300}) {
      Panels<T> panels(kernel, 3, d);
      kernel.fill[0](panels.call);
      const std::vector<T> whole(panels.call.out, panels.call.out + 3 * kernel.rows * kernel.cols);
      std::fill_n(panels.call.out, whole.size(), T(-1));
      kernel.fill_narrow(panels.call);
      for (std::int64_t k = 0; k < static_cast<std::int64_t>(whole.size()); ++k) {
        const bool used = k % kernel.cols < kernel.narrow_cols;
        ASSERT_EQ(panels.call.out[k], used ? whole[static_cast<std::size_t>(k)] : T(-1)) << k;
      }
    }
  });
}

TEST(Kernel, TellsWhetherAResultIsWithinItsRowsLimit) {
  for_each_kernel([]<class T>(const Kernel<T>& kernel) {
    for (const std::int64_t d : {1, 200}) {
      Panels<T> panels(kernel, 2, d);
      const T nearest = static_cast<T>(0.5 * std::sqrt(static_cast<double>(d)));
      EXPECT_FALSE(kernel.fill[0](panels.call)) << "no limits given";
      std::vector<T> limits(static_cast<std::size_t>(2 * kernel.rows), nearest / 2);
      panels.call.limits = limits.data();
      EXPECT_FALSE(kernel.fill[0](panels.call));
      limits[0] = nearest * T(1.001);  // column 0 lies half a step from row 0
      EXPECT_TRUE(kernel.fill[0](panels.call));
      limits[0] = panels.call.out[0];  // a limit is inclusive
      EXPECT_TRUE(kernel.fill[0](panels.call));
    }
  });
}

TEST(Kernel, ScalingChangesNoBits) {
  // Magnitudes at which neither the plain nor the scaled squares leave the range of normal numbers.
  for_each_kernel([]<class T>(const Kernel<T>& kernel) {
    if (std::isinf(kernel.highest)) return;  // trusts every result, so nothing is ever redone
    const int small = sizeof(T) == 4 ? -50 : -400;
    const int large = sizeof(T) == 4 ? 40 : 300;
    for (const auto& [scaling, exponent] :
         {std::pair{Scaling::kUp, small}, std::pair{Scaling::kDown, large}}) {
      for (const std::int64_t d : {3, 200}) {
        Panels<T> panels(kernel, 2, d, std::ldexp(T{1}, exponent));
        const std::int64_t count = 2 * kernel.rows * kernel.cols;
        kernel.fill[static_cast<int>(Scaling::kNone)](panels.call);
        const std::vector<T> plain(panels.call.out, panels.call.out + count);
        EXPECT_GT(plain[0], T{0});
        // Wrong results are put in the place of all, then mended but for row 0, which is trusted.
        const bool up = scaling == Scaling::kUp;
        const T wrong = up ? T{0} : std::numeric_limits<T>::infinity();
        Scratch room;
        auto* mend = reinterpret_cast<T*>(room.reserve(static_cast<std::size_t>(count) * sizeof(T)));
        std::fill_n(mend, count, wrong);
        std::vector<T> row_trust(static_cast<std::size_t>(2 * kernel.rows), up ? plain[0] : kernel.highest);
        row_trust[0] = wrong;
        Scratch more;
        auto* column_trust =
            reinterpret_cast<T*>(more.reserve(static_cast<std::size_t>(kernel.cols) * sizeof(T)));
        panels.call.mend = mend;
        panels.call.row_trust = row_trust.data();
        // No column is trusted further, up; down, the row alone decides.
        std::fill_n(column_trust, kernel.cols, up ? T{0} : std::numeric_limits<T>::infinity());
        panels.call.column_trust = column_trust;
        kernel.fill[static_cast<int>(scaling)](panels.call);
        for (std::int64_t k = 0; k < count; ++k)
          ASSERT_EQ(mend[k], k < kernel.cols ? wrong : plain[static_cast<std::size_t>(k)]);
      }
    }
  });
}

/// RowSums of rows that follow each other or stand side by side; means of 0, 1, 2, 0, 1, ...
struct Sums {
  template <class At>
  Sums(std::int64_t rows, std::int64_t features, const At& at) : numbers(static_cast<std::size_t>(3 * rows)) {
    for (std::int64_t r = 0; r < rows; ++r) {
      double* of_row = numbers.data() + r;
      of_row[0] = static_cast<double>(r % 3);
      for (std::int64_t f = 0; f < features; ++f) {
        of_row[rows] += static_cast<double>(at(r, f));
        of_row[2 * rows] += std::pow(static_cast<double>(at(r, f)), 2);
      }
    }
    view = {numbers.data(), numbers.data() + rows, numbers.data() + 2 * rows};
  }
  std::vector<double> numbers;
  RowSums view;
};

TEST(Kernel, ByProductsLeavesOutExactlyTheNearPairs) {
  for_each_kernel([]<class T>(const Kernel<T>& kernel) {
    if (kernel.by_products.fill == nullptr) return;  // reference
    const std::int64_t d = kernel.by_products.features;
    const std::int64_t rows = 3 * kernel.rows;
    Panels<T> panels(kernel, 3, d);
    TileCall<T>& call = panels.call;
    Sums of_rows(rows, d, [&](std::int64_t r, std::int64_t f) { return call.rows[r * d + f]; });
    const Sums of_columns(kernel.cols, d,
                          [&](std::int64_t c, std::int64_t f) { return call.columns[f * kernel.cols + c]; });
    of_rows.numbers[static_cast<std::size_t>(2 * rows + 1)] = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::uint8_t> near(3, 7);
    call.row_sums = of_rows.view;
    call.column_sums = of_columns.view;
    call.near = near.data();
    kernel.by_products.fill(call);
    bool any_near[3] = {};
    bool some_far = false;
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < kernel.cols; ++c) {
        // Rows of equal elements, each with its mean put back.
        const double difference = (static_cast<double>(r) + of_rows.view.mean[r]) -
                                  (static_cast<double>(c) + 0.5 + of_columns.view.mean[c]);
        const double want = std::abs(difference) * std::sqrt(static_cast<double>(d));
        const bool is_far = want * want >= 5.0 / 32 * (of_rows.view.square[r] + of_columns.view.square[c]);
        const double got = static_cast<double>(call.out[r * kernel.cols + c]);
        any_near[r / kernel.rows] = any_near[r / kernel.rows] || !is_far;
        some_far = some_far || is_far;
        if (is_far)
          ASSERT_NEAR(got, want, want * 1e-5) << r << ", " << c;
        else
          ASSERT_TRUE(std::isnan(got)) << r << ", " << c;
      }
    }
    EXPECT_TRUE(some_far);
    for (std::size_t p = 0; p < 3; ++p) EXPECT_EQ(near[p], any_near[p] ? 1 : 0) << p;
  });
}

/// What a kernel's caller may store meanwhile: copies the rows that it says are finished.
template <class T>
struct Follower {
  const TileCall<T>& call;
  std::vector<T> copied;
  int calls = 0;

  static void between(void* context, std::int64_t rows) {
    auto* self = static_cast<Follower*>(context);
    ++self->calls;
    const T* finished = self->call.out + self->copied.size();
    const T* end = self->call.out + rows * self->call.out_stride;
    self->copied.insert(self->copied.end(), finished, end);
  }
};

TEST(Kernel, CallsBackBetweenRowPanelsWithTheRowsThatAreFinished) {
  for_each_kernel([]<class T>(const Kernel<T>& kernel) {
    if (kernel.rows == 1) return;  // the reference loops have nothing to overlap
    for (const std::int64_t d : {40, 130}) {
      Panels<T> panels(kernel, 4, d);
      Follower<T> follower{panels.call, {}};
      panels.call.between = &Follower<T>::between;
      panels.call.context = &follower;
      kernel.fill[0](panels.call);
      EXPECT_EQ(follower.calls, d > kFeatureBlock ? 8 : 4);
      EXPECT_EQ(static_cast<std::int64_t>(follower.copied.size()), 3 * kernel.rows * kernel.cols);
      EXPECT_TRUE(std::equal(follower.copied.begin(), follower.copied.end(), panels.call.out));
    }
  });
}

}  // namespace
}  // namespace quadrance::internal
