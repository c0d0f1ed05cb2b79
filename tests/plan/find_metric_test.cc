// SPDX-License-Identifier: Apache-2.0
// Names people know from SciPy and scikit-learn resolve; a wrong one is answered with the nearest right one.
#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "quadrance/error.h"
#include "quadrance/metric.h"

namespace quadrance {
namespace {

TEST(FindMetric, KnowsSciPysNamesAndAliases) {
  // scipy.spatial.distance._METRIC_INFOS of SciPy 1.17, the real-valued ones, and what other libraries call
  // them.
  const std::pair<const char*, std::vector<const char*>> names[] = {
      {"euclidean", {"e", "eu", "euclid", "euclidean", "l2", "Euclidean"}},
      {"sqeuclidean", {"sqe", "sqeuclid", "sqeuclidean"}},
      {"cityblock", {"c", "cb", "cblock", "cityblock", "manhattan", "l1"}},
      {"chebyshev", {"ch", "cheb", "cheby", "chebychev", "chebyshev", "linf", "infinity"}},
      {"minkowski", {"m", "mi", "minkowski", "pnorm"}},
      {"canberra", {"canberra"}},
      {"braycurtis", {"braycurtis"}},
      {"seuclidean", {"s", "se", "seuclidean"}},
      {"mahalanobis", {"mah", "mahal", "mahalanobis"}},
      {"cosine", {"cos", "cosine"}},
      {"correlation", {"co", "correlation"}},
      {"nan_euclidean", {"nan_euclidean"}},
      {"haversine", {"haversine"}},
      {"rbf", {"rbf", "gaussian"}},
      {"polynomial", {"polynomial", "poly"}},
  };
  for (const auto& [metric, aliases] : names) {
    for (const char* alias : aliases) EXPECT_EQ(find_metric(alias).name(), metric) << alias;
  }
}

TEST(FindMetric, RefusesWMinkowskiWithTheWayOut) {
  try {
    find_metric("wminkowski");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("use minkowski with the weights w**p"), std::string::npos)
        << error.what();
  }
}

TEST(FindMetric, RefusesSciPysPythonForms) {
  try {
    find_metric("test_Cosine");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "[metric] there is no 'test_cosine': with test_ before a name SciPy runs its slower Python "
                 "form; use 'cosine'");
  }
}

TEST(FindMetric, SuggestsTheNearestName) {
  try {
    find_metric("sqeuclidian");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kMetric);
    EXPECT_STREQ(error.what(), "[metric] there is no metric 'sqeuclidian'; did you mean 'sqeuclidean'?");
  }
  try {
    find_metric("mink");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "[metric] there is no metric 'mink'; did you mean 'minkowski'?");
  }
  try {
    find_metric("sigmoid");
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(
        std::string_view(error.what())
            .starts_with("[metric] there is no metric 'sigmoid'; metrics are euclidean, sqeuclidean, "))
        << error.what();
  }
  EXPECT_THROW(find_metric(""), Error);
  EXPECT_THROW(find_metric("euclidean l2"), Error);
}

TEST(FindSimilarity, NamesWhatThereIs) {
  EXPECT_EQ(find_similarity("RBF").name(), "rbf");
  for (const auto& [name, what] : {std::pair{"linear", "there is no similarity 'linear'"},
                                   std::pair{"l2", "euclidean is a distance, not a similarity"}}) {
    try {
      find_similarity(name);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kMetric);
      EXPECT_EQ(std::string(error.what()),
                std::string("[metric] ") + what + "; similarities are rbf, laplacian, polynomial");
    }
  }
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
