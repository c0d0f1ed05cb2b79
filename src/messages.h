// SPDX-License-Identifier: Apache-2.0
// Every sentence the library says when it refuses something, in one place.
//
// Errors read `[operation] what was got; what is needed`. Reasons (why a device was passed over) are shown by
// explain() and become errors only when the user named that device.
#pragma once

#include <cstdint>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrance/error.h"

namespace quadrance::internal {

enum class FileAccess { kRead, kWrite };

/// An error about a file, which knows its place and what helps: the command shows each on a line of its own.
/// Text: `[read] where: what; hint`. where is path, path:line or path:line:column, all counted from 1.
class FileError : public Error {
 public:
  FileError(ErrorCode code, FileAccess access, std::string where, std::string what, std::string hint)
      : Error(code,
              (access == FileAccess::kRead ? "[read] " : "[write] ") + where + ": " + what + "; " + hint),
        access_(access),
        where_(std::move(where)),
        problem_(std::move(what)),
        hint_(std::move(hint)) {}

  FileAccess access() const noexcept { return access_; }
  const std::string& where() const noexcept { return where_; }
  const std::string& problem() const noexcept { return problem_; }
  const std::string& hint() const noexcept { return hint_; }

 private:
  FileAccess access_;
  std::string where_;
  std::string problem_;
  std::string hint_;
};

}  // namespace quadrance::internal

namespace quadrance::internal::messages {

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  out.imbue(std::locale::classic());  // numbers read the same whatever locale the program has set
  (out << ... << parts);
  return out.str();
}

/// "a, b, c"; "none" for nothing.
inline std::string list(const std::vector<std::string_view>& words) {
  if (words.empty()) return "none";
  std::string out(words.front());
  for (std::size_t i = 1; i < words.size(); ++i) out.append(", ").append(words[i]);
  return out;
}

/// "80.0 GB": bytes as people read them, powers of 1000.
std::string human_bytes(std::int64_t bytes);

// --- shapes
// -------------------------------------------------------------------------------------------------

/// x, y: what the caller calls the points, and their columns.
inline Error columns_differ(std::pair<std::string_view, std::int64_t> x,
                            std::pair<std::string_view, std::int64_t> y) {
  return {ErrorCode::kShape, text("[pairwise] ", x.first, " has ", x.second, " columns, ", y.first, " has ",
                                  y.second, "; they must be equal")};
}
inline Error negative_size(std::string_view which, std::int64_t rows, std::int64_t cols) {
  return {ErrorCode::kShape,
          text("[pairwise] ", which, " has shape (", rows, ", ", cols, "); sizes must not be negative")};
}
inline Error no_data(std::string_view which) {
  return {ErrorCode::kShape,
          text("[pairwise] ", which, " is a shape without data; only make_plan() takes such a view")};
}
inline Error condensed_of_two(std::string_view y) {
  return {ErrorCode::kShape,
          text("[pairwise] condensed output of two sets asked for; the condensed triangle exists for one set "
               "(leave ",
               y, " out)")};
}
inline Error condensed_needs_symmetry(std::string_view metric) {
  return {ErrorCode::kMetric, text("[pairwise] condensed output of ", metric,
                                   " asked for, which is not symmetric; ask for the dense matrix")};
}
inline Error out_shape(std::int64_t rows, std::int64_t cols, std::int64_t want_rows, std::int64_t want_cols) {
  return {ErrorCode::kShape, text("[pairwise] out has shape (", rows, ", ", cols, "); (", want_rows, ", ",
                                  want_cols, ") is needed")};
}
inline Error out_stride(std::int64_t stride, std::int64_t row_bytes) {
  return {ErrorCode::kShape, text("[pairwise] out has ", stride, " bytes from row to row; at least ",
                                  row_bytes, " and a multiple of its element size are needed")};
}
inline Error out_misaligned(std::int64_t size) {
  return {ErrorCode::kShape, text("[pairwise] out is not aligned to its elements of ", size,
                                  " bytes; an aligned array is needed")};
}
inline Error out_overlaps(std::string_view which) {
  return {ErrorCode::kShape, text("[pairwise] out shares memory with ", which, "; they must not overlap")};
}
inline Error too_many_elements(std::int64_t n, std::int64_t m) {
  return {ErrorCode::kMemory,
          text("[plan] ", n, " x ", m, " results exceed 2^63 bytes; compute fewer rows at a time")};
}

