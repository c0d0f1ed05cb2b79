// SPDX-License-Identifier: Apache-2.0
// What a place to run offers: a kernel that fills a tile from packed rows, and the movers that carry a tile
// to its destination.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadrance::internal {

/// Features summed in the compute dtype before the sum is added to a wider total. The error bound rests on
/// it.
inline constexpr std::int64_t kFeatureBlock = 128;

/// What a row says about the distances it takes part in, as bits.
enum RowFlag : std::uint8_t {
  kPlain = 0,
  kFine = 1,   ///< holds an element other than 0 below RowLimits::coarse: a tiny result may have lost digits
  kLarge = 2,  ///< holds a finite element of at least RowLimits::large: a result may have overflowed
};

/// Magnitudes that rows are flagged by.
template <class T>
struct RowLimits {
  /// A row whose elements are all 0 or at least this large is coarse. 0: all are.
  T coarse = 0;
  /// Results of rows with all elements below this cannot overflow. Inf: none can.
  T large = std::numeric_limits<T>::infinity();
};

/// What ProductForm knows of rows, each without its own mean: an array for each number.
struct RowSums {
  const double* mean = nullptr;    ///< what was taken off each element
  const double* sum = nullptr;     ///< of the rest: what the mean is off by, times the features
  const double* square = nullptr;  ///< the sum of the squares of the rest; NaN: near to every row

  RowSums from(std::int64_t row) const { return {mean + row, sum + row, square + row}; }
};

/// One call of a kernel: `row_panels` times Kernel::rows rows against one panel of Kernel::cols columns.
/// Every element of out [row_panels * Kernel::rows, Kernel::cols] is written, those of padding points too.
template <class T>
struct TileCall {
  const T* rows;                ///< [row_panels * Kernel::rows, features]
  std::int64_t row_stride;      ///< elements from a row of rows to the next
  const T* columns;             ///< by feature: [features, Kernel::cols]
  const T* weights;             ///< [features], used by weighted kernels
  int weight_exponent;          ///< their results are multiplied by 2 to this power
  const T* parameters;          ///< of the metric
  const T* feature_parameters;  ///< [k, features]
  std::int64_t row_panels;
  std::int64_t features;
  T* out;
  std::int64_t out_stride;     ///< elements from a row of out to the next; at least cols
  T* direct;                   ///< the results' place in the output, written beside out; or null
  std::int64_t direct_stride;  ///< elements
  bool direct_streams;         ///< past the caches: direct and its rows begin at 64-byte lines
  /// With a scaling, the results do not go to out but mend those of the plain call: where those are below
  /// (kUp) the larger or above (kDown) the smaller of row_trust[row] and column_trust[column]. mend has the
  /// stride of out, which holds sums.
  T* mend;
  const T* row_trust;
  const T* column_trust;
  const T* limits;  ///< one upper limit per row, or null: is any result at most its row's limit?
  /// Called after each row panel, or null: the caller stores meanwhile what is finished. `rows`: as many rows
  /// of out, from the first on, have been written for good a while ago.
  void (*between)(void* context, std::int64_t rows);
  void* context;
  RowSums row_sums;     ///< of row_panels * Kernel::rows rows, used by ProductForm
  RowSums column_sums;  ///< of Kernel::cols rows
  std::uint8_t* near;   ///< [row_panels], out: whether the panel has a near pair
  std::byte* totals;    ///< scratch of row_panels * rows * cols * Kernel::total_bytes, used when features >
                        ///< kFeatureBlock
};

/// How differences are scaled before they are summed; finish undoes it. Powers of two, so the bits of a
/// result do not depend on it unless something over- or underflows.
enum class Scaling { kNone, kUp, kDown };

