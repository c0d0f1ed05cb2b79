// SPDX-License-Identifier: Apache-2.0
#include "input/npy.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "input/output_file.h"
#include "messages.h"

namespace quadrance::internal {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;
// NumPy itself reads no header above 10,000 characters unless it is told to trust the file.
constexpr std::uint32_t kMaxHeader = 1 << 16;
// A cancelled write stops within one of these.
constexpr std::int64_t kWriteChunk = std::int64_t{8} << 20;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

struct TypeCode {
  std::string_view code;  // NumPy's, after the byte order
  DType dtype;
};

constexpr TypeCode kTypeCodes[] = {
    {"b1", DType::kBool},   {"i1", DType::kInt8},    {"u1", DType::kUint8},   {"i2", DType::kInt16},
    {"u2", DType::kUint16}, {"i4", DType::kInt32},   {"u4", DType::kUint32},  {"i8", DType::kInt64},
    {"u8", DType::kUint64}, {"f2", DType::kFloat16}, {"f4", DType::kFloat32}, {"f8", DType::kFloat64},
};

struct RefusedType {
  char kind;
  std::string_view name;
  std::string_view hint;
};

constexpr RefusedType kRefusedTypes[] = {
    {'c', "complex numbers", "distances are of real numbers: save x.real, or x.view(float) for both parts"},
    {'O', "Python objects", "save x.astype(float)"},
    {'V', "a structured or raw dtype",
     "save one field, or numpy.lib.recfunctions.structured_to_unstructured(x); bfloat16 as "
     "x.astype('float32')"},
    {'U', "text", "save the columns of numbers alone"},
    {'S', "bytes", "save the columns of numbers alone"},
    {'M', "dates", "save x.astype('int64'), less an offset if it is beyond 2^53"},
    {'m', "time spans", "save x.astype('int64')"},
    {'f', "a float wider than 64 bits", "save x.astype('float64')"},
};

/// What the dictionary in the header says.
struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
  bool structured = false;
};

