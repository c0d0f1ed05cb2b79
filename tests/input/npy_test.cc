// SPDX-License-Identifier: Apache-2.0
// What:  .npy files read to the values that NumPy put there and written to bytes that NumPy reads; every
// damaged or
//        hostile header is an error that names the file, and a file that fails to be written leaves nothing.
// Why:   a reader that believes the header reads out of bounds or reserves 10^18 bytes (cnpy #71, #85, #98,
// #106). Sizes: 2 x 3 of each dtype, order and version; every prefix of a good file; 9 MB to cross the write
// chunk. Golden bytes: written by NumPy 2.4.6. Out of scope: whole files of many GB; NumPy reading ours
// (tests/cli/cli_test.py where NumPy is installed).
#include "input/npy.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "input/temp_folder.h"

namespace quadrance::testing {
namespace {

using internal::Points;
using internal::read_points;
using internal::write_npy;

/// A .npy file of format major.0 with this dictionary.
std::string npy_bytes(const std::string& dictionary, const std::string& data, int major = 1) {
  std::string bytes = std::string("\x93NUMPY") + static_cast<char>(major) + '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    bytes.push_back(static_cast<char>(dictionary.size() >> (8 * i)));
  return bytes + dictionary + data;
}

std::string dictionary(const std::string& descr, const std::string& shape,
                       const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

template <class T>
std::string bytes_of(const std::vector<T>& values, bool reversed) {
  std::string bytes;
  for (const T value : values) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (reversed) std::reverse(raw, raw + sizeof(T));
    bytes.append(raw, sizeof(T));
  }
  return bytes;
}

template <class T>
T element(const MatrixView& view, std::int64_t i, std::int64_t j) {
  EXPECT_EQ(size_of(view.dtype), sizeof(T));
  T value;
  std::memcpy(&value, static_cast<const char*>(view.data) + i * view.row_stride + j * view.col_stride,
              sizeof(T));
  return value;
}

class Npy : public ::testing::Test {
 protected:
  Points read(const std::string& bytes) { return read_points(folder_.write("x.npy", bytes)); }
  ::testing::AssertionResult refuses_npy(const std::string& bytes, ErrorCode code, const std::string& problem,
                                         const std::string& hint = "") {
    return refuses([&] { read(bytes); }, code, folder_.file("x.npy"), problem, hint);
  }

  /// (2, 3) of `code` in both byte orders.
  template <class T>
  void expect_reads(const std::string& code, DType dtype, const std::vector<T>& values) {
    for (const bool reversed : {false, true}) {
      SCOPED_TRACE(code + (reversed ? " big-endian" : " little-endian"));
      const std::string order = sizeof(T) == 1 ? "|" : (reversed ? ">" : "<");
      const Points points = read(npy_bytes(dictionary(order + code, "(2, 3)"), bytes_of(values, reversed)));
      const MatrixView& view = points.view();
      ASSERT_EQ(view.dtype, dtype);
      ASSERT_EQ(view.rows, 2);
      ASSERT_EQ(view.cols, 3);
      for (int i = 0; i < 6; ++i)
        EXPECT_EQ(element<T>(view, i / 3, i % 3), values[static_cast<std::size_t>(i)]);
    }
  }