/// A second way to a metric's results, for rows of many features: by products of rows without their means,
/// where the pair is not near (metrics/product_form.h).
template <class T>
struct ProductForm {
  std::int64_t features = std::numeric_limits<std::int64_t>::max();  ///< for rows of at least as many
  /// As Kernel::fill. Results of near pairs are NaN, and of pairs with a row whose square is NaN.
  void (*fill)(const TileCall<T>&) = nullptr;
  void (*fill_narrow)(const TileCall<T>&) = nullptr;  ///< as Kernel::fill_narrow
  /// A pair is near if the sum of its squared differences is below this part of both rows' squares.
  double near = 0;
  double least_square = 0;  ///< of a row, unless all of its elements are 0
  double most_square = 0;
  double most_mean = 0;    ///< by magnitude
  double most_offset = 0;  ///< of the mean's square times the features, beside the row's square
  /// The result of a sum of squared differences, with the kernel's parameters, if it rises with the sum and
  /// keeps nearly all of its digits; else null. NaN of NaN, as all results.
  T (*finish)(T sum, const T* parameters) = nullptr;
};

template <class T>
struct Kernel {
  int rows = 0;         ///< points in a row panel
  int cols = 0;         ///< points in a column panel
  int total_bytes = 0;  ///< scratch for one pair's wide total
  T lowest = 0;         ///< results below are redone with Scaling::kUp, unless both rows are coarse
  /// Results above are redone with Scaling::kDown if a row is large; all of rows with any flag if this is
  /// below 0.
  T highest = std::numeric_limits<T>::infinity();
  RowLimits<T> row_limits;
  /// By Scaling. Tells whether some result is at most its row's limit.
  bool (*fill[3])(const TileCall<T>&) = {};
  /// Scaling::kNone of the first narrow_cols columns only; the others of out are not written.
  bool (*fill_narrow)(const TileCall<T>&) = nullptr;
  int narrow_cols = 0;
  ProductForm<T> by_products;

  bool is_narrow(std::int64_t used_cols) const { return used_cols <= narrow_cols; }
};

struct KernelSet {
  Kernel<float> f32;
  Kernel<double> f64;
  Kernel<double> weighted;  ///< with a weight for each feature; no fill if the metric has none
  /// Weights multiplied by 4^k multiply distances by 2^(k * weight_halves).
  int weight_halves = 0;
  /// Weighted sums are of differences themselves, which may be subnormal: weights are to be large.
  bool sums_differences = false;
  /// Up to one block of features, wider vectors of the same backend give the same bits.
  bool same_on_wider_vectors = true;

  template <class T>
  const Kernel<T>& get() const;
};
template <>
inline const Kernel<float>& KernelSet::get<float>() const {
  return f32;
}
template <>
inline const Kernel<double>& KernelSet::get<double>() const {
  return f64;
}

/// Where the rows of a block go. Row r begins at first + r * stride + (r (r - 1) / 2) * stride_change:
/// constant in a dense matrix (stride_change 0), one element less from row to row in a condensed triangle.
struct RowPlaces {
  std::byte* first = nullptr;
  std::int64_t stride = 0;  ///< bytes from row 0 to row 1
  std::int64_t stride_change = 0;

  /// The places from row r on.
  RowPlaces from(std::int64_t r) const {
    return {first + r * stride + (r * (r - 1) / 2) * stride_change, stride + r * stride_change,
            stride_change};
  }
};

/// A block of `rows` x `cols` elements of T in scratch, on its way out.
template <class T>
struct Block {
  const T* data;
  std::int64_t stride;  ///< elements
  std::int64_t rows;
  std::int64_t cols;
};

/// Which results of a block cannot be trusted.
struct Doubts {
  bool too_small = false;
  bool too_large = false;
};

/// Of a row.
struct TwoSums {
  double sum;
  double square;
};

