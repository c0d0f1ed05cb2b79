// SPDX-License-Identifier: Apache-2.0
// The calls around the numbers: outputs of the caller's, refusals that write nothing, progress, cancelling,
// several callers at once, fork. Texts of errors are asserted whole: users read them.
#include "quadrance/pairwise.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <thread>

#include "plan/machine.h"
#include "support/comparator.h"
#include "support/generators.h"
#include "support/oracle.h"
#include "support/runs.h"

namespace quadrance::testing {
namespace {

StoredMatrix normal(std::int64_t rows, std::int64_t cols, DType dtype = DType::kFloat32) {
  return {make_points(Pattern::kNormal, dtype, rows, cols), dtype};
}

/// Memory for a result with known bytes around and inside it.
class Canvas {
 public:
  Canvas(std::int64_t rows, std::int64_t cols, std::int64_t padding, std::size_t shift)
      : stride_((cols + padding) * 4),
        shift_(shift),
        bytes_(static_cast<std::size_t>(rows * stride_) + 256, kPaint) {
    out_ = OutputView(bytes_.data() + 64 + shift, DType::kFloat32, rows, cols, stride_);
  }
  const OutputView& out() const { return out_; }
  bool untouched() const {
    return std::all_of(bytes_.begin(), bytes_.end(), [](unsigned char byte) { return byte == kPaint; });
  }
  /// Nothing but the rows' elements was written.
  bool margins_untouched() const {
    std::vector<unsigned char> copy = bytes_;
    for (std::int64_t i = 0; i < out_.rows; ++i) {
      std::fill_n(copy.begin() + static_cast<std::ptrdiff_t>(64 + shift_) + i * stride_, out_.cols * 4,
                  kPaint);
    }
    return std::all_of(copy.begin(), copy.end(), [](unsigned char byte) { return byte == kPaint; });
  }

