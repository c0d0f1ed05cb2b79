// SPDX-License-Identifier: Apache-2.0
// What:  the error terms of the oracle's arithmetic, one operation at a time.
// Why:   a lost error term changes an oracle's result by less than its bound until a sum is unlucky.
// Sizes: single numbers, chosen so that each error term is known and not 0.
// Tolerances: none for exact sums and products; 2^-110 for roots, which plain x87 misses by far; 2^-105 for
//        exponentials, logarithms and angles.
// Out of scope: the distances (oracle_test.cc). A long double of 113 bits holds all digits here by itself.
#include "support/wide.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "gtest/gtest.h"

namespace quadrance::testing {
namespace {

constexpr long double kInf = std::numeric_limits<long double>::infinity();

/// a == b, however their digits are shared out between hi and lo.
bool equal(Wide a, Wide b) { return a.hi - b.hi == b.lo - a.lo; }

TEST(Wide, SumsAreExact) {
  EXPECT_TRUE(equal(exact_sum(1, 0x1p-80L), {1, 0x1p-80L}));
  EXPECT_TRUE(equal(exact_sum(0x1p-80L, -1), {-1, 0x1p-80L}));
  EXPECT_TRUE(equal(exact_sum(0x1p63L - 1, 0x1p64L - 1), {0x1.8p64L, -2}));
  EXPECT_TRUE(equal(exact_sum(1, 0x1p-80L) + exact_sum(-1, 0x1p-90L), {0x1p-80L, 0x1p-90L}));
  EXPECT_TRUE(equal(exact_sum(1, 0x1p-70L) + exact_sum(0x1p-64L, 0x1p-70L), {1, 0x1p-64L + 0x1p-69L}));
}

TEST(Wide, ProductsAreExact) {
  EXPECT_TRUE(equal(exact_product(1 + 0x1p-40L, 1 + 0x1p-40L), {1 + 0x1p-39L, 0x1p-80L}));
  EXPECT_TRUE(equal(exact_product(1 - 0x1p-33L, 1 + 0x1p-33L), {1, -0x1p-66L}));
  EXPECT_TRUE(equal(exact_product(-3 * 0x1p-1074L, 0x1p-1074L), {-3 * 0x1p-2148L, 0}));
  EXPECT_TRUE(equal(exact_sum(1, 0x1p-70L) * Wide{3, 0}, {3, 3 * 0x1p-70L}));
  EXPECT_TRUE(equal(Wide{3, 0} * exact_sum(1, 0x1p-70L), {3, 3 * 0x1p-70L}));
}

TEST(Wide, RootsHaveTwiceTheDigits) {
  for (const long double value : {2.0L, 3.0L, 0.1L, 0x1p-2147L}) {
    const Wide root = sqrt(Wide{value, 0});
    const Wide rest = root * root + Wide{-value, 0};
    EXPECT_LE(std::fabs(rest.hi), value * 0x1p-110L) << value;
  }
  EXPECT_TRUE(equal(sqrt(exact_product(1 + 0x1p-40L, 1 + 0x1p-40L)), {1 + 0x1p-40L, 0}));
  EXPECT_TRUE(equal(sqrt(Wide{0, 0}), {0, 0}));
}

// --- functions ---------------------------------------------------------------------------------------------

/// By squares: 10^k then has few roundings.
Wide power_of_10(int k) {
  if (k == 0) return {1, 0};
  const Wide half = power_of_10(k / 2);
  return k % 2 == 0 ? half * half : half * half * Wide{10, 0};
}

/// "-3.14159e-5", all its digits.
Wide decimal(const std::string& text) {
  const std::size_t e = std::min(text.find('e'), text.size());
  const int exponent = e < text.size() ? std::stoi(text.substr(e + 1)) : 0;
  Wide digits;
  int places = 0;
  for (std::size_t k = 0; k < e; ++k) {
    if (text[k] == '-') continue;
    if (text[k] == '.') {
      places = static_cast<int>(e - k) - 1;
      continue;
    }
    digits = digits * Wide{10, 0} + Wide{static_cast<long double>(text[k] - '0'), 0};
  }
  const Wide power = power_of_10(std::abs(exponent - places));
  const Wide value = exponent < places ? digits / power : digits * power;
  return text[0] == '-' ? Wide{-value.hi, -value.lo} : value;
}

/// Within 2^-105 of a value.
::testing::AssertionResult is_near(Wide got, Wide want) {
  const long double error = std::fabs((got - want).hi / want.hi);
  if (error <= 0x1p-105L) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << got.hi << " is off " << want.hi << " by " << error;
}

TEST(Wide, DecimalsHaveAllTheirDigits) {
  EXPECT_TRUE(equal(decimal("-2.5e1"), {-25, 0}));
  EXPECT_TRUE(is_near(decimal("1.00000000000000000000000000000078886090522101"), {1, 0x1p-100L}));
  EXPECT_TRUE(is_near(kPi, decimal("3.14159265358979323846264338327950288419716940")));
}

// Arguments are float64, digits from mpmath 1.4 at 4000 bits. 0x1.6ac5b262ca1ffp849 is the float64 that lies
// nearest to a multiple of pi / 2 (Muller et al., "Handbook of Floating-Point Arithmetic").
TEST(Wide, FunctionsHaveTheirKnownDigits) {
  struct Known {
    Wide (*function)(Wide);
    double argument;
    const char* value;
  };
  constexpr Known kKnown[] = {
      {exp, 1, "2.71828182845904523536028747135266249775724709"},
      {exp, -1, "3.67879441171442321595523770161460867445811131e-1"},
      {exp, 0.1, "1.10517091807564763094663882345877965774166342"},
      {exp, -0.7, "4.96585303791409536757617611785564938634236163e-1"},
      {exp, 0x1p-70, "1.00000000000000000000084703294725430033906868"},
      {exp, -30.25, "7.28772409581969241934317748697794594892994924e-14"},
      {exp, 700.5, "1.67218596206749855724103607930212031114494226e+304"},
      {exp, -11000, "5.76366942916818369627282296096127015174830079e-4778"},
      {exp, 11000, "1.73500581927773850963842507734964184695357397e+4777"},
      {log, 2, "6.93147180559945309417232121458176568075500134e-1"},
      {log, 3, "1.09861228866810969139524523692252570464749056"},
      {log, 0.1, "-2.30258509299404562850684022342653872716347359"},
      {log, 0x1.0000000000001p0, "2.22044604925031283432823045461548792598233181e-16"},
      {log, 0x1.fffffffffffffp-1, "-1.11022302462515660205338988848237217180973272e-16"},
      {log, 0.7, "-3.56674943938732442353954404107274514571809071e-1"},
      {log, 1e300, "6.90775527898213705257902196660513681150659990e+2"},
      {log, 5e-324, "-7.44440071921381262314107298446081634113087144e+2"},
      {sin, 0.1, "9.98334166468281578301968678586166677359655721e-2"},
      {sin, 0.75, "6.81638760023334166733241952779893935338382395e-1"},
      {sin, -1, "-8.41470984807896506652502321630298999622563061e-1"},
      {sin, 1.5, "9.97494986604054430941723371141487322706651426e-1"},
      {sin, 2, "9.09297426825681695396019865911744842702254971e-1"},
      {sin, 3.141592653589793, "1.22464679914735317722606593227499799708305390e-16"},
      {sin, 4, "-7.56802495307928251372639094511829094135912887e-1"},
      {sin, -5.5, "7.05540325570391906231919175522070078847290282e-1"},
      {sin, 100, "-5.06365641109758793656557610459785432065032721e-1"},
      {sin, 1e9, "5.45843449448699564244387270897514528995022930e-1"},
      {sin, 1e22, "-8.52200849767188801772705893753029368261762150e-1"},
      {sin, 1.7976931348623157e308, "4.96195478918406179050267119707470575076469996e-3"},
      {sin, 0x1.6ac5b262ca1ffp849, "9.99999999999999999999999999999999999890152378e-1"},
      {sin, 0x1p-500, "3.05493636349960468205197939321361769978940274e-151"},
      {cos, 0.1, "9.95004165278025765541375198862345256348080084e-1"},
      {cos, 0.75, "7.31688868873820886311838753000084543840541276e-1"},
      {cos, -1, "5.40302305868139717400936607442976603732310421e-1"},
      {cos, 1.5, "7.07372016677029100881898514342687090850910276e-2"},
      {cos, 2, "-4.16146836547142386997568229500762189766000771e-1"},
      {cos, 3.141592653589793, "-9.99999999999999999999999999999992501201086691e-1"},
      {cos, 4, "-6.53643620863611914639168183097750381424133597e-1"},
      {cos, -5.5, "7.08669774291260000027421181325843734987758393e-1"},
      {cos, 100, "8.62318872287683934101938513950842535510084009e-1"},
      {cos, 1e9, "8.37887181363902334389775643551572356059576948e-1"},
      {cos, 1e22, "5.23214785395138945497594473384709492140919972e-1"},
      {cos, 1.7976931348623157e308, "-9.99987689426559937464870066306934395140613514e-1"},
      {cos, 0x1.6ac5b262ca1ffp849, "-4.68716592425462761112258280196388439877791472e-19"},
      {cos, 0x1p-500, "1.00000000000000000000000000000000000000000000"},
  };
  for (const auto& [function, argument, value] : kKnown)
    EXPECT_TRUE(is_near(function(Wide{argument, 0}), decimal(value))) << argument << ' ' << value;
}

TEST(Wide, AnglesHaveTheirKnownDigits) {
  struct Known {
    double y;
    double x;
    const char* angle;
  };
  constexpr Known kKnown[] = {
      {1, 1, "7.85398163397448309615660845819875721049292350e-1"},
      {1, -1, "2.35619449019234492884698253745962716314787705"},
      {0.1, 3, "3.33209958782471990044658100399675431949591931e-2"},
      {1, 0, "1.57079632679489661923132169163975144209858470"},
      {0x1p-60, -1, "3.14159265358979323759528164529109933699120716"},
      {0x1p-900, 1, "1.18305218616677471097275159751802653165218218e-271"},
      {1, 1e-300, "1.57079632679489661923132169163975144209858470"},
      {3, -4, "2.49809154479650885165983415456218024615565881"},
      {1e-20, 0.7, "1.42857142857142858370655306725094317312696573e-20"},
  };
  for (const auto& [y, x, angle] : kKnown)
    EXPECT_TRUE(is_near(atan2(Wide{y, 0}, Wide{x, 0}), decimal(angle))) << y << ' ' << x;
  EXPECT_TRUE(equal(atan2(Wide{0, 0}, Wide{1, 0}), {0, 0}));
  EXPECT_TRUE(equal(atan2(Wide{0, 0}, Wide{0, 0}), {0, 0}));
  EXPECT_TRUE(is_near(atan2(Wide{0, 0}, Wide{-1, 0}), kPi));
}

TEST(Wide, FunctionsUndoEachOther) {
  for (long double value = -40; value < 40; value += 0.37L) {
    const Wide a = exact_sum(value, value * 0x1p-70L);
    EXPECT_TRUE(is_near(log(exp(a)), a)) << value;
    EXPECT_TRUE(is_near(exp(a) * exp(Wide{-a.hi, -a.lo}), {1, 0})) << value;
    EXPECT_TRUE(is_near(sin(a) * sin(a) + cos(a) * cos(a), {1, 0})) << value;
    EXPECT_TRUE(is_near(sin(a + a), Wide{2, 0} * sin(a) * cos(a))) << value;
    const Wide turn = abs(exact_sum(std::remainder(value, 6.0L), 0x1p-70L));
    EXPECT_TRUE(is_near(atan2(sin(turn), cos(turn)), turn)) << value;
  }
}

// Both parts of the argument count: e^(1/3), log(4/3) and sin(1/3) from mpmath.
TEST(Wide, FunctionsTakeTheErrorTermOfTheirArgument) {
  const Wide third = Wide{1, 0} / Wide{3, 0};
  EXPECT_TRUE(is_near(exp(third), decimal("1.39561242508608952862812531960258683759790652")));
  EXPECT_TRUE(is_near(log(Wide{1, 0} + third), decimal("2.87682072451780927439219005993827431503509711e-1")));
  EXPECT_TRUE(is_near(sin(third), decimal("3.27194696796152244173344085267620606064301407e-1")));
}

TEST(Wide, FunctionsAtTheEndsOfTheirRange) {
  EXPECT_TRUE(equal(exp(Wide{0, 0}), {1, 0}));
  EXPECT_TRUE(equal(log(Wide{1, 0}), {0, 0}));
  EXPECT_TRUE(equal(sin(Wide{0, 0}), {0, 0}));
  EXPECT_TRUE(equal(cos(Wide{0, 0}), {1, 0}));
  for (const long double large : {20'000.0L, 1e300L, kInf}) {
    EXPECT_EQ(exp(Wide{large, 0}).hi, kInf);
    EXPECT_EQ(exp(Wide{-large, 0}).rounded(), 0);
  }
  EXPECT_EQ(log(Wide{kInf, 0}).rounded(), kInf);
  EXPECT_EQ(log(Wide{0, 0}).rounded(), -kInf);
  EXPECT_TRUE(std::isnan(log(Wide{-1, 0}).rounded()));
  for (const long double none : {kInf, -kInf, std::numeric_limits<long double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(sin(Wide{none, 0}).rounded()));
    EXPECT_TRUE(std::isnan(cos(Wide{none, 0}).rounded()));
  }
  EXPECT_TRUE(std::isnan(exp(Wide{std::numeric_limits<long double>::quiet_NaN(), 0}).rounded()));
}

TEST(Wide, InfHasNoErrorTerm) {
  const Wide infinite{kInf, 0};
  for (const Wide result : {exact_sum(kInf, 1), exact_product(-kInf, -2), infinite + Wide{1, 0},
                            infinite * infinite, sqrt(infinite)}) {
    EXPECT_EQ(result.hi, kInf);
    EXPECT_EQ(result.lo, 0);
    EXPECT_EQ(result.rounded(), kInf);
  }
}

}  // namespace
}  // namespace quadrance::testing