  TempFolder folder_;
};

TEST_F(Npy, EveryDtypeInBothByteOrders) {
  expect_reads<std::uint8_t>("b1", DType::kBool, {0, 1, 1, 0, 0, 1});
  expect_reads<std::int8_t>("i1", DType::kInt8, {-128, 127, 0, 1, -1, 5});
  expect_reads<std::uint8_t>("u1", DType::kUint8, {0, 255, 1, 2, 3, 4});
  expect_reads<std::int16_t>("i2", DType::kInt16, {-32768, 32767, 0, 1, -1, 5});
  expect_reads<std::uint16_t>("u2", DType::kUint16, {0, 65535, 1, 258, 3, 4});
  expect_reads<std::int32_t>("i4", DType::kInt32, {-2147483647, 2147483647, 0, 1, -1, 5});
  expect_reads<std::uint32_t>("u4", DType::kUint32, {0, 4294967295u, 1, 2, 3, 4});
  expect_reads<std::int64_t>("i8", DType::kInt64, {std::numeric_limits<std::int64_t>::min(), 7, 0, 1, -1, 5});
  expect_reads<std::uint64_t>("u8", DType::kUint64,
                              {0, std::numeric_limits<std::uint64_t>::max(), 1, 2, 3, 4});
  expect_reads<std::uint16_t>("f2", DType::kFloat16, {0x3c00, 0xc000, 0x7bff, 1, 0x7c00, 0});
  expect_reads<float>("f4", DType::kFloat32, {1.5f, -2, 3e38f, 1e-40f, 0, -0.1f});
  expect_reads<double>("f8", DType::kFloat64, {1.5, -2, 1e308, 5e-324, 0, -0.1});
}

TEST_F(Npy, GoldenFilesOfNumPy) {
  const std::string c_order = std::string("\x93NUMPY\x01\x00v\x00", 10) +
                              "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" +
                              std::string(58, ' ') + "\n" +
                              std::string("\x00\x00\xc0?\x00\x00\x00\xc0\x00\x00@@", 12) +
                              std::string("\x00\x00\x80@\x00\x00\xa0@\x00\x00\xc0@", 12);
  const Points points = read(c_order);
  const float expected[] = {1.5f, -2, 3, 4, 5, 6};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(element<float>(points.view(), i / 3, i % 3), expected[i]);

  const std::string fortran_order = std::string("\x93NUMPY\x01\x00v\x00", 10) +
                                    "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }" +
                                    std::string(59, ' ') + "\n" +
                                    std::string("\x00\x01\x00\x04\xff\xfe\x00\x05\x00\x03\x00\x06", 12);
  const Points transposed = read(fortran_order);
  const std::int16_t integers[] = {1, -2, 3, 4, 5, 6};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(element<std::int16_t>(transposed.view(), i / 3, i % 3), integers[i]);
}

TEST_F(Npy, VersionsOneToThree) {
  for (const int major : {1, 2, 3}) {
    const Points points =
        read(npy_bytes(dictionary("<f8", "(1, 2)"), bytes_of<double>({3, 4}, false), major));
    EXPECT_EQ(element<double>(points.view(), 0, 1), 4) << major;
  }
  EXPECT_TRUE(
      refuses_npy(npy_bytes(dictionary("<f8", "(1, 2)"), "", 4), ErrorCode::kIo, ".npy format 4.0", "1.0"));
}

TEST_F(Npy, HeaderInAnotherOrderAndSpelling) {
  const std::string data = bytes_of<double>({3, 4}, false);
  const Points points =
      read(npy_bytes("{ \"shape\":(2L,1L),\"fortran_order\" : True,\"descr\":\"<f8\"}", data));
  EXPECT_EQ(element<double>(points.view(), 1, 0), 4);
  // Longer than 256 bytes, where cnpy #85 stopped.
  const Points padded = read(npy_bytes(dictionary("<f8", "(2, 1)") + std::string(1000, ' ') + "\n", data));
  EXPECT_EQ(element<double>(padded.view(), 1, 0), 4);
}

TEST_F(Npy, EmptyArrays) {
  const Points no_rows = read(npy_bytes(dictionary("<f4", "(0, 5)"), ""));
  EXPECT_EQ(no_rows.view().rows, 0);
  EXPECT_EQ(no_rows.view().cols, 5);
  const Points no_features = read(npy_bytes(dictionary("<f4", "(5, 0)", "True"), ""));
  EXPECT_EQ(no_features.view().rows, 5);
}

TEST_F(Npy, RefusesDtypesThatAreNoRealNumbers) {
  const auto of = [](const std::string& descr) {
    return npy_bytes(dictionary(descr, "(1, 1)"), std::string(64, 0));
  };
  EXPECT_TRUE(refuses_npy(of("<c16"), ErrorCode::kDtype, "'<c16', complex", "x.real"));
  EXPECT_TRUE(refuses_npy(of("|O"), ErrorCode::kDtype, "Python objects", "astype"));
  EXPECT_TRUE(refuses_npy(of("<U7"), ErrorCode::kDtype, "text"));
  EXPECT_TRUE(refuses_npy(of("|S7"), ErrorCode::kDtype, "bytes"));
  EXPECT_TRUE(refuses_npy(of("<M8[ns]"), ErrorCode::kDtype, "dates", "int64"));
  EXPECT_TRUE(refuses_npy(of("<f16"), ErrorCode::kDtype, "wider than 64 bits", "float64"));
  EXPECT_TRUE(refuses_npy(of("<V2"), ErrorCode::kDtype, "raw dtype", "bfloat16"));
  EXPECT_TRUE(refuses_npy(of("<i3"), ErrorCode::kDtype, "no NumPy dtype"));
  EXPECT_TRUE(refuses_npy(of(""), ErrorCode::kDtype, "no NumPy dtype"));
  EXPECT_TRUE(refuses_npy(of("<"), ErrorCode::kDtype, "no NumPy dtype"));
  EXPECT_TRUE(refuses_npy(npy_bytes("{'descr': [('a', '<f4'), ('b', '<i4', (2,))], 'fortran_order': False, "
                                    "'shape': (2, 2), }\n",
                                    std::string(48, 0)),
                          ErrorCode::kDtype, "structured", "structured_to_unstructured"));
}

TEST_F(Npy, RefusesOtherDimensionsWithTheReshape) {
  const std::string data = bytes_of<double>({1, 2}, false);
  EXPECT_TRUE(refuses_npy(npy_bytes(dictionary("<f8", "(2,)"), data), ErrorCode::kShape, "1 dimension,",
                          "x.reshape(-1, 1)"));
  EXPECT_TRUE(refuses_npy(npy_bytes(dictionary("<f8", "()"), data), ErrorCode::kShape, "0 dimensions",
                          "a row for each point"));
  EXPECT_TRUE(refuses_npy(npy_bytes(dictionary("<f8", "(1, 2, 1)"), data), ErrorCode::kShape, "3 dimensions",
                          "x.reshape(len(x), -1)"));
}

TEST_F(Npy, RefusesSizesThatDoNotMatch) {
  const std::string six = std::string(6 * 8, 'a');
  const auto of = [&](const std::string& shape) { return npy_bytes(dictionary("<f8", shape), six); };
  EXPECT_TRUE(refuses_npy(of("(2, 4)"), ErrorCode::kIo, "64 bytes, but 48 follow", "truncated"));
  EXPECT_TRUE(refuses_npy(of("(2, 2)"), ErrorCode::kIo, "32 bytes, but 48 follow", "more than one"));
  EXPECT_TRUE(refuses_npy(of("(0, 2)"), ErrorCode::kIo, "0 bytes, but 48 follow"));
}

TEST_F(Npy, HostileSizesAreRefusedBeforeMemoryIsTaken) {
  const auto of = [](const std::string& shape) {
    return npy_bytes(dictionary("<f8", shape), std::string(48, 'a'));
  };
  EXPECT_TRUE(refuses_npy(of("(100000000000, 100000)"), ErrorCode::kIo, "but 48 follow"));
  EXPECT_TRUE(refuses_npy(of("(1000000000000000000, 1)"), ErrorCode::kIo, "but 48 follow"));
  EXPECT_TRUE(refuses_npy(of("(1000000000000000000, 6)"), ErrorCode::kIo, "beyond 2^63 bytes"));
  EXPECT_TRUE(refuses_npy(of("(4294967296, 4294967296)"), ErrorCode::kIo, "beyond 2^63 bytes"));
  // 2^61 * 2^3 * 8 is 0 modulo 2^64, and so no less than the 48 bytes there are.
  EXPECT_TRUE(refuses_npy(of("(2305843009213693952, 8)"), ErrorCode::kIo, "beyond 2^63 bytes"));
  EXPECT_TRUE(refuses_npy(of("(0, 9223372036854775807)"), ErrorCode::kIo, "beyond 2^63 bytes"));
  EXPECT_TRUE(refuses_npy(of("(9223372036854775808, 1)"), ErrorCode::kIo, "beyond 2^63"));
  EXPECT_TRUE(refuses_npy(of("(-2, -3)"), ErrorCode::kIo, "negative"));
  EXPECT_TRUE(refuses_npy(of("(-0, 3, 2)"), ErrorCode::kShape, "3 dimensions"));
}

TEST_F(Npy, RefusesMoreThanTheMemoryThatIsLeft) {
  constexpr std::int64_t kRows = std::int64_t{1} << 40;  // 8 TB of float64, none of it on the disk
  const std::string path = folder_.write("x.npy", npy_bytes(dictionary("<f8", "(1099511627776, 1)"), ""));
  const auto header = static_cast<std::int64_t>(std::filesystem::file_size(path));
  std::error_code error;
  std::filesystem::resize_file(path, static_cast<std::uintmax_t>(header + kRows * 8), error);
  if (error) GTEST_SKIP() << "no sparse files of 8 TB here: " << error.message();
  EXPECT_TRUE(refuses([&] { read_points(path); }, ErrorCode::kMemory, path, "needs 8.8 TB", "free memory"));
}

TEST_F(Npy, RefusesDamagedHeaders) {
  const auto damaged = [&](const std::string& text, const std::string& problem) {
    return refuses_npy(npy_bytes(text, std::string(48, 'a')), ErrorCode::kIo, problem, "numpy.save");
  };
  EXPECT_TRUE(damaged("", "'{' is missing"));
  EXPECT_TRUE(damaged("{}", "must name 'descr'"));
  EXPECT_TRUE(damaged("{'descr': '<f8', 'fortran_order': False, }", "must name"));
  EXPECT_TRUE(damaged("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2, 3)}", "neither True nor False"));
  EXPECT_TRUE(damaged("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 'x')}", "no tuple of integers"));
  EXPECT_TRUE(damaged("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3.5)}", "')' is missing"));
  EXPECT_TRUE(damaged("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3", "')' is missing"));
  EXPECT_TRUE(
      damaged("{'descr': '<f8', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", "'descr' twice"));
  EXPECT_TRUE(damaged("{'evil': '<f8'}", "'evil'"));
  EXPECT_TRUE(damaged("{'descr", "never closed"));
  EXPECT_TRUE(damaged("{'descr': [('a', '<f8'", "list is never closed"));
  EXPECT_TRUE(damaged("{'descr' '<f8'}", "':' is missing"));
  EXPECT_TRUE(damaged("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)} x", "text follows"));
  const std::string huge_header = std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12) + "{}";
  EXPECT_TRUE(refuses_npy(huge_header, ErrorCode::kIo, "4294967295 bytes"));
}

TEST_F(Npy, EveryPrefixOfAFileIsRefused) {
  const std::string whole = npy_bytes(dictionary("<f8", "(2, 3)"), std::string(48, 'a'));
  ASSERT_NO_THROW(read(whole));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    try {
      read(whole.substr(0, length));
      ADD_FAILURE() << "accepted " << length << " of " << whole.size() << " bytes";
    } catch (const internal::FileError& error) {
      EXPECT_EQ(error.code(), ErrorCode::kIo) << length;
    }
  }
}