inline Error too_many_features(std::int64_t d) {
  return {ErrorCode::kMemory,
          text("[plan] rows of ", d, " features are larger than any memory; give rows of at most 2^40")};
}

// --- parameters

inline Error unknown_parameter(std::string_view metric, std::string_view name, std::string_view taken) {
  return {ErrorCode::kMetric, text("[metric] ", metric, " takes no parameter ", name, "; ",
                                   taken.empty() ? "it takes none" : text("it takes ", taken))};
}
inline Error parameter_length(std::string_view name, std::size_t got, std::int64_t needed) {
  return {ErrorCode::kShape, text("[metric] ", name, " has ", got, " elements; ", needed, " are needed")};
}
inline Error bad_parameter(std::string_view name, double value, std::string_view rule) {
  return {ErrorCode::kMetric, text("[metric] ", name, " is ", value, "; ", rule)};
}
inline Error no_such_feature(std::string_view name, std::int64_t feature, std::int64_t d) {
  return {ErrorCode::kMetric,
          text("[metric] ", name, " is ", feature, "; the points have ", d, " features, counted from 0")};
}
inline Error ranges_of_two_sets(std::string_view metric) {
  return {ErrorCode::kMetric,
          text("[metric] ", metric, " of two sets of points needs ranges; give one for each feature")};
}
inline Error packed_not_integers(std::string_view which, std::string_view dtype) {
  return {ErrorCode::kDtype,
          text("[metric] ", which, " is ", dtype,
               "; packed rows are integers, whose bits are the features (numpy.packbits)")};
}
inline Error packed_differs(std::string_view x_dtype, std::string_view y_dtype) {
  return {ErrorCode::kDtype, text("[metric] packed rows of ", x_dtype, " and of ", y_dtype,
                                  " have their bits in other places; give both one dtype")};
}
inline Error packed_beyond(std::string_view which, std::int64_t set, std::int64_t features) {
  return {ErrorCode::kMetric, text("[metric] rows of ", which, " have ", set, " bits set in all, of ",
                                   features, " features (packed); bits that are no feature must be 0")};
}
inline Error packed_with_weights() {
  return {ErrorCode::kMetric, "[metric] packed rows are counted, not weighed; unpack them to give w"};
}
inline Error box_needed(std::string_view metric, std::int64_t d) {
  return {ErrorCode::kMetric, text("[metric] ", metric, " has no box; give ", d,
                                   " lengths, Inf for a feature that does not repeat")};
}
inline Error features_needed(std::string_view metric, std::int64_t needed, std::string_view domain,
                             std::int64_t d) {
  return {ErrorCode::kShape,
          text("[metric] the points have ", d, " features; ", metric, " takes ", needed, ", ", domain)};
}
inline Error is_a_similarity(std::string_view name) {
  return {ErrorCode::kMetric,
          text("[metric] ", name,
               " is a similarity, not a distance; similarities(), in Python similarity(), gives it")};
}
inline Error is_no_similarity(std::string_view name, std::string_view known) {
  return {ErrorCode::kMetric,
          text("[metric] ", name, " is a distance, not a similarity; similarities are ", known)};
}
inline Error two_covariances() {
  return {ErrorCode::kMetric, "[metric] V and VI are both given; one of them is needed"};
}
inline Error not_symmetric(std::string_view name, std::int64_t i, std::int64_t j) {
  return {ErrorCode::kMetric,
          text("[metric] ", name, "[", i, ", ", j, "] and [", j, ", ", i,
               "] differ; a covariance and its inverse are symmetric: if only rounding parts them, give the "
               "mean of ",
               name, " and its transpose")};
}
inline Error negative_square(std::string_view name, std::int64_t f) {
  return {ErrorCode::kMetric, text("[metric] ", name, " gives some rows a negative square (found at feature ",
                                   f, "); it must be positive semi-definite")};
}
inline Error singular_covariance(std::int64_t f) {
  return {ErrorCode::kMetric,
          text("[metric] the covariance is singular: feature ", f,
               " is constant or, up to rounding, depends on those before it; drop it, or give VI, as the "
               "pseudo-inverse")};
}
/// smallest, largest: a feature and its weight.
inline Error weights_too_far_apart(std::string_view name, std::pair<std::int64_t, double> smallest,
                                   std::pair<std::int64_t, double> largest, int exponent) {
  return {ErrorCode::kMetric,
          text("[metric] ", name, " reaches from ", smallest.second, " (feature ", smallest.first, ") to ",
               largest.second, " (feature ", largest.first, "); at most 2^", exponent,
               " times the smallest above 0 is possible: drop one of them, or give it another unit")};
}
inline Error variance_of_two_sets(std::string_view metric, bool covariance) {
  return {ErrorCode::kMetric, text("[metric] ", metric, " of two sets of points needs V; give ",
                                   covariance ? "the covariance of the features, or VI, its inverse"
                                              : "a variance for each feature")};
}
inline Error covariance_of_few(std::int64_t n, std::int64_t d) {
  return {ErrorCode::kMetric, text("[metric] the covariance of ", n, " points of ", d,
                                   " features is singular; give more points than features, or V, or VI (the "
                                   "pseudo-inverse)")};
}
inline Error variance_of_few(std::int64_t n) {
  return {ErrorCode::kMetric,
          text("[metric] the variance of ", n, " point(s) has no meaning; two are needed, or V")};
}
inline Error no_variance(std::int64_t f, double value) {
  return {
      ErrorCode::kMetric,
      text("[metric] the variance of feature ", f, " is ", std::abs(value),
           ": it holds NaN or Inf, or numbers too large or too small to be squared; scale it, or give V")};
}