/// Reads the header's Python literal: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  Header parse() {
    Header header;
    expect('{');
    while (!take('}')) {
      read_entry(&header);
      if (take(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (at_ != text_.size()) fail("text follows the dictionary");
    if (!header.descr || !header.fortran_order || !header.shape) {
      fail("it must name 'descr', 'fortran_order' and 'shape'");
    }
    return header;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { throw messages::npy_malformed(path_, what); }

  void read_entry(Header* header) {
    const std::string key = read_string();
    expect(':');
    if (key == "descr" && !header->descr)
      read_descr(header);
    else if (key == "fortran_order" && !header->fortran_order)
      header->fortran_order = read_bool();
    else if (key == "shape" && !header->shape)
      header->shape = read_shape();
    else
      fail(messages::text("it says ", messages::shown(key), " twice or for no reason"));
  }

  void read_descr(Header* header) {
    skip_space();
    header->structured = at_ < text_.size() && text_[at_] == '[';
    header->descr = header->structured ? read_list() : read_string();
  }

  std::string read_string() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail("a quoted word is missing");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a quote is never closed");
    std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }

  /// A list as it stands, to be shown: [('a', '<f4'), ('b', '<i4')].
  std::string read_list() {
    const std::size_t begin = at_;
    int depth = 0;
    do {
      if (at_ == text_.size()) fail("a list is never closed");
      if (text_[at_] == '[' || text_[at_] == '(') ++depth;
      if (text_[at_] == ']' || text_[at_] == ')') --depth;
      ++at_;
    } while (depth > 0);
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool read_bool() {
    skip_space();
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    fail("'fortran_order' is neither True nor False");
  }

  std::vector<std::int64_t> read_shape() {
    std::vector<std::int64_t> shape;
    expect('(');
    while (!take(')')) {
      shape.push_back(read_size());
      if (take(',')) continue;
      expect(')');
      break;
    }
    return shape;
  }

  std::int64_t read_size() {
    skip_space();
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
    if (error == std::errc::result_out_of_range) fail("a size in 'shape' is beyond 2^63");
    if (error != std::errc{}) fail("'shape' is no tuple of integers");
    if (size < 0) fail("a size in 'shape' is negative");
    at_ = static_cast<std::size_t>(end - text_.data());
    take('L');  // Python 2 wrote long integers so
    return size;
  }

  void expect(char c) {
    if (!take(c)) fail(messages::text("'", c, "' is missing"));
  }

  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
};

std::string read_header_text(InputFile* file) {
  unsigned char start[8];
  file->read(start, sizeof(start));
  const int major = start[6];
  const int minor = start[7];
  if (major < 1 || major > 3 || minor != 0) throw messages::npy_version(file->path(), major, minor);
  unsigned char size[4] = {};
  file->read(size, major == 1 ? 2 : 4);
  const std::uint32_t bytes = std::uint32_t{size[0]} | std::uint32_t{size[1]} << 8 |
                              std::uint32_t{size[2]} << 16 | std::uint32_t{size[3]} << 24;
  if (bytes > kMaxHeader) {
    throw messages::npy_malformed(file->path(), messages::text("its length is said to be ", bytes, " bytes"));
  }
  std::string text(bytes, '\0');
  file->read(text.data(), bytes);
  return text;
}

/// Which dtype, and whether its bytes stand in the other order.
struct ElementType {
  DType dtype;
  bool swapped;
};

[[noreturn]] void refuse_type(const std::string& path, const Header& header, char kind) {
  for (const RefusedType& refused : kRefusedTypes) {
    if (refused.kind == kind) throw messages::npy_dtype(path, *header.descr, refused.name, refused.hint);
  }
  throw messages::npy_dtype(path, *header.descr, "which is no NumPy dtype of numbers",
                            "save it with numpy.save");
}

ElementType find_element_type(const std::string& path, const Header& header) {
  const std::string_view descr = *header.descr;
  if (header.structured) refuse_type(path, header, 'V');
  if (descr.empty()) refuse_type(path, header, '\0');
  const char order = descr[0];
  const bool has_order = order == '<' || order == '>' || order == '|' || order == '=';
  const std::string_view code = has_order ? descr.substr(1) : descr;
  const char foreign = std::endian::native == std::endian::little ? '>' : '<';
  for (const TypeCode& type : kTypeCodes) {
    if (type.code == code) return {type.dtype, order == foreign};
  }
  refuse_type(path, header, code.empty() ? '\0' : code[0]);
}

template <class Word>
void reverse_words(void* data, std::size_t count, Word (*reverse)(Word)) {
  auto* words = static_cast<Word*>(data);
  for (std::size_t i = 0; i < count; ++i) words[i] = reverse(words[i]);
}

void reverse_bytes(Matrix* elements) {
  const std::size_t size = size_of(elements->dtype());
  const std::size_t count = elements->bytes() / size;
  void* data = elements->data();
  if (size == 2) reverse_words<std::uint16_t>(data, count, [](auto word) { return __builtin_bswap16(word); });
  if (size == 4) reverse_words<std::uint32_t>(data, count, [](auto word) { return __builtin_bswap32(word); });
  if (size == 8) reverse_words<std::uint64_t>(data, count, [](auto word) { return __builtin_bswap64(word); });
}

/// Bytes of the array. Empty arrays too must have strides that can be told in 64 bits.
std::int64_t checked_bytes(const std::string& path, std::int64_t rows, std::int64_t cols, std::int64_t size) {
  const std::int64_t least_rows = std::max<std::int64_t>(rows, 1);
  const std::int64_t least_cols = std::max<std::int64_t>(cols, 1);
  if (least_rows > kMost / size || least_cols > kMost / size / least_rows) {
    throw messages::npy_malformed(path,
                                  messages::text("its shape (", rows, ", ", cols, ") is beyond 2^63 bytes"));
  }
  return rows * cols * size;
}

const TypeCode* find_code(DType dtype) {
  const auto* found = std::find_if(std::begin(kTypeCodes), std::end(kTypeCodes),
                                   [&](const TypeCode& type) { return type.dtype == dtype; });
  return found == std::end(kTypeCodes) ? nullptr : found;
}

/// Writes spans of elements and tells how far it is.
class ElementWriter {
 public:
  ElementWriter(OutputFile* file, const MatrixView& matrix, Progress* progress)
      : file_(file),
        matrix_(matrix),
        size_(static_cast<std::int64_t>(size_of(matrix.dtype))),
        progress_(progress) {}

  void write_all() {
    if (matrix_.rows == 0 || matrix_.cols == 0) return;
    const bool contiguous_rows = matrix_.cols == 1 || matrix_.col_stride == size_;
    if (!contiguous_rows) {
      write_gathered();
    } else if (matrix_.rows == 1 || matrix_.row_stride == matrix_.cols * size_) {
      write_span(static_cast<const char*>(matrix_.data), matrix_.rows * matrix_.cols);
    } else {
      for (std::int64_t i = 0; i < matrix_.rows; ++i) write_span(at(i, 0), matrix_.cols);
    }
  }

 private:
  const char* at(std::int64_t i, std::int64_t j) const {
    return static_cast<const char*>(matrix_.data) + i * matrix_.row_stride + j * matrix_.col_stride;
  }

  void write_span(const char* from, std::int64_t count) {
    const std::int64_t most = kWriteChunk / size_;
    for (std::int64_t left = count; left > 0;) {
      const std::int64_t now = std::min(left, most);
      file_->write(from, now * size_);
      from += now * size_;
      left -= now;
      report(now);
    }
  }

  void write_gathered() {
    const std::int64_t most = std::min(matrix_.rows * matrix_.cols, kWriteChunk / size_);
    const auto buffer = std::make_unique_for_overwrite<char[]>(static_cast<std::size_t>(most * size_));
    std::int64_t filled = 0;
    for (std::int64_t i = 0; i < matrix_.rows; ++i) {
      for (std::int64_t j = 0; j < matrix_.cols; ++j) {
        std::memcpy(buffer.get() + filled * size_, at(i, j), static_cast<std::size_t>(size_));
        if (++filled < most) continue;
        write_span(buffer.get(), filled);
        filled = 0;
      }
    }
    write_span(buffer.get(), filled);
  }

  void report(std::int64_t count) {
    done_ += count;
    if (progress_ != nullptr && !progress_->update(done_, matrix_.rows * matrix_.cols)) {
      throw messages::writing_cancelled(file_->path());
    }
  }

  OutputFile* file_;
  const MatrixView& matrix_;
  std::int64_t size_;
  Progress* progress_;
  std::int64_t done_ = 0;
};

}  // namespace

bool is_npy(std::string_view head) noexcept { return head.starts_with(kMagic); }

Points read_npy(InputFile* file) {
  const std::string& path = file->path();
  const std::string text = read_header_text(file);
  const Header header = HeaderParser(text, path).parse();
  const ElementType type = find_element_type(path, header);
  if (header.shape->size() != 2) throw messages::npy_dimensions(path, header.shape->size());
  const std::int64_t rows = (*header.shape)[0];
  const std::int64_t cols = (*header.shape)[1];
  const auto size = static_cast<std::int64_t>(size_of(type.dtype));
  const std::int64_t bytes = checked_bytes(path, rows, cols, size);
  if (bytes != file->remaining()) {
    throw messages::npy_size(path, rows, cols, name_of(type.dtype), bytes, file->remaining());
  }
  require_memory_for(*file, bytes);

  // Fortran order: the transpose lies there row by row.
  const bool fortran = *header.fortran_order;
  Matrix elements(type.dtype, fortran ? cols : rows, fortran ? rows : cols);
  file->read(elements.data(), bytes);
  if (type.swapped) reverse_bytes(&elements);
  const MatrixView view(elements.data(), type.dtype, rows, cols, fortran ? size : cols * size,
                        fortran ? rows * size : size);
  return Points(path, std::move(elements), view);
}

std::string npy_header(DType dtype, std::int64_t rows, std::int64_t cols, bool one_dimensional) {
  const std::size_t size = size_of(dtype);
  const char order = size == 1 ? '|' : (std::endian::native == std::endian::little ? '<' : '>');
  // Not by streams: under a locale of the caller's they may write 10.000.
  const std::string shape = one_dimensional ? std::to_string(rows * cols) + ","
                                            : std::to_string(rows) + ", " + std::to_string(cols);
  const std::string dictionary = std::string("{'descr': '") + order + std::string(find_code(dtype)->code) +
                                 "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t kBefore = kMagic.size() + 4;  // version, length
  const std::size_t total = (kBefore + dictionary.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  const std::size_t length = total - kBefore;
  std::string header(kMagic);
  header.append({'\x01', '\x00', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)});
  header.append(dictionary).append(length - dictionary.size() - 1, ' ').push_back('\n');
  return header;
}

void write_npy(const std::string& path, const MatrixView& matrix, bool one_dimensional, bool overwrite,
               Progress* progress) {
  if (find_code(matrix.dtype) == nullptr) throw messages::npy_cannot_hold(path, name_of(matrix.dtype));
  if (one_dimensional && matrix.rows != 1)
    throw messages::npy_not_one_dimensional(path, matrix.rows, matrix.cols);
  OutputFile file(path, overwrite);
  const std::string header = npy_header(matrix.dtype, matrix.rows, matrix.cols, one_dimensional);
  file.write(header.data(), static_cast<std::int64_t>(header.size()));
  ElementWriter(&file, matrix, progress).write_all();
  file.commit();
}

}  // namespace quadrance::internal
