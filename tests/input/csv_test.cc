// SPDX-License-Identifier: Apache-2.0
// What:  every rule of csv.h: separators, header, label column, quotes, line ends, missing values; numbers
// correctly
//        rounded under any locale; errors at their line and column.
// Why:   a decimal comma or a text column read as something else gives distances that look right.
// Values: literals of the compiler, which rounds them correctly; the Landsat file's from its own first and
// last lines. Out of scope: speed; files larger than memory.
#include "input/csv.h"

#include <clocale>
#include <cmath>
#include <limits>

#include "input/temp_folder.h"

#ifndef QUADRANCE_SOURCE_DIR
#define QUADRANCE_SOURCE_DIR "."
#endif

namespace quadrance::testing {
namespace {

using internal::Points;
using internal::read_points;

using Rows = std::vector<std::vector<double>>;
using Names = std::vector<std::string>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Rows rows_of(const MatrixView& view) {
  EXPECT_EQ(view.dtype, DType::kFloat64);
  Rows rows(static_cast<std::size_t>(view.rows));
  const auto* at = static_cast<const double*>(view.data);
  for (auto& row : rows) {
    row.assign(at, at + view.cols);
    at += view.cols;
  }
  return rows;
}

class Csv : public ::testing::Test {
 protected:
  Points read(const std::string& text) { return read_points(folder_.write("x.csv", text)); }
  Rows rows(const std::string& text) { return rows_of(read(text).view()); }
  double number(const std::string& field) { return rows("0," + field + "\n")[0][1]; }

  /// place: ":line:column", ":line", or nothing.
  ::testing::AssertionResult refuses_csv(const std::string& text, const std::string& place,
                                         const std::string& problem, const std::string& hint = "",
                                         ErrorCode code = ErrorCode::kIo) {
    return refuses([&] { read(text); }, code, folder_.file("x.csv") + place, problem, hint);
  }