// --- dtypes
// -------------------------------------------------------------------------------------------------

inline Error out_dtype(std::string_view dtype) {
  return {ErrorCode::kDtype,
          text("[pairwise] result dtype ", dtype, " asked for; it must be float32 or float64")};
}
inline Error out_dtype_differs(std::string_view out, std::string_view dtype) {
  return {ErrorCode::kDtype,
          text("[pairwise] out is ", out, " but dtype is ", dtype, "; give one of them, or make them equal")};
}
inline Error integer_not_exact(std::string_view which, std::int64_t row, std::int64_t col,
                               std::string_view value) {
  return {ErrorCode::kDtype,
          text("[pairwise] ", which, "[", row, ", ", col, "] = ", value,
               " is beyond 2^53 and has no exact float64; subtract an offset or convert first")};
}
inline Error wrong_element_type(std::string_view has, std::string_view wanted) {
  return {ErrorCode::kDtype,
          text("[matrix] elements are ", has, ", read as ", wanted, "; they must be equal")};
}

// --- metrics and devices
// ------------------------------------------------------------------------------------

inline Error unknown_metric(std::string_view name, std::string_view nearest, std::string_view known) {
  if (nearest.empty())
    return {ErrorCode::kMetric, text("[metric] there is no metric '", name, "'; metrics are ", known)};
  return {ErrorCode::kMetric,
          text("[metric] there is no metric '", name, "'; did you mean '", nearest, "'?")};
}
inline Error unknown_similarity(std::string_view name, std::string_view known) {
  return {ErrorCode::kMetric, text("[metric] there is no similarity '", name, "'; similarities are ", known)};
}
inline Error wminkowski() {
  return {ErrorCode::kMetric,
          "[metric] there is no wminkowski, which multiplied differences by w before the power (SciPy has "
          "removed it); "
          "use minkowski with the weights w**p"};
}
inline Error scipys_python_form(std::string_view name) {
  return {ErrorCode::kMetric,
          text("[metric] there is no '", name,
               "': with test_ before a name SciPy runs its slower Python form; use '", name.substr(5), "'")};
}
inline Error unknown_device(std::string_view name, std::string_view known) {
  return {ErrorCode::kDevice, text("[plan] there is no device '", name, "'; known are auto, ", known)};
}
inline Error device_refuses(std::string_view name, std::string_view reason) {
  return {ErrorCode::kDevice, text("[plan] device '", name, "' was asked for but cannot run this: ", reason,
                                   "; use device auto")};
}
inline std::string no_such_target(std::string_view target, const std::vector<std::string_view>& known) {
  return text("no kernels for target '", target, "' on this machine, which has ", list(known));
}
inline std::string no_simd() { return "this CPU has none of the instruction sets the kernels are built for"; }
inline Error bad_threads(std::int64_t threads) {
  return {ErrorCode::kOption,
          text("[plan] ", threads, " threads asked for; 0 (automatic) or 1 to 1024 are possible")};
}

