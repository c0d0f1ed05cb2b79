// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "messages.h"
#include "quadrance/plan.h"

namespace quadrance {
namespace {

using internal::messages::human_bytes;
using internal::messages::text;

/// 1234567 -> "1,234,567".
std::string grouped(std::int64_t value) {
  const std::string digits = std::to_string(value);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out.push_back(',');
    out.push_back(digits[i]);
  }
  return out;
}

std::string_view form_in_words(std::string_view form) {
  if (form == "mixed") return "products, and direct differences for near pairs";
  if (form == "bits") return "counted bits";
  return form == "product" ? "products" : "direct differences";
}

const char* short_name(DType dtype) { return dtype == DType::kFloat32 ? "f32" : "f64"; }

}  // namespace

std::string Plan::kernel() const {
  return text(kernels, '/', short_name(compute), '/', form, '/', device, '-', target);
}

std::string Plan::explain() const {
  std::string out;
  const std::string_view results = metric->similarity ? "similarities" : "distances";
  const auto line = [&out, width = results.size() + 2](std::string_view label, const std::string& value) {
    out += label;
    out.append(width - label.size(), ' ');
    out += value;
    out += '\n';
  };
  line(results, text(grouped(n), " x ", grouped(m), ", d = ", grouped(d), ", ", metric->name(), ", ",
                     layout == Layout::kCondensed ? "condensed" : "dense"));
  line("symmetry", symmetric ? text("only the upper triangle is computed",
                                    layout == Layout::kDense ? ", and stored to both sides" : "")
                             : text("none used: two sets of points"));
  line("dtypes", text(name_of(input), " in, ", name_of(compute), " computed, ", name_of(result), " out"));
  line("kernel",
       text(kernel(), ", ", form_in_words(form), ", blocks of 128 ", form == "bits" ? "words" : "features"));
  if (!target_source.empty()) line("", text("for ", target_source));
  for (const auto& [name, reason] : skipped) line("", text(name, " passed over: ", reason));
  line("threads", text(threads, " (", threads_source, ")"));
  line("tiles",
       text(grouped(tiles), " of ", tile_rows, " x ", tile_cols, ", ", grouped(pairs), " pairs computed"));
  line("memory", text(human_bytes(bytes_in), " in, ", human_bytes(bytes_out), " out",
                      bytes_out_new == 0 && bytes_out != 0 ? " (the caller's)" : "", ", ",
                      human_bytes(bytes_scratch), " scratch",
                      bytes_available > 0 ? text(", of ", human_bytes(bytes_available), " available") : ""));
  return out;
}

}  // namespace quadrance

namespace quadrance::internal::messages {

std::string human_bytes(std::int64_t bytes) {
  static constexpr const char* kUnits[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(kUnits); ++unit) value /= 1000;
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), unit == 0 || value >= 100 ? "%.0f %s" : "%.1f %s", value,
                kUnits[unit]);
  return buffer;
}

}  // namespace quadrance::internal::messages