 private:
  static constexpr unsigned char kPaint = 0xa5;
  std::int64_t stride_;
  std::size_t shift_;
  std::vector<unsigned char> bytes_;
  OutputView out_;
};

TEST(PairwiseOutput, HoldsTheSameBitsWhateverItsStrideAndAlignment) {
  const StoredMatrix x = normal(203, 8);
  const StoredMatrix y = normal(61, 8);
  const Matrix square = distances(x.view());
  const Matrix wide = distances(x.view(), y.view());
  for (const std::int64_t padding : {0, 1, 16}) {
    for (const std::size_t shift : {0, 4, 8, 60}) {
      Canvas own(203, 203, padding, shift);
      distances_into(own.out(), x.view());
      EXPECT_TRUE(bits_equal(view_of(own.out()), square.view())) << padding << " " << shift;
      EXPECT_TRUE(own.margins_untouched()) << padding << " " << shift;
      Canvas two(203, 61, padding, shift);
      distances_into(two.out(), x.view(), y.view());
      EXPECT_TRUE(bits_equal(view_of(two.out()), wide.view())) << padding << " " << shift;
      EXPECT_TRUE(two.margins_untouched()) << padding << " " << shift;
    }
  }
}

/// The rows hold the bits they have when they are computed one at a time, into memory that stays in the
/// caches.
void expect_rows_as_alone(const Matrix& all, const MatrixView& x, std::initializer_list<std::int64_t> rows) {
  for (const std::int64_t i : rows) {
    MatrixView row = x;
    row.data = static_cast<const std::byte*>(row.data) + i * row.row_stride;
    row.rows = 1;
    const Matrix one = distances(row, x);
    ASSERT_EQ(std::memcmp(one.data(), all.as<float>() + i * x.rows, static_cast<std::size_t>(x.rows) * 4), 0)
        << i;
  }
}

TEST(PairwiseOutput, LargeResultsAreStoredPastTheCachesWithTheSameBits) {
  // 4,100^2 x 4 bytes exceed any last-level cache the streaming stores wait for, 32 MiB and more being 67 MB;
  // n is odd in lines, so every row begins somewhere else in its first line.
  const std::int64_t n = 4'100 + 1;
  const StoredMatrix x = normal(n, 3);
  const Matrix all = distances(x.view());
  expect_rows_as_alone(all, x.view(), {std::int64_t{0}, std::int64_t{79}, std::int64_t{2'000}, n - 1});
  EXPECT_TRUE(is_symmetric_bits(all.view()));
}

TEST(PairwiseOutput, RedoneResultsReplaceStreamedOnes) {
  // Rows of whole lines, so that the kernel streams into the output before the redo.
  const std::int64_t n = 4'096;
  const StoredMatrix x(make_points(Pattern::kHuge, DType::kFloat32, n, 3), DType::kFloat32);
  const Matrix all = distances(x.view());
  expect_rows_as_alone(all, x.view(), {std::int64_t{0}, std::int64_t{1'000}, n - 1});
  EXPECT_TRUE(is_symmetric_bits(all.view()));
  EXPECT_TRUE(std::none_of(all.as<float>(), all.as<float>() + n * n, [](float v) { return std::isinf(v); }));
}

struct Refusal {
  ErrorCode code;
  std::string text;
};

template <class F>
Refusal refusal_of(const F& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {ErrorCode::kInternal, "nothing was thrown"};
}

#define EXPECT_REFUSED(call, expected_code, expected_text)    \
  do {                                                        \
    const Refusal refusal = refusal_of([&] { call; });        \
    EXPECT_EQ(name_of(refusal.code), name_of(expected_code)); \
    EXPECT_EQ(refusal.text, expected_text);                   \
  } while (false)

TEST(PairwiseRefusal, ComesBeforeAnythingIsWritten) {
  const StoredMatrix x = normal(4, 3);
  const StoredMatrix y = normal(5, 2);
  Canvas canvas(4, 4, 0, 0);
  Options options;

  EXPECT_REFUSED(distances_into(canvas.out(), x.view(), y.view()), ErrorCode::kShape,
                 "[pairwise] x has 3 columns, y has 2; they must be equal");
  OutputView out = canvas.out();
  out.rows = 3;
  EXPECT_REFUSED(distances_into(out, x.view()), ErrorCode::kShape,
                 "[pairwise] out has shape (3, 4); (4, 4) is needed");
  out = canvas.out();
  out.row_stride = 12;
  EXPECT_REFUSED(
      distances_into(out, x.view()), ErrorCode::kShape,
      "[pairwise] out has 12 bytes from row to row; at least 16 and a multiple of its element size are "
      "needed");
  out = canvas.out();
  out.data = static_cast<std::byte*>(out.data) + 1;
  EXPECT_REFUSED(distances_into(out, x.view()), ErrorCode::kShape,
                 "[pairwise] out is not aligned to its elements of 4 bytes; an aligned array is needed");
  out = canvas.out();
  out.dtype = DType::kInt32;
  EXPECT_REFUSED(distances_into(out, x.view()), ErrorCode::kDtype,
                 "[pairwise] result dtype int32 asked for; it must be float32 or float64");
  options.dtype = DType::kFloat64;
  EXPECT_REFUSED(distances_into(canvas.out(), x.view(), options), ErrorCode::kDtype,
                 "[pairwise] out is float32 but dtype is float64; give one of them, or make them equal");
  options = {};
  options.metric = "euclidian";
  EXPECT_REFUSED(distances_into(canvas.out(), x.view(), options), ErrorCode::kMetric,
                 "[metric] there is no metric 'euclidian'; did you mean 'euclidean'?");
  options = {};
  options.device = "gpu";
  EXPECT_REFUSED(distances_into(canvas.out(), x.view(), options), ErrorCode::kDevice,
                 "[plan] there is no device 'gpu'; known are auto, cpu, reference");
  options.device = "reference-avx2";
  EXPECT_REFUSED(
      distances_into(canvas.out(), x.view(), options), ErrorCode::kDevice,
      "[plan] device 'reference-avx2' was asked for but cannot run this: no kernels for target 'avx2' on "
      "this machine, which has plain; use device auto");
  options = {};
  options.threads = -1;
  EXPECT_REFUSED(distances_into(canvas.out(), x.view(), options), ErrorCode::kOption,
                 "[plan] -1 threads asked for; 0 (automatic) or 1 to 1024 are possible");
  options = {};
  options.layout = Layout::kCondensed;
  EXPECT_REFUSED(
      distances(x.view(), x.view(), options), ErrorCode::kShape,
      "[pairwise] condensed output of two sets asked for; the condensed triangle exists for one set (leave "
      "y out)");
  EXPECT_REFUSED(distances_into(canvas.out(), MatrixView::shape(DType::kFloat32, 4, 3)), ErrorCode::kShape,
                 "[pairwise] x is a shape without data; only make_plan() takes such a view");
  EXPECT_REFUSED(distances(MatrixView::shape(DType::kFloat32, -1, 3)), ErrorCode::kShape,
                 "[pairwise] x has shape (-1, 3); sizes must not be negative");
  EXPECT_TRUE(canvas.untouched());
}

TEST(PairwiseRefusal, CallsThePointsWhatTheCallerCallsThem) {
  const StoredMatrix x = normal(4, 3);
  const StoredMatrix y = normal(5, 2);
  Options options;
  options.x_name = "XA";
  options.y_name = "XB";
  EXPECT_REFUSED(distances(x.view(), y.view(), options), ErrorCode::kShape,
                 "[pairwise] XA has 3 columns, XB has 2; they must be equal");
  EXPECT_REFUSED(distances(x.view(), MatrixView::shape(DType::kFloat32, -1, 3), options), ErrorCode::kShape,
                 "[pairwise] XB has shape (-1, 3); sizes must not be negative");
  const std::int64_t large = (std::int64_t{1} << 53) + 1;
  const MatrixView integer = {&large, DType::kInt64, 1, 1, 8, 8};
  EXPECT_REFUSED(
      distances(integer, options), ErrorCode::kDtype,
      "[pairwise] XA[0, 0] = 9007199254740993 is beyond 2^53 and has no exact float64; subtract an "
      "offset or convert first");
  options.layout = Layout::kCondensed;
  EXPECT_REFUSED(
      distances(x.view(), x.view(), options), ErrorCode::kShape,
      "[pairwise] condensed output of two sets asked for; the condensed triangle exists for one set (leave "
      "XB out)");
}

TEST(PairwiseRefusal, AnIntegerTooLargeIsFoundBeforeTheFirstTile) {
  std::vector<std::int64_t> x(300, 1);
  x[299] = (std::int64_t{1} << 53) + 1;
  Canvas canvas(300, 300, 0, 0);
  EXPECT_THROW(distances_into(canvas.out(), MatrixView(x.data(), 300, 1)), Error);
  EXPECT_TRUE(canvas.untouched());
}

TEST(PairwiseRefusal, OverlapOfOutAndInputIsSeenThroughStrides) {
  std::vector<float> memory(100, 1.0f);
  const std::vector<float> before = memory;
  const MatrixView x(memory.data(), 5, 4);
  EXPECT_REFUSED(distances_into(OutputView(memory.data() + 19, 5, 5), x), ErrorCode::kShape,
                 "[pairwise] out shares memory with x; they must not overlap");
  // Rows from the last to the first: the view's memory lies before its data pointer.
  const MatrixView reversed(memory.data() + 56, DType::kFloat32, 5, 4, -16, 4);
  EXPECT_REFUSED(distances_into(OutputView(memory.data() + 20, 5, 5), reversed), ErrorCode::kShape,
                 "[pairwise] out shares memory with x; they must not overlap");
  const StoredMatrix other = normal(5, 4);
  EXPECT_REFUSED(distances_into(OutputView(memory.data(), 5, 5), other.view(), x), ErrorCode::kShape,
                 "[pairwise] out shares memory with y; they must not overlap");
  EXPECT_EQ(memory, before);
  distances_into(OutputView(memory.data() + 20, 5, 5), x);  // side by side is fine
}

TEST(PairwiseSymmetry, TheSameViewTwiceIsOneSet) {
  const StoredMatrix x = normal(50, 4);
  EXPECT_TRUE(make_plan(x.view(), x.view()).symmetric);
  MatrixView other = x.view();
  other.rows = 49;
  EXPECT_FALSE(make_plan(x.view(), other).symmetric);
  EXPECT_TRUE(bits_equal(distances(x.view(), x.view()).view(), distances(x.view()).view()));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// Elements k of a matrix of `cols` columns, on both sides of 2^31, at the ends, and some between.
std::vector<std::int64_t> spots(std::int64_t elements, std::int64_t cols) {
  constexpr std::int64_t k2To31 = std::int64_t{1} << 31;
  std::vector<std::int64_t> out{0, 1, cols, k2To31 - 1, k2To31, k2To31 + 1, elements - cols, elements - 1};
  Random random(7);
  while (out.size() < 2'000) out.push_back(random.integer(0, elements - 1));
  return out;
}

TEST(PairwiseOutput, HoldsMoreThan2To31Elements) {
  constexpr std::int64_t kNeeded = std::int64_t{10} << 30;
  if (internal::available_memory().available < kNeeded) GTEST_SKIP() << "8.6 GB of result need 10 GiB";
  const StoredMatrix x = normal(46'341, 3);
  const StoredMatrix y = normal(46'342, 3);
  const std::vector<std::vector<long double>> x_rows = rows_of(x.view());
  {
    const Matrix out = distances(x.view(), y.view());
    for (const std::int64_t k : spots(out.rows() * out.cols(), out.cols())) {
      const auto i = static_cast<std::size_t>(k / out.cols());
      const double want =
          static_cast<double>(oracle("euclidean", x_rows[i], row_of(y.view(), k % out.cols())));
      ASSERT_NEAR(out.as<float>()[k], want, want * 1e-6) << k;
    }
  }
  Options options;
  options.layout = Layout::kCondensed;
  const StoredMatrix z = normal(65'537, 3);
  const Matrix out = distances(z.view(), options);
  ASSERT_EQ(out.cols(), 2'147'516'416);
  const auto row_begin = [](std::int64_t i) { return i * (2 * std::int64_t{65'537} - i - 1) / 2; };
  for (const std::int64_t k : spots(out.cols(), 65'536)) {
    std::int64_t i = 0;
    for (std::int64_t step = 1 << 16; step > 0; step /= 2)
      i += row_begin(i + step) <= k && i + step < 65'537 ? step : 0;
    const std::int64_t j = k - row_begin(i) + i + 1;
    const double want = static_cast<double>(oracle("euclidean", row_of(z.view(), i), row_of(z.view(), j)));
    ASSERT_NEAR(out.as<float>()[k], want, want * 1e-6) << i << ", " << j;
  }
}
#endif

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they need memory of their own
TEST(PairwiseMemory, PeakStaysWithinTwiceTheInputTheOutputAnd64MiB) {
  constexpr std::int64_t kRows = 5'000;
  constexpr std::int64_t kCols = 1'000;
  const pid_t child = fork();  // a process of its own: the peak is the process's
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::vector<float> x(kRows * kCols, 0.5f);
    rusage before{};
    getrusage(RUSAGE_SELF, &before);
    Options options;
    options.threads = 2;
    const Matrix out = distances(MatrixView(x.data(), kRows, kCols), options);
    rusage after{};
    getrusage(RUSAGE_SELF, &after);
    const std::int64_t grown = (after.ru_maxrss - before.ru_maxrss) * 1024;
    // The input itself is one of the two.
    const std::int64_t allowed = kRows * kCols * 4 + kRows * kRows * 4 + (std::int64_t{64} << 20);
    _exit(grown <= allowed ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}
#endif

class Steps final : public Progress {
 public:
  explicit Steps(int stop_after = -1) : stop_after_(stop_after), thread_(std::this_thread::get_id()) {}
  bool update(std::int64_t done, std::int64_t total) override {
    EXPECT_EQ(std::this_thread::get_id(), thread_);
    EXPECT_GE(done, last_);
    EXPECT_LE(done, total);
    last_ = done;
    return ++calls_ != stop_after_;
  }
  int calls() const { return calls_; }

 private:
  int stop_after_;
  std::thread::id thread_;
  int calls_ = 0;
  std::int64_t last_ = 0;
};

/// Long enough on any machine for several reports 50 ms apart.
Matrix long_job(Progress* progress, int threads = 2) {
  static const StoredMatrix x = normal(2'500, 100);
  Options options;
  options.device = "reference";
  options.progress = progress;
  options.threads = threads;
  return distances(x.view(), options);
}

TEST(PairwiseProgress, IsToldFromTheCallingThread) {
  Steps steps;
  long_job(&steps);
  EXPECT_GE(steps.calls(), 1);
}

TEST(PairwiseProgress, ReturningFalseCancels) {
  Steps steps(1);
  const Refusal refusal = refusal_of([&] { long_job(&steps); });
  EXPECT_EQ(refusal.code, ErrorCode::kCancelled);
  EXPECT_EQ(refusal.text.rfind("[pairwise] cancelled after ", 0), 0u) << refusal.text;
  EXPECT_EQ(steps.calls(), 1);
  Steps again;
  long_job(&again);  // the next call works
}

TEST(PairwiseProgress, AnExceptionReachesTheCaller) {
  struct Throws final : Progress {
    bool update(std::int64_t, std::int64_t) override { throw std::runtime_error("mine"); }
  } throws;
  EXPECT_THROW(
      {
        try {
          long_job(&throws);
        } catch (const std::runtime_error& error) {
          EXPECT_STREQ(error.what(), "mine");
          throw;
        }
      },
      std::runtime_error);
}

TEST(PairwiseThreads, ManyCallersAtOnceGetTheirOwnAnswers) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int c = 0; c < 6; ++c) {
    callers.emplace_back([&, c] {
      const StoredMatrix x(
          make_points(Pattern::kNormal, DType::kFloat32, 700 + c, 40, static_cast<std::uint64_t>(c)),
          DType::kFloat32);
      Options alone;
      alone.threads = 1;
      const Matrix want = distances(x.view(), alone);
      for (int round = 0; round < 10; ++round) {
        Options shared;
        shared.threads = 2 + round % 3;
        if (!bits_equal(distances(x.view(), shared).view(), want.view())) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(PairwiseFork, AChildComputesWithThreadsOfItsOwn) {
  const StoredMatrix x = normal(1'000, 40);  // enough work for several threads
  Options options;
  options.threads = 2;
  const Matrix want = distances(x.view(), options);  // the parent's pool exists now
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(30);
    const bool same = static_cast<bool>(bits_equal(distances(x.view(), options).view(), want.view()));
    _exit(same ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(PairwiseSubnormals, AreKeptInNarrowedResults) {
  constexpr std::int64_t kRows = 200;  // results are stored while the kernel, which flushes them, goes on
  std::vector<double> x(kRows);
  for (std::int64_t i = 0; i < kRows; ++i) x[static_cast<std::size_t>(i)] = static_cast<double>(i) * 0x1p-140;
  for (const std::string& device : device_targets()) {
    Options options;
    options.device = device;
    options.dtype = DType::kFloat32;
    const Matrix out = distances(MatrixView(x.data(), kRows, 1), options);
    for (std::int64_t i = 0; i < kRows; ++i) {
      for (std::int64_t j = 0; j < kRows; ++j)
        ASSERT_EQ(out.as<float>()[i * kRows + j], static_cast<float>(std::abs(i - j)) * 0x1p-140F)
            << device << ' ' << i << ", " << j;
    }
  }
}

}  // namespace
}  // namespace quadrance::testing