inline Error bad_memory_limit(std::int64_t bytes) {
  return {ErrorCode::kOption,
          text("[plan] memory_limit is ", bytes, "; a number of bytes above 0, or 0 (automatic), is needed")};
}

// --- memory, cancelling
// -------------------------------------------------------------------------------------

inline Error does_not_fit(std::int64_t needed, std::int64_t available, std::string_view limit_name,
                          std::string_view ways_out) {
  return {ErrorCode::kMemory, text("[plan] the job needs ", human_bytes(needed), " and ",
                                   human_bytes(available), " are left (", limit_name, "); ", ways_out)};
}
inline Error allocation_failed(std::int64_t bytes) {
  return {ErrorCode::kMemory,
          text("[memory] the system refused ", human_bytes(bytes), "; free memory or ask for less")};
}
inline Error memory_refused() {
  return {ErrorCode::kMemory, "[memory] the system refused memory; free memory or ask for less"};
}
inline Error forked() {
  return {
      ErrorCode::kCancelled,
      "[pairwise] the process was forked while a job ran, and this is the child: the job's threads went on "
      "in the parent, so it cannot be finished here; start a job of the child's own"};
}

inline Error cancelled(std::int64_t done, std::int64_t total) {
  return {ErrorCode::kCancelled, text("[pairwise] cancelled after ", done, " of ", total, " pairs")};
}

// --- files -----------------------------------------------------------------------------------------------

// `where` is path, path:line or path:line:column. Texts from a file go through shown() first.

/// A piece of a file between quotes, at most 40 bytes of it, control characters as \xNN.
inline std::string shown(std::string_view piece) {
  constexpr std::size_t kMost = 40;
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "'";
  for (const char c : piece.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f)
      out.push_back(c);
    else
      out.append({'\\', 'x', kHex[byte >> 4], kHex[byte & 15]});
  }
  return out.append(piece.size() > kMost ? "...'" : "'");
}

inline FileError cannot_read(std::string_view path, std::string_view reason) {
  return {ErrorCode::kIo, FileAccess::kRead, text(path), text("cannot be read: ", reason),
          "give the path of a file you may read"};
}
inline FileError ended_early(std::string_view path, std::int64_t has, std::int64_t needed) {
  return {ErrorCode::kIo, FileAccess::kRead, text(path), text("ends after ", has, " of ", needed, " bytes"),
          "it is truncated, or was cut while it was read: copy or save it again"};
}
inline FileError points_do_not_fit(std::string_view path, std::int64_t needed, std::int64_t available,
                                   std::string_view limit_name) {
  return {ErrorCode::kMemory, FileAccess::kRead, text(path),
          text("needs ", human_bytes(needed), " to be read and ", human_bytes(available), " are left (",
               limit_name, ")"),
          "free memory, or give fewer rows or a narrower dtype"};
}
inline FileError unknown_format(std::string_view path, std::string_view start) {
  return {ErrorCode::kIo, FileAccess::kRead, text(path),
          text("is in no format that is read: it starts with ", shown(start)),
          "read are .npy (by content), and .csv, .tsv and .txt (text, by name)"};
}
inline FileError format_not_read(std::string_view path, std::string_view format, std::string_view hint) {
  return {ErrorCode::kIo, FileAccess::kRead, text(path), text("is ", format, ", which is not read"),
          text(hint)};
}