  TempFolder folder_;
};

TEST_F(Csv, PlainTable) {
  const Points points = read("1,2\n3,4\n5,6\n");
  EXPECT_EQ(rows_of(points.view()), (Rows{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_TRUE(points.names.empty());
  EXPECT_FALSE(points.labels.has_value());
}

TEST_F(Csv, LastLineNeedsNoEnd) {
  EXPECT_EQ(rows("1,2\n3,4"), (Rows{{1, 2}, {3, 4}}));
  EXPECT_EQ(rows("1,2"), (Rows{{1, 2}}));
  EXPECT_EQ(rows("7"), (Rows{{7}}));
}

TEST_F(Csv, SeparatorIsFoundInTheFirstLine) {
  EXPECT_EQ(rows("1\t2\n3\t4\n"), (Rows{{1, 2}, {3, 4}}));
  EXPECT_EQ(rows("1;2\n3;4\n"), (Rows{{1, 2}, {3, 4}}));
  EXPECT_EQ(rows("\"a;b\tc\",d\n3,4\n"), (Rows{{3, 4}}));
  EXPECT_EQ(rows("3.5\" disk,d,e\n3,4,\"u;v\"\n"), (Rows{{3, 4}})) << "only the first line counts";
}

TEST_F(Csv, HeaderIsTextOverNumbers) {
  const Points points = read("a, b ,c\n1,2,3\n4,5,6\n");
  EXPECT_EQ(points.names, (Names{"a", "b", "c"}));
  EXPECT_EQ(rows_of(points.view()), (Rows{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(read("1990,b\n1,2\n").names, (Names{"1990", "b"})) << "one text suffices";
  EXPECT_EQ(read(",b\n1,2\n").names, (Names{"", "b"})) << "pandas' index column has no name";
  EXPECT_TRUE(read("nan,inf\n1,2\n").names.empty()) << "these are numbers";
  EXPECT_TRUE(read(",\n1,2\n").names.empty()) << "and these are missing";
}

TEST_F(Csv, MissingValuesHaveManyNames) {
  const Points points = read("5.1,NA,a\n4.9,3.0,b\n?,-,c\nnull,7,d\n");
  const Rows rows = rows_of(points.view());
  ASSERT_EQ(rows.size(), 4u) << "line 1 is a point";
  EXPECT_TRUE(std::isnan(rows[0][1]) && std::isnan(rows[2][0]) && std::isnan(rows[2][1]));
  EXPECT_TRUE(std::isnan(rows[3][0]));
  EXPECT_EQ(rows[1], (std::vector<double>{4.9, 3}));
  EXPECT_EQ(points.labels->values, (Names{"a", "b", "c", "d"}));
  ASSERT_EQ(points.notes.size(), 1u);
  EXPECT_NE(points.notes[0].find("4 values are missing and count as NaN, the first at "), std::string::npos);
  EXPECT_NE(points.notes[0].find(":1:5, column 2"), std::string::npos) << points.notes[0];
}

TEST_F(Csv, HeaderWithNumbersIsSaid) {
  const Points points = read("5.1,1.0.0,a\n4.9,3.0,b\n");
  EXPECT_EQ(points.view().rows, 1);
  ASSERT_EQ(points.notes.size(), 1u);
  EXPECT_EQ(points.notes[0],
            "line 1 is taken for the header, though it holds numbers: it has text in column 2 ('1.0.0'), a "
            "column of numbers");
  EXPECT_TRUE(read("a,b\n1,2\n").notes.empty());
}

TEST_F(Csv, WhatIsNoTextIsRefused) {
  EXPECT_ANY_THROW(read("a\rb\r1\r2\r"));
  EXPECT_ANY_THROW(read(std::string("\0\1\n", 3)));
  EXPECT_EQ(rows("1\r\n2\r\n"), (Rows{{1}, {2}}));
}

TEST_F(Csv, IntegersBeyondFloat64sDigitsAreRefused) {
  EXPECT_EQ(rows("9007199254740992,-9007199254740992\n"), (Rows{{0x1p53, -0x1p53}}));
  EXPECT_EQ(rows("9007199254740993.0,1e300\n"), (Rows{{0x1p53, 1e300}})) << "a decimal point rounds";
  for (const char* text : {"1,9007199254740993\n", "1,-9007199254740993\n", "1,123456789012345678901\n"})
    EXPECT_ANY_THROW(read(text)) << text;
}

TEST_F(Csv, OnlyLineIsAHeaderIfItHasNoNumber) {
  const Points header = read("a,b\n");
  EXPECT_EQ(header.names, (Names{"a", "b"}));
  EXPECT_EQ(header.view().rows, 0);
  EXPECT_EQ(header.view().cols, 2);
  const Points point = read("1,2,setosa\n");
  EXPECT_EQ(rows_of(point.view()), (Rows{{1, 2}}));
  EXPECT_EQ(point.labels->values, (Names{"setosa"}));
}

TEST_F(Csv, LabelColumnIsSetAside) {
  const Points points = read("x,class,y\n1,grey soil,2\n3,\"red, wet\",4\n5,,6\n");
  EXPECT_EQ(rows_of(points.view()), (Rows{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(points.names, (Names{"x", "y"}));
  ASSERT_TRUE(points.labels.has_value());
  EXPECT_EQ(points.labels->name, "class");
  EXPECT_EQ(points.labels->number, 2);
  EXPECT_EQ(points.labels->values, (Names{"grey soil", "red, wet", ""}));

  const Points unnamed = read("a,1\nb,2\n");
  EXPECT_EQ(unnamed.labels->name, "");
  EXPECT_EQ(unnamed.labels->number, 1);
  EXPECT_EQ(unnamed.labels->values, (Names{"a", "b"}));
}

TEST_F(Csv, LabelsMayLookLikeNumbersBelowTheSample) {
  std::string text;
  for (int i = 0; i < 70; ++i) text += "name,1\n";
  const Points points = read(text + "17,1\n");
  EXPECT_EQ(points.labels->values.back(), "17");
}

TEST_F(Csv, WhatPandasWritesUnaskedIsNoted) {
  const auto notes = [&](const std::string& text) { return read(text).notes; };
  ASSERT_EQ(notes("0,1,2\n5,6,7\n").size(), 1u);
  EXPECT_NE(notes("0,1,2\n5,6,7\n")[0].find("line 1 counts 0, 1, 2"), std::string::npos);
  ASSERT_EQ(notes(",0,1\n0,6,7\n").size(), 2u);
  EXPECT_NE(notes(",0,1\n0,6,7\n")[1].find("1 value is missing"), std::string::npos);
  ASSERT_EQ(notes(",a,b\n0,6,7\n").size(), 1u);
  EXPECT_NE(notes(",a,b\n0,6,7\n")[0].find("column 1 has no name"), std::string::npos);
  EXPECT_TRUE(notes(",a,b\nx,6,7\n").empty()) << "labels";
  EXPECT_TRUE(notes("0,1,3\n5,6,7\n").empty());
  EXPECT_TRUE(notes("0\n5\n").empty());
}

TEST_F(Csv, TwoTextColumnsAreNamed) {
  EXPECT_TRUE(refuses_csv("x,class,site\n1,a,b\n2,c,d\n", "",
                          "2 columns hold text: column 2 ('class'), column 3 ('site')", "at most one",
                          ErrorCode::kDtype));
  EXPECT_TRUE(refuses_csv("1,a,b\n2,c,d\n", "", "column 2, column 3", "", ErrorCode::kDtype));
  EXPECT_TRUE(refuses_csv("1,a,a,a,a,a,a,a\n", "",
                          "7 columns hold text: column 2, column 3, column 4, column 5, "
                          "column 6 and more",
                          "", ErrorCode::kDtype));
}

TEST_F(Csv, TableWithoutNumbersIsRefused) {
  EXPECT_TRUE(refuses_csv("a\nb\n", "", "no column of numbers", "at least one", ErrorCode::kDtype));
  EXPECT_TRUE(
      refuses_csv("1.5 2.5\n3.5 4.5\n", "", "no column of numbers", "not by blanks", ErrorCode::kDtype));
}

TEST_F(Csv, MissingAndSpecialValues) {
  const Rows table = rows("1,,nan\nNaN,inf,-inf\n,Infinity,\"\"\n");
  EXPECT_EQ(table[0][0], 1);
  EXPECT_TRUE(std::isnan(table[0][1]));
  EXPECT_TRUE(std::isnan(table[0][2]));
  EXPECT_TRUE(std::isnan(table[1][0]));
  EXPECT_EQ(table[1][1], kInf);
  EXPECT_EQ(table[1][2], -kInf);
  EXPECT_TRUE(std::isnan(table[2][0]));
  EXPECT_EQ(table[2][1], kInf);
  EXPECT_TRUE(std::isnan(table[2][2]));
}

TEST_F(Csv, NumbersAreCorrectlyRounded) {
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number("-1.7976931348623157e308"), -1.7976931348623157e308);
  EXPECT_EQ(number("2.2250738585072011e-308"), 2.2250738585072011e-308);
  EXPECT_EQ(number("5e-324"), 5e-324);
  EXPECT_EQ(number("9007199254740993.00000000000000000000000000000000000000001"), 9007199254740994.0);
  EXPECT_EQ(number("+1.5E+3"), 1500);
  EXPECT_EQ(number(".5"), 0.5);
  EXPECT_EQ(number("5."), 5);
  EXPECT_EQ(number("  7  "), 7);
  EXPECT_EQ(rows("1,2\n3, 7\t\n")[1][1], 7) << "a tab below the first line is a blank";
  EXPECT_EQ(number("\" 7 \""), 7);
}

TEST_F(Csv, TooSmallIsZeroAndTooLargeIsAnError) {
  EXPECT_EQ(number("1e-400"), 0);
  EXPECT_TRUE(std::signbit(number("-1e-400")));
  EXPECT_EQ(number("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(number("1e-99999999999999999999"), 0);
  EXPECT_EQ(number("0e99999999999999999999"), 0);
  EXPECT_EQ(number("0." + std::string(400, '0') + "1e401"), 1);
  for (const std::string& field : {std::string("1e400"), std::string("-1e400"), "1" + std::string(400, '0'),
                                   "1" + std::string(800, '0') + "e-400", "0.001e" + std::string("500"),
                                   std::string("1e+99999999999999999999")}) {
    EXPECT_TRUE(
        refuses_csv("1," + field + "\n", ":1:3", "beyond the range of float64", "scale", ErrorCode::kDtype));
  }
}

TEST_F(Csv, LocaleDoesNotMatter) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  const bool comma = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  const double value = number("3.14");
  const bool refused = bool(refuses_csv("1;3,14\n2;2\n", ":1:3", "column 2 holds '3,14'", "decimal point"));
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(value, 3.14);
  EXPECT_TRUE(refused);
  if (!comma) GTEST_SKIP() << "passed, but de_DE.UTF-8 is not installed";
}

TEST_F(Csv, DecimalCommasAreNoLabels) {
  const std::string hint = "with a decimal point";
  EXPECT_TRUE(refuses_csv("x;y\n1;3,14\n2;2,71\n", ":2:3", "column 2 ('y') holds '3,14'", hint));
  EXPECT_TRUE(refuses_csv("1,5;3,14\n2,5;2,71\n", ":1:1", "'1,5'", hint));
  EXPECT_TRUE(refuses_csv("1,\"3,14\"\n2,\"-2,71e3\"\n", ":1:3", "'3,14'", hint));
  EXPECT_EQ(read("1;Paris, France\n2;1,2,3\n").labels->number, 2);
}

TEST_F(Csv, NotANumberIsShownAtItsPlace) {
  EXPECT_TRUE(
      refuses_csv("a,b\n1,2\n3,x4\n", ":3:3", "column 2 ('b') holds 'x4', not a number", "write NA or nan"));
  EXPECT_TRUE(refuses_csv("1,2\n3, na\n", ":2:3", "column 2 holds ' na'"));
  EXPECT_TRUE(refuses_csv("1,2\n0x10,2\n", ":2:1", "'0x10'"));
  EXPECT_TRUE(refuses_csv("1,2\n1.2.3,2\n", ":2:1", "'1.2.3'"));
  EXPECT_TRUE(refuses_csv("1,2\n1e,2\n", ":2:1", "'1e'"));
  EXPECT_TRUE(refuses_csv("1,2\n+-1,2\n", ":2:1", "'+-1'"));
  EXPECT_TRUE(refuses_csv("1,2\n+,2\n", ":2:1", "'+'"));
  EXPECT_TRUE(refuses_csv("1,2\n3,4 5\n", ":2:3", "'4 5'"));
  EXPECT_TRUE(refuses_csv("1,2\n\"3\na\",4\n", ":2:1", "'3\\x0aa'"));
  EXPECT_TRUE(
      refuses_csv("1,2\n3," + std::string(50, 'z') + "\n", ":2:3", "'" + std::string(40, 'z') + "...'"));
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "1,2\n";
  EXPECT_TRUE(refuses_csv(text + "1,oops\n", ":1001:3", "'oops'"));
}

TEST_F(Csv, RaggedLinesAreNamed) {
  EXPECT_TRUE(refuses_csv("1,2,3\n4,5\n", ":2", "has 2 fields, line 1 has 3", "separator is the comma"));
  EXPECT_TRUE(refuses_csv("1;2;3\n4;5;6;7\n", ":2", "has 4 fields, line 1 has 3", "semicolon"));
  EXPECT_TRUE(refuses_csv("1,2\n3\n", ":2", "has 1 field, line 1 has 2"));
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "1,2\n";
  EXPECT_TRUE(refuses_csv(text + "1,2,3\n", ":1001", "has 3 fields"));
  EXPECT_TRUE(refuses_csv(text + "1", ":1001", "has 1 field"));
}

TEST_F(Csv, LineCutShortStaysInBounds) {
  // Every end of a table, in particular in mid-record after the last whole one: read or refused, nothing
  // else.
  const std::string text = "1,2,3,4\n5,6,7,8\n9,10,11,12\n";
  for (std::size_t length = 1; length < text.size(); ++length) {
    try {
      read(text.substr(0, length));
    } catch (const internal::FileError& error) {
      EXPECT_EQ(error.code(), ErrorCode::kIo) << length;
    }
  }
}

TEST_F(Csv, BlankLines) {
  EXPECT_EQ(rows("1,2\n\n\r\n  \n"), (Rows{{1, 2}}));
  EXPECT_EQ(rows("1\n2\n\n"), (Rows{{1}, {2}}));
  EXPECT_TRUE(refuses_csv("1,2\n\n\n3,4\n", ":2", "is blank, but more lines follow", "nan"));
  EXPECT_TRUE(refuses_csv("1\n\n2\n", ":2", "is blank"));
  EXPECT_TRUE(refuses_csv("\n1,2\n", ":1", "is blank"));
  EXPECT_EQ(rows("1\t2\n\t\n").size(), 2u) << "a line of separators is a record";
}

TEST_F(Csv, LineEndsAndByteOrderMark) {
  EXPECT_EQ(rows("1,2\r\n3,4\r\n"), (Rows{{1, 2}, {3, 4}}));
  EXPECT_EQ(rows("1,2\r\n3,4\r"), (Rows{{1, 2}, {3, 4}}));
  const Points marked = read(
      "\xef\xbb\xbf"
      "a,b\r\n1,2\r\n");
  EXPECT_EQ(marked.names, (Names{"a", "b"}));
  EXPECT_TRUE(refuses_csv(std::string("\xff\xfe"
                                      "1\0,\0",
                                      6),
                          "", "UTF-16", "UTF-8"));
}

TEST_F(Csv, QuotedFields) {
  const Points points = read("\"a, \"\"b\"\"\",\"line\nbreak\"\n\"1\",\"2\"\n3,4\n");
  EXPECT_EQ(points.names, (Names{"a, \"b\"", "line\nbreak"}));
  EXPECT_EQ(rows_of(points.view()), (Rows{{1, 2}, {3, 4}}));
  EXPECT_TRUE(refuses_csv("1,\"a\nb\"\n2,\"c\n", ":3:3", "never closes"));
  EXPECT_TRUE(refuses_csv("1,2\n3,\"4\"5\n", ":2:3", "after the closing quote", "twice"));
  EXPECT_TRUE(refuses_csv("1,2\n3,\"", ":2:3", "never closes"));
  // Lines are counted as an editor does.
  EXPECT_TRUE(refuses_csv("\"a\nb\",c\n1,2\n3,x\n", ":4:3", "'x'"));
}

TEST_F(Csv, EmptyFiles) {
  for (const char* text : {"", "\n", " \r\n\n", "\xef\xbb\xbf"}) {
    EXPECT_TRUE(refuses_csv(text, "", "holds no line of fields", "at least one row"));
  }
}

TEST_F(Csv, LandsatSatellite) {
  const std::string path = std::string(QUADRANCE_SOURCE_DIR) + "/examples/data/landsat-satellite.csv";
  const Points points = read_points(path);
  EXPECT_EQ(points.view().rows, 6435);
  EXPECT_EQ(points.view().cols, 36);
  EXPECT_EQ(points.names.front(), "x.1");
  EXPECT_EQ(points.names.back(), "x.36");
  EXPECT_EQ(points.labels->name, "classes");
  EXPECT_EQ(points.labels->number, 37);
  EXPECT_EQ(points.labels->values.size(), 6435u);
  EXPECT_EQ(points.labels->values.front(), "grey soil");
  const Rows table = rows_of(points.view());
  EXPECT_EQ(table.front()[0], 92);
  EXPECT_EQ(table.front()[35], 87);
  double sum = 0;
  for (const auto& row : table) {
    for (const double value : row) {
      EXPECT_GE(value, 27);
      EXPECT_LE(value, 157);
      sum += value;
    }
  }
  EXPECT_EQ(sum, 19337086) << "as Python's csv module adds them";
}

}  // namespace
}  // namespace quadrance::testing
