// SPDX-License-Identifier: Apache-2.0
// Names people know from SciPy and scikit-learn resolve; a wrong one is answered with the nearest right one.
#include <set>

#include "gtest/gtest.h"
#include "quadrance/error.h"
#include "quadrance/metric.h"

namespace quadrance {
namespace {

TEST(FindMetric, KnowsSciPysNamesAndAliases) {
  for (const char* name : {"euclidean", "e", "eu", "euclid", "l2", "Euclidean"}) {
    EXPECT_EQ(find_metric(name).name(), "euclidean") << name;
  }
  for (const char* name : {"sqeuclidean", "sqe", "sqeuclid"})
    EXPECT_EQ(find_metric(name).name(), "sqeuclidean");
}

TEST(FindMetric, SuggestsTheNearestName) {
  try {
    find_metric("sqeuclidian");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kMetric);
    EXPECT_STREQ(error.what(), "[metric] there is no metric 'sqeuclidian'; did you mean 'sqeuclidean'?");
  }
  EXPECT_THROW(find_metric(""), Error);
  EXPECT_THROW(find_metric("euclidean l2"), Error);
}

TEST(Metrics, NamesAreUniqueAndEveryFieldIsFilled) {
  std::set<std::string_view> names;
  for (const MetricInfo& metric : metrics()) {
    EXPECT_TRUE(names.insert(metric.name()).second) << metric.name();
    for (const std::string_view alias : metric.aliases()) EXPECT_TRUE(names.insert(alias).second) << alias;
    for (const std::string_view field : {metric.formula, metric.source, metric.accuracy, metric.edges}) {
      EXPECT_FALSE(field.empty()) << metric.name();
    }
  }
}

}  // namespace
}  // namespace quadrance