inline FileError npy_malformed(std::string_view path, std::string_view what) {
  return {ErrorCode::kIo, FileAccess::kRead, text(path), text("has a damaged .npy header: ", what),
          "save it again with numpy.save"};
}
inline FileError npy_version(std::string_view path, int major, int minor) {
  return {ErrorCode::kIo, FileAccess::kRead, text(path), text("is .npy format ", major, '.', minor),
          "formats 1.0, 2.0 and 3.0 are read; save it again with numpy.save"};
}
inline FileError npy_dtype(std::string_view path, std::string_view descr, std::string_view kind,
                           std::string_view hint) {
  return {ErrorCode::kDtype, FileAccess::kRead, text(path), text("holds dtype ", shown(descr), ", ", kind),
          text(hint)};
}
inline FileError npy_dimensions(std::string_view path, std::size_t dimensions) {
  return {ErrorCode::kShape, FileAccess::kRead, text(path),
          text("holds an array of ", dimensions, dimensions == 1 ? " dimension" : " dimensions",
               ", points are rows of 2"),
          dimensions == 0 ? "save a row for each point, one number for each feature"
          : dimensions == 1
              ? "save x.reshape(-1, 1) for points of one feature, or x.reshape(1, -1) for one point"
              : "save x.reshape(len(x), -1), or choose a 2-D part of it"};
}
inline FileError npy_size(std::string_view path, std::int64_t rows, std::int64_t cols, std::string_view dtype,
                          std::int64_t needed, std::int64_t has) {
  return {ErrorCode::kIo, FileAccess::kRead, text(path),
          text("says (", rows, ", ", cols, ") of ", dtype, ", ", needed, " bytes, but ", has,
               " follow the header"),
          has < needed ? "it is truncated: copy or save it again"
                       : "it holds more than one array: save one alone"};
}

inline FileError csv_empty(std::string_view path) {
  return {ErrorCode::kIo, FileAccess::kRead, text(path), "holds no line of fields", "give at least one row"};
}
inline FileError csv_encoding(std::string_view path, std::string_view encoding) {
  return {ErrorCode::kIo, FileAccess::kRead, text(path), text("is ", encoding, " text"), "save it as UTF-8"};
}
inline FileError csv_binary(std::string_view path) {
  return {ErrorCode::kIo, FileAccess::kRead, text(path), "holds NUL bytes: it is no text",
          "give a .npy file, or text"};
}
inline FileError csv_old_line_ends(std::string_view path) {
  return {ErrorCode::kIo, FileAccess::kRead, text(path), "ends its lines in CR alone",
          "save it with lines that end in LF or CR LF"};
}
inline FileError csv_inexact_integer(std::string_view where, std::string_view column,
                                     std::string_view field) {
  return {
      ErrorCode::kDtype, FileAccess::kRead, text(where),
      text(column, " holds ", shown(field), ", an integer beyond 2^53, which float64 does not hold exactly"),
      "subtract an offset from the column, or write a decimal point if rounding is meant"};
}
inline std::string csv_mixed_header(std::string_view column) {
  return text("line 1 is taken for the header, though it holds numbers: it has text in ", column,
              ", a column of numbers");
}
inline std::string csv_missing(std::int64_t count, std::string_view first) {
  return text(count,
              count == 1 ? " value is missing and counts as NaN: "
                         : " values are missing and count as NaN, the first at ",
              first);
}
inline FileError csv_ragged(std::string_view where, std::int64_t has, std::int64_t needed,
                            std::int64_t first_line, std::string_view separator) {
  return {ErrorCode::kIo, FileAccess::kRead, text(where),
          text("has ", has, has == 1 ? " field" : " fields", ", line ", first_line, " has ", needed),
          text("every line needs as many; the separator is the ", separator, " (found in the first line)")};
}
inline FileError csv_blank_line(std::string_view where) {
  return {ErrorCode::kIo, FileAccess::kRead, text(where), "is blank, but more lines follow",
          "remove it; a missing value is an empty field or nan"};
}
inline FileError csv_not_a_number(std::string_view where, std::string_view column, std::string_view field,
                                  bool decimal_comma) {
  return {ErrorCode::kIo, FileAccess::kRead, text(where),
          text(column, " holds ", shown(field), ", not a number"),
          decimal_comma
              ? "write numbers with a decimal point and without separators of thousands"
              : "leave missing values empty or write NA or nan; a column of labels must hold no number"};
}
inline FileError csv_beyond_float64(std::string_view where, std::string_view column, std::string_view field) {
  return {ErrorCode::kDtype, FileAccess::kRead, text(where),
          text(column, " holds ", shown(field), ", beyond the range of float64"),
          "scale the column, or write inf"};
}
inline std::string csv_counting_line() {
  return "line 1 counts 0, 1, 2, ...: it is taken for a point, not for a header; if it is one, give the "
         "columns names";
}
inline std::string csv_nameless_column() {
  return "column 1 has no name: it is taken for a feature; if it numbers the rows, save the table without it";
}
inline FileError csv_unclosed_quote(std::string_view where) {
  return {ErrorCode::kIo, FileAccess::kRead, text(where), "opens a quoted field that never closes",
          "close it with \"; a quote inside a quoted field is written twice"};
}
inline FileError csv_after_quote(std::string_view where) {
  return {ErrorCode::kIo, FileAccess::kRead, text(where), "has text after the closing quote of a field",
          "a quote inside a quoted field is written twice"};
}
inline FileError csv_labels(std::string_view path, std::size_t count, std::string_view columns) {
  return {ErrorCode::kDtype, FileAccess::kRead, text(path), text(count, " columns hold text: ", columns),
          "at most one is set aside as labels; remove the others or code them as numbers"};
}
inline FileError csv_no_numbers(std::string_view path, std::string_view hint) {
  return {ErrorCode::kDtype, FileAccess::kRead, text(path), "has no column of numbers", text(hint)};
}