TEST_F(Npy, EveryDamagedByteIsReadOrRefused) {
  const std::string whole = npy_bytes(dictionary("<f8", "(2, 3)"), std::string(48, 'a'));
  const std::size_t header = whole.size() - 48;
  for (std::size_t at = 0; at < header; ++at) {
    for (const char byte : {'\0', '\xff', '9', '\'', '(', ')', '-', 'O', ' '}) {
      std::string damaged = whole;
      damaged[at] = byte;
      try {
        const Points points = read(damaged);
        EXPECT_EQ(
            points.view().rows * points.view().cols * static_cast<std::int64_t>(size_of(points.view().dtype)),
            48);
      } catch (const internal::FileError&) {
      }
    }
  }
}

TEST_F(Npy, HeaderIsAlignedAndSaysWhatIsThere) {
  const std::string header = internal::npy_header(DType::kFloat32, 123456789012, 3, false);
  EXPECT_EQ(header.size() % 64, 0u);
  EXPECT_EQ(header.back(), '\n');
  EXPECT_EQ(header.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_NE(header.find("{'descr': '<f4', 'fortran_order': False, 'shape': (123456789012, 3), }"),
            std::string::npos);
  EXPECT_EQ(static_cast<unsigned char>(header[8]) + 256u * static_cast<unsigned char>(header[9]) + 10,
            header.size());
  EXPECT_NE(internal::npy_header(DType::kFloat64, 1, 6, true)
                .find("'<f8', 'fortran_order': False, 'shape': (6,), }"),
            std::string::npos);
}

TEST_F(Npy, WritesWhatIsReadBack) {
  const std::vector<float> values{1.5f, -2, 3, 4, 5, 6};
  write_npy(folder_.file("out.npy"), MatrixView(values.data(), 2, 3), false, false);
  const std::string bytes = folder_.read("out.npy");
  EXPECT_EQ(bytes, internal::npy_header(DType::kFloat32, 2, 3, false) + bytes_of(values, false));
  const Points points = read_points(folder_.file("out.npy"));
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(element<float>(points.view(), i / 3, i % 3), values[static_cast<std::size_t>(i)]);
  EXPECT_EQ(folder_.entries(), std::vector<std::string>{"out.npy"});
}

TEST_F(Npy, WritesAnyStrides) {
  std::vector<double> values(6 * 5);
  std::iota(values.begin(), values.end(), 0.0);
  const double* data = values.data();
  constexpr std::int64_t kSize = sizeof(double);
  const auto written = [&](const MatrixView& view) {
    write_npy(folder_.file("out.npy"), view, false, true);
    return folder_.read("out.npy").substr(
        internal::npy_header(view.dtype, view.rows, view.cols, false).size());
  };
  // A part of the rows; every second column; the transpose; reversed.
  EXPECT_EQ(written({data, DType::kFloat64, 2, 3, 5 * kSize, kSize}),
            bytes_of<double>({0, 1, 2, 5, 6, 7}, false));
  EXPECT_EQ(written({data, DType::kFloat64, 2, 3, 5 * kSize, 2 * kSize}),
            bytes_of<double>({0, 2, 4, 5, 7, 9}, false));
  EXPECT_EQ(written({data, DType::kFloat64, 3, 2, kSize, 5 * kSize}),
            bytes_of<double>({0, 5, 1, 6, 2, 7}, false));
  EXPECT_EQ(written({data + 5, DType::kFloat64, 2, 1, -5 * kSize, kSize}), bytes_of<double>({5, 0}, false));
  EXPECT_EQ(written({nullptr, DType::kFloat64, 0, 4, 4 * kSize, kSize}), "");
}

TEST_F(Npy, CondensedIsOneDimensional) {
  const std::vector<double> values{1, 2, 3};
  write_npy(folder_.file("out.npy"), MatrixView(values.data(), 1, 3), true, false);
  EXPECT_EQ(folder_.read("out.npy"),
            internal::npy_header(DType::kFloat64, 1, 3, true) + bytes_of(values, false));
  EXPECT_TRUE(refuses([&] { write_npy(folder_.file("b.npy"), MatrixView(values.data(), 3, 1), true, false); },
                      ErrorCode::kShape, folder_.file("b.npy"), "(3, 1)"));
  EXPECT_TRUE(refuses(
      [&] {
        write_npy(folder_.file("b.npy"), {values.data(), DType::kBfloat16, 1, 3, 6, 2}, true, false);
      },
      ErrorCode::kDtype, folder_.file("b.npy"), "bfloat16"));
  EXPECT_EQ(folder_.entries(), std::vector<std::string>{"out.npy"});
}

/// Cancels, or throws, at the given call.
class Stopper : public Progress {
 public:
  explicit Stopper(int at_call, bool throws = false) : at_call_(at_call), throws_(throws) {}
  bool update(std::int64_t done, std::int64_t total) override {
    EXPECT_GT(done, last_);
    EXPECT_LE(done, total);
    last_ = done;
    if (++calls != at_call_) return true;
    if (throws_) throw std::runtime_error("stop");
    return false;
  }
  int calls = 0;

 private:
  int at_call_;
  bool throws_;
  std::int64_t last_ = 0;
};

TEST_F(Npy, CancelledWriteLeavesNothing) {
  const std::vector<double> values(9 << 17);  // 9 MB: a chunk of 8 MB and a rest
  const MatrixView view(values.data(), 9, 1 << 17);
  const std::string path = folder_.file("out.npy");
  Stopper to_the_end(0);
  write_npy(path, view, false, false, &to_the_end);
  EXPECT_EQ(to_the_end.calls, 2);
  const std::string before = folder_.read("out.npy");
  for (const int call : {1, 2}) {
    Stopper stopper(call);
    try {
      write_npy(path, view, false, true, &stopper);
      ADD_FAILURE() << "not cancelled";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCancelled);
    }
  }
  Stopper thrower(1, true);
  EXPECT_THROW(write_npy(path, view, false, true, &thrower), std::runtime_error);
  EXPECT_EQ(folder_.entries(), std::vector<std::string>{"out.npy"});
  EXPECT_EQ(folder_.read("out.npy"), before);
}

}  // namespace
}  // namespace quadrance::testing