/// Carries blocks to their places. Only memory traffic, no arithmetic but the rounding of float64 to float32.
struct Movers {
  /// `streaming`: past the caches, in whole 64-byte lines. For outputs far larger than the last-level cache.
  void (*copy_f32)(const Block<float>&, const RowPlaces&, bool streaming);
  void (*copy_f64)(const Block<double>&, const RowPlaces&, bool streaming);
  void (*copy_f64_f32)(const Block<double>&, const RowPlaces&, bool streaming);
  /// out [cols, rows] with out_stride elements from row to row. rows may be rounded up to a multiple of 16,
  /// columns to a multiple of 4: both blocks have room for that. `streaming`: rows of out begin at 64-byte
  /// lines.
  void (*transpose_f32)(const Block<float>&, float* out, std::int64_t out_stride, bool streaming);
  void (*transpose_f64)(const Block<double>&, double* out, std::int64_t out_stride, bool streaming);
  /// Adds to flags [rows] what the rows hold. Whole vectors are read: zeros follow each row up to a multiple
  /// of 16 elements.
  void (*flag_f32)(const Block<float>&, const RowLimits<float>&, std::uint8_t* flags);
  void (*flag_f64)(const Block<double>&, const RowLimits<double>&, std::uint8_t* flags);
  /// The sum of the elements of a row without `mean` (each difference rounded to the row's dtype) and of
  /// their squares: float64 to 1.1 u of the sums of magnitudes, float32 by plain sums in float64, far below
  /// its digits. Whole vectors of 16 elements can be read; what lies behind `count` does not count.
  TwoSums (*sums_f32)(const float* row, std::int64_t count, float mean);
  TwoSums (*sums_f64)(const double* row, std::int64_t count, double mean);
  /// Are there results below lowest, or above highest? Asked only where rows are flagged.
  Doubts (*inspect_f32)(const Block<float>&, float lowest, float highest);
  Doubts (*inspect_f64)(const Block<double>&, double lowest, double highest);
  /// Orders streamed lines before whatever tells others that they are there.
  void (*fence)();

  template <class T, class Out>
  void copy(const Block<T>& block, const RowPlaces& places, bool streaming) const {
    if constexpr (sizeof(T) == 4)
      copy_f32(block, places, streaming);
    else if constexpr (sizeof(Out) == 8)
      copy_f64(block, places, streaming);
    else
      copy_f64_f32(block, places, streaming);
  }
  template <class T>
  void flag(const Block<T>& rows, const RowLimits<T>& limits, std::uint8_t* flags) const {
    if constexpr (sizeof(T) == 4)
      flag_f32(rows, limits, flags);
    else
      flag_f64(rows, limits, flags);
  }
  template <class T>
  TwoSums sums(const T* row, std::int64_t count, T mean) const {
    if constexpr (sizeof(T) == 4)
      return sums_f32(row, count, mean);
    else
      return sums_f64(row, count, mean);
  }
  template <class T>
  Doubts inspect(const Block<T>& block, T lowest, T highest) const {
    if constexpr (sizeof(T) == 4)
      return inspect_f32(block, lowest, highest);
    else
      return inspect_f64(block, lowest, highest);
  }
  template <class T>
  void transpose(const Block<T>& block, T* out, std::int64_t out_stride, bool streaming) const {
    if constexpr (sizeof(T) == 4)
      transpose_f32(block, out, out_stride, streaming);
    else
      transpose_f64(block, out, out_stride, streaming);
  }
};

/// What a backend runs a metric with.
struct Engine {
  std::string_view target;             ///< instruction set: "avx512"
  std::string_view why;                ///< if a better one was passed over
  const KernelSet* kernels = nullptr;  ///< lives as long as the process
  const Movers* movers = nullptr;
};

struct JobSize {
  std::int64_t features;
  double steps;  ///< about: features times pairs
};

/// A place to run. Stateless; one object each, in list.cc.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view description() const = 0;
  /// Instruction sets this machine runs, best first; empty when there is none.
  virtual std::vector<std::string_view> targets() const = 0;
  /// Fills engine and returns an empty string, or returns the reason not to. `kernels` is what kernels_of()
  /// gives; an empty `target` means the best for a job of this size.
  virtual std::string take(std::size_t kernels, std::string_view target, const JobSize& size,
                           Engine* engine) const = 0;
};

/// Best first, the reference loops last.
std::span<const Backend* const> backends() noexcept;

}  // namespace quadrance::internal