inline FileError output_exists(std::string_view path) {
  return {ErrorCode::kIo, FileAccess::kWrite, text(path), "exists already",
          "give another name, or allow it to be overwritten (--overwrite)"};
}
inline FileError output_not_regular(std::string_view path) {
  return {ErrorCode::kIo, FileAccess::kWrite, text(path), "exists and is not a regular file",
          "give the name of a file; - is the standard output"};
}
inline FileError output_link_dangles(std::string_view path) {
  return {ErrorCode::kIo, FileAccess::kWrite, text(path), "is a symbolic link to a file that does not exist",
          "remove the link, or give another name"};
}
/// What is left of an output that was not finished. A path of - is the standard output.
inline std::string left_of(std::string_view path) {
  return path == "-" ? "what came out so far is not all: throw it away" : "nothing half-written is left";
}
inline FileError cannot_write(std::string_view path, std::string_view reason) {
  return {ErrorCode::kIo, FileAccess::kWrite, text(path), text("cannot be written: ", reason),
          text(left_of(path), path == "-" ? "; is the disk full, or the output closed?"
                                          : "; give a folder that exists, that you may write to and that has "
                                            "room")};
}
inline FileError no_room(std::string_view path, std::int64_t needed, std::int64_t available) {
  return {ErrorCode::kIo, FileAccess::kWrite, text(path),
          text("needs ", human_bytes(needed), " and ", human_bytes(available), " are free there"),
          "free some, or give a file on another disk"};
}
inline FileError npy_cannot_hold(std::string_view path, std::string_view dtype) {
  return {ErrorCode::kDtype, FileAccess::kWrite, text(path),
          text("would hold ", dtype, ", which .npy has no name for"), "write float32 or float64"};
}
inline FileError npy_not_one_dimensional(std::string_view path, std::int64_t rows, std::int64_t cols) {
  return {ErrorCode::kShape, FileAccess::kWrite, text(path),
          text("would be one-dimensional, but the array is (", rows, ", ", cols, ")"), "give one row"};
}
inline FileError writing_cancelled(std::string_view path) {
  return {ErrorCode::kCancelled, FileAccess::kWrite, text(path), "cancelled",
          text(left_of(path), "; run it again")};
}

}  // namespace quadrance::internal::messages
