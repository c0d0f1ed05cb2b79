// SPDX-License-Identifier: Apache-2.0
// What a plan decides and says, without computing anything: dtypes, symmetry, devices, memory, 64-bit sizes.
#include "quadrance/plan.h"

#include "gtest/gtest.h"
#include "quadrance/device.h"
#include "quadrance/error.h"

namespace quadrance {
namespace {

Plan plan_of(DType dtype, std::int64_t n, std::int64_t d, Options options = {}) {
  options.memory_limit = options.memory_limit != 0 ? options.memory_limit : std::int64_t{1} << 60;
  return make_plan(MatrixView::shape(dtype, n, d), options);
}

TEST(Plan, ChoosesDtypes) {
  struct Row {
    DType input, compute, result;
  };
  for (const Row& row : {Row{DType::kFloat32, DType::kFloat32, DType::kFloat32},
                         Row{DType::kFloat64, DType::kFloat64, DType::kFloat64},
                         Row{DType::kFloat16, DType::kFloat32, DType::kFloat32},
                         Row{DType::kBfloat16, DType::kFloat32, DType::kFloat32},
                         Row{DType::kBool, DType::kFloat32, DType::kFloat32},
                         Row{DType::kUint8, DType::kFloat32, DType::kFloat32},
                         Row{DType::kInt16, DType::kFloat64, DType::kFloat64},
                         Row{DType::kInt64, DType::kFloat64, DType::kFloat64}}) {
    const Plan plan = plan_of(row.input, 10, 3);
    EXPECT_EQ(plan.compute, row.compute) << name_of(row.input);
    EXPECT_EQ(plan.result, row.result) << name_of(row.input);
  }
  Options narrow;
  narrow.dtype = DType::kFloat32;
  EXPECT_EQ(plan_of(DType::kFloat64, 10, 3, narrow).compute, DType::kFloat64);
  EXPECT_EQ(plan_of(DType::kFloat64, 10, 3, narrow).result, DType::kFloat32);
  Options wide;
  wide.dtype = DType::kFloat64;
  EXPECT_EQ(plan_of(DType::kFloat32, 10, 3, wide).compute, DType::kFloat64);
}

TEST(Plan, CountsBytesIn64Bits) {
  Options condensed;
  condensed.layout = Layout::kCondensed;
  for (const std::int64_t n : {46'341, 65'536, 65'537, 92'683, 3'000'000}) {
    EXPECT_EQ(plan_of(DType::kFloat32, n, 2).bytes_out, n * n * 4) << n;
    EXPECT_EQ(plan_of(DType::kFloat32, n, 2, condensed).bytes_out, n * (n - 1) / 2 * 4) << n;
  }
  EXPECT_EQ(condensed_size(65'537), 2'147'516'416);
  EXPECT_EQ(plan_of(DType::kFloat32, 60'000, 8, condensed).bytes_out,
            7'199'880'000);  // float32 stays float32
}

/// The code of what plan_of() throws for float32 rows.
ErrorCode refusal_of(std::int64_t n, const Options& options) {
  try {
    plan_of(DType::kFloat32, n, 3, options);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::kInternal;
}

TEST(Plan, NoSumOfBytesIsTooLargeForTheLimit) {
  Options options;
  options.memory_limit = 1'000'000;
  EXPECT_EQ(refusal_of(std::int64_t{1} << 30, options), ErrorCode::kMemory);
  options.layout = Layout::kCondensed;  // 2^63 bytes of results but 2 GiB: with the scratch 64 bits overflow
  EXPECT_EQ(refusal_of(std::int64_t{1} << 31, options), ErrorCode::kMemory);
  options.memory_limit = -1;
  EXPECT_EQ(refusal_of(3, options), ErrorCode::kOption);
}

TEST(Plan, OfNothingNeedsNoMemory) {
  Options options;
  options.memory_limit = 1;
  EXPECT_EQ(plan_of(DType::kFloat32, 0, 1'000'000'000, options).bytes_scratch, 0);
}

TEST(Plan, CondensedIndexCountsEveryPairOnce) {
  for (const std::int64_t n : {2, 3, 10, 65'537}) {
    std::int64_t want = 0;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(n, 5); ++i) {
      EXPECT_EQ(condensed_index(n, i, i + 1 < n ? i + 1 : i - 1),
                i + 1 < n ? want : condensed_index(n, i - 1, i));
      want += n - 1 - i;
    }
    EXPECT_EQ(condensed_index(n, n - 2, n - 1), condensed_size(n) - 1);
    EXPECT_EQ(condensed_index(n, n - 1, 0), n - 2);  // either order
  }
}

TEST(Plan, RefusesWhatDoesNotFitBeforeAnyWork) {
  try {
    make_plan(MatrixView::shape(DType::kFloat64, 10'000'000, 4));
    FAIL() << "800 TB were accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kMemory);
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("[plan] the job needs 800 TB and ", 0), 0u) << text;
    EXPECT_NE(text.find("; the condensed triangle takes half, dtype float32 takes half, rows can be computed "
                        "in parts, each "
                        "against all"),
              std::string::npos)
        << text;
  }
  try {
    Options matrices;
    matrices.metric = "mahalanobis";
    make_plan(MatrixView::shape(DType::kFloat64, 10, 1'000'000), matrices);
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("; most of it are matrices [d, d]: take fewer features"), std::string::npos) << text;
  }
  Options limited;
  limited.memory_limit = 1'000'000;
  EXPECT_THROW(make_plan(MatrixView::shape(DType::kFloat32, 1'000, 4), limited), Error);
  limited.memory_limit = 6'000'000;
  EXPECT_EQ(make_plan(MatrixView::shape(DType::kFloat32, 1'000, 4), limited).bytes_available, 6'000'000);
  try {
    make_plan(MatrixView::shape(DType::kFloat32, std::int64_t{1} << 32, 4));
    FAIL() << "2^64 results were accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "[plan] 4294967296 x 4294967296 results exceed 2^63 bytes; compute fewer rows at a time");
  }
}

TEST(Plan, KeepsToItsPromiseOfScratch) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    for (const char* metric : {"euclidean", "cosine", "minkowski"}) {
      for (const std::int64_t d : {1, 40, 784, 2'048, 100'000}) {
        for (const std::int64_t n : {100, 3'000, 100'000}) {
          for (const int threads : {1, 2, 16, 64, 1'024}) {
            Options options;
            options.metric = metric;
            options.threads = threads;
            if (options.metric == "minkowski") options.parameters.p = 3;
            const Plan plan = plan_of(dtype, n, d, options);
            const std::int64_t size = plan.compute == DType::kFloat32 ? 4 : 8;
            EXPECT_LE(plan.bytes_scratch, 2 * n * d * size + (std::int64_t{64} << 20))
                << metric << ' ' << n << " x " << d << ", " << plan.threads << " threads";
          }
        }
      }
    }
  }
}

TEST(Plan, LongRowsTakeFewerThreads) {
  Options options;
  options.threads = 1'024;
  const Plan plan = plan_of(DType::kFloat64, 3'000, 20'000, options);
  EXPECT_LT(plan.threads, 1'024);
  EXPECT_GT(plan.threads, 8);
  EXPECT_EQ(plan.threads_source, "as the scratch of more would outgrow the input");
}

TEST(Plan, SmallJobsMayTakeNarrowerVectors) {
  const std::string best = devices().front().targets.front();
  const bool wide = best == "avx512";
  const Plan small = plan_of(DType::kFloat32, 10, 40);
  EXPECT_EQ(small.target, wide ? "avx2" : best);
  EXPECT_EQ(small.target_source.empty(), !wide);
  EXPECT_EQ(small.explain().find("512-bit") == std::string::npos, !wide) << small.explain();
  EXPECT_EQ(plan_of(DType::kFloat32, 1'000, 40).target, best);
  EXPECT_EQ(plan_of(DType::kFloat32, 3, 200).target, best) << "several blocks of features";
  Options options;
  options.metric = "canberra";
  EXPECT_EQ(plan_of(DType::kFloat32, 10, 40, options).target, best) << "its quotients differ";
  options.metric = "euclidean";
  options.device = "cpu-" + best;
  if (devices().front().name != "cpu") return;
  EXPECT_EQ(plan_of(DType::kFloat32, 10, 40, options).target, best) << "asked for";
}

TEST(Plan, SaysWhatWillRun) {
  Options options;
  options.device = "reference";
  options.threads = 1;
  const Plan plan = plan_of(DType::kFloat32, 1'500, 40, options);
  EXPECT_EQ(plan.kernel(), "euclidean/f32/direct/reference-plain");
  Options cubes = options;
  cubes.metric = "minkowski";
  cubes.parameters.p = 3;
  EXPECT_EQ(make_plan(MatrixView::shape(DType::kFloat32, 3, 3), cubes).kernel(),
            "minkowski_integer/f32/direct/reference-plain");
  cubes.parameters.p = 2;
  EXPECT_EQ(make_plan(MatrixView::shape(DType::kFloat32, 3, 3), cubes).kernel(),
            "euclidean/f32/direct/reference-plain");
  Options products = options;
  products.metric = "inner_product";
  EXPECT_NE(make_plan(MatrixView::shape(DType::kFloat32, 3, 3), products)
                .explain()
                .find("inner_product/f32/product/reference-plain, products, blocks"),
            std::string::npos);
  if (!devices().front().targets.empty()) {
    const Plan many = make_plan(MatrixView::shape(DType::kFloat32, 3, 129));
    EXPECT_EQ(many.form, "mixed");
    EXPECT_NE(
        many.explain().find(", products, and direct differences for near pairs, blocks of 128 features"),
        std::string::npos);
    EXPECT_EQ(make_plan(MatrixView::shape(DType::kFloat32, 3, 128)).form, "direct");
  }
  // Strips: sum over 10 bands of 160 rows of 1,500 - 160 b columns = 7,800. Scratch: a packed copy of 1,500 x
  // (160 + 1) bytes, 160 packed rows of 192, three tiles of 160 x 1 and 8 mirrored columns of 160.
  EXPECT_EQ(plan.explain(),
            "distances  1,500 x 1,500, d = 40, euclidean, dense\n"
            "symmetry   only the upper triangle is computed, and stored to both sides\n"
            "dtypes     float32 in, float32 computed, float32 out\n"
            "kernel     euclidean/f32/direct/reference-plain, direct differences, blocks of 128 features\n"
            "threads    1 (asked for)\n"
            "tiles      7,800 of 160 x 1, 1,125,750 pairs computed\n"
            "memory     240 kB in, 9.0 MB out, 280 kB scratch, of 1.2 EB available\n");
}

TEST(Plan, SaysWhetherResultsAreSimilarities) {
  Options options;
  options.metric = "rbf";
  const std::string text = plan_of(DType::kFloat32, 10, 4, options).explain();
  EXPECT_EQ(text.rfind("similarities  10 x 10, d = 4, rbf, dense\nsymmetry      only ", 0), 0u) << text;
  EXPECT_EQ(text.find("distances"), std::string::npos) << text;
}

TEST(Plan, SaysWhichDevicesWerePassedOverAndWhy) {
  // Where kernels run none is passed over: the list is written by hand.
  Plan plan = plan_of(DType::kFloat32, 10, 4);
  EXPECT_EQ(plan.explain().find("passed over") == std::string::npos, plan.skipped.empty());
  plan.skipped = {{"far", "no such card"}, {"near", "too small a job"}};
  const std::string text = plan.explain();
  const std::string lines =
      "           far passed over: no such card\n"
      "           near passed over: too small a job\n"
      "threads    ";
  EXPECT_NE(text.find(lines), std::string::npos) << text;
  EXPECT_GT(text.find(lines), text.find("kernel     ")) << text;
}

TEST(Plan, RefusesRowsNoMemoryHolds) {
  for (const std::int64_t d : {std::int64_t{1} << 41, std::int64_t{1} << 57, std::int64_t{1} << 60}) {
    try {
      plan_of(DType::kFloat32, 1, d);
      FAIL() << d << " features were accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kMemory);
    }
  }
}

TEST(Plan, NamedDevicesDoNotFallBack) {
  Options options;
  options.device = "cpu-sve9";
  EXPECT_THROW(plan_of(DType::kFloat32, 10, 2, options), Error);
  options.device = "auto";
  EXPECT_FALSE(plan_of(DType::kFloat32, 10, 2, options).device.empty());
}

TEST(Plan, SharesOnlyWhatIsWorthSharing) {
  Options options;
  options.threads = 8;
  EXPECT_EQ(plan_of(DType::kFloat32, 10, 40, options).threads, 1);
  EXPECT_EQ(plan_of(DType::kFloat32, 20'000, 40, options).threads, 8);
}

}  // namespace
}  // namespace quadrance
