// SPDX-License-Identifier: Apache-2.0
#include "input/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages.h"

namespace quadrance::internal {
namespace {

constexpr std::int64_t kSampleRecords = 64;
constexpr std::int64_t kExactUpTo = std::int64_t{1} << 53;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

enum class Kind { kEmpty, kNumber, kText, kTooLarge, kInexact, kDecimalComma };

struct Value {
  Kind kind;
  double number;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// What R, SQL, spreadsheets and the UCI archive write for a missing value.
bool is_missing(std::string_view text) {
  constexpr std::string_view kWords[] = {"NA", "N/A", "#N/A", "null", "NULL", "None", "?", "-"};
  return text.empty() || std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

/// Digits of an integer that float64 does not hold exactly, as far as we know.
bool is_inexact_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return false;
  return error == std::errc::result_out_of_range || value > kExactUpTo || value < -kExactUpTo;
}

/// Whether digits that from_chars found out of range are too large rather than too small: by the power of ten
/// of the first digit that is not 0. There is one, or the number would be 0.
bool is_too_large(std::string_view number) {
  std::int64_t power = 0;
  bool significant = false;
  bool fraction = false;
  std::size_t i = 0;
  for (; i < number.size() && number[i] != 'e' && number[i] != 'E'; ++i) {
    const char c = number[i];
    if (c == '.') fraction = true;
    if (!is_digit(c)) continue;
    if (c != '0') significant = true;
    if (significant && !fraction) ++power;
    if (!significant && fraction) --power;
  }
  std::int64_t exponent = 0;
  if (i < number.size()) {
    const char* begin = number.data() + i + 1;
    if (*begin == '+') ++begin;
    const auto result = std::from_chars(begin, number.data() + number.size(), exponent);
    if (result.ec == std::errc::result_out_of_range) return *begin != '-';
  }
  return exponent > -power;
}

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

Value parse_value(std::string_view field);

/// "3,14" is a number of another country, and its column not one of labels.
Kind kind_of_text(std::string_view text) {
  const std::size_t comma = text.find(',');
  const bool one_comma =
      comma != std::string_view::npos && text.find(',', comma + 1) == std::string_view::npos;
  if (!one_comma) return Kind::kText;
  std::string dotted(text);
  dotted[comma] = '.';
  return parse_value(dotted).kind == Kind::kNumber ? Kind::kDecimalComma : Kind::kText;
}

Value parse_value(std::string_view field) {
  std::string_view text = trim(field);
  if (is_missing(text)) return {Kind::kEmpty, kNan};
  if (text[0] == '+' && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size()) return {kind_of_text(text), kNan};
  if (std::abs(number) >= static_cast<double>(kExactUpTo) && is_inexact_integer(text))
    return {Kind::kInexact, number};
  if (error == std::errc{}) return {Kind::kNumber, number};
  if (error != std::errc::result_out_of_range) return {Kind::kText, kNan};
  if (is_too_large(text)) return {Kind::kTooLarge, kNan};
  return {Kind::kNumber, text[0] == '-' ? -0.0 : 0.0};
}

/// Walks through the text field by field.
class Scanner {
 public:
  Scanner(std::string_view text, char separator, const std::string& path)
      : at_(text.data()),
        end_(text.data() + text.size()),
        line_start_(text.data()),
        separator_(separator),
        path_(path) {}

  /// Whether there is another record. Passes over blank lines at the end; elsewhere they are errors.
  bool begin_record() {
    if (at_ == end_) return false;
    const char* after_blanks = skip_blanks(at_);
    if (!at_line_end(after_blanks)) return true;
    const std::string first_blank = line_place();
    for (; at_line_end(after_blanks); after_blanks = skip_blanks(at_)) {
      at_ = after_blanks;
      end_line();
      if (at_ == end_) return false;
    }
    throw messages::csv_blank_line(first_blank);
  }

  /// The field here, without its quotes. Valid until the next call.
  std::string_view take_field() {
    field_start_ = at_;
    field_line_ = line_;
    field_line_start_ = line_start_;
    if (at_ != end_ && *at_ == '"') return take_quoted();
    while (!at_field_end(at_)) ++at_;
    return {field_start_, static_cast<std::size_t>(at_ - field_start_)};
  }

  /// The number in the field here; nothing, and the field is still to be taken, unless it is as plain as most
  /// are.
  std::optional<double> take_plain_number() {
    double number = 0;
    const auto [end, error] = std::from_chars(skip_blanks(at_), end_, number);
    if (error != std::errc{} || std::abs(number) >= static_cast<double>(kExactUpTo)) return std::nullopt;
    const char* after_blanks = skip_blanks(end);
    if (!at_field_end(after_blanks)) return std::nullopt;
    at_ = after_blanks;
    return number;
  }

  /// Goes past the separator here; false if the record ends here.
  bool next_field() {
    if (at_ == end_ || *at_ != separator_) return false;
    ++at_;
    return true;
  }

  /// Goes past the end of the line here, which ends the record.
  void end_line() {
    if (at_ != end_ && *at_ == '\r') ++at_;
    if (at_ != end_) ++at_;
    ++line_;
    line_start_ = at_;
  }

  const std::string& path() const { return path_; }
  std::int64_t line() const { return line_; }
  std::string line_place() const { return messages::text(path_, ':', line_); }
  /// Where the field taken last begins: path:line:column.
  std::string field_place() const {
    return messages::text(path_, ':', field_line_, ':', field_start_ - field_line_start_ + 1);
  }

 private:
  std::string_view take_quoted() {
    unquoted_.clear();
    for (const char* begin = at_ + 1;;) {
      const auto* quote =
          begin == end_
              ? nullptr
              : static_cast<const char*>(std::memchr(begin, '"', static_cast<std::size_t>(end_ - begin)));
      if (quote == nullptr) throw messages::csv_unclosed_quote(field_place());
      count_lines(begin, quote);
      unquoted_.append(begin, quote);
      at_ = quote + 1;
      if (at_ == end_ || *at_ != '"') break;
      unquoted_.push_back('"');
      begin = at_ + 1;
    }
    at_ = skip_blanks(at_);
    if (!at_field_end(at_)) throw messages::csv_after_quote(field_place());
    return unquoted_;
  }

  void count_lines(const char* begin, const char* end) {
    while ((begin = std::find(begin, end, '\n')) != end) {
      ++line_;
      line_start_ = ++begin;
    }
  }

  bool at_line_end(const char* at) const {
    return at == end_ || *at == '\n' || (*at == '\r' && (at + 1 == end_ || at[1] == '\n'));
  }
  bool at_field_end(const char* at) const { return at == end_ || *at == separator_ || at_line_end(at); }

  const char* skip_blanks(const char* at) const {
    while (at != end_ && (*at == ' ' || (*at == '\t' && separator_ != '\t'))) ++at;
    return at;
  }

  const char* at_;
  const char* end_;
  std::int64_t line_ = 1;
  const char* line_start_;
  const char* field_start_ = nullptr;
  std::int64_t field_line_ = 1;
  const char* field_line_start_ = nullptr;
  std::string unquoted_;
  char separator_;
  const std::string& path_;
};

/// What the first lines say about all of them.
struct Table {
  char separator = ',';
  std::int64_t columns = 0;
  bool has_header = false;
  std::optional<std::size_t> mixed_at;  ///< the header holds numbers; here it has text over numbers
  std::vector<std::string> first_record;
  std::vector<std::size_t> text_columns;
};

std::string_view name_of_separator(char separator) {
  return separator == '\t' ? "tab" : (separator == ';' ? "semicolon" : "comma");
}

char find_separator(std::string_view text) {
  bool quoted = false;
  bool field_begins = true;
  bool semicolon = false;
  for (const char c : text) {
    // Elsewhere a quote is a letter like others: 3.5" disks.
    if (c == '"' && (quoted || field_begins)) quoted = !quoted;
    field_begins = c == ',' || c == ';';
    if (quoted) continue;
    if (c == '\n') break;
    if (c == '\t') return '\t';
    if (c == ';') semicolon = true;
  }
  return semicolon ? ';' : ',';
}

/// "column 3 ('x.3')".
std::string describe_column(const Table& table, std::size_t column) {
  std::string text = messages::text("column ", column + 1);
  if (table.has_header) text += messages::text(" (", messages::shown(trim(table.first_record[column])), ')');
  return text;
}

/// Calls take(column) for each field of the record here, which must have as many as the table.
template <class Take>
void for_each_field(const Table& table, Scanner* scanner, const Take& take) {
  const std::int64_t line = scanner->line();
  std::int64_t column = 0;
  do {
    if (column < table.columns)
      take(static_cast<std::size_t>(column));
    else
      scanner->take_field();
    ++column;
  } while (scanner->next_field());
  if (column != table.columns) {
    throw messages::csv_ragged(messages::text(scanner->path(), ':', line), column, table.columns, 1,
                               name_of_separator(table.separator));
  }
  scanner->end_line();
}

std::vector<std::string> take_record(Scanner* scanner) {
  std::vector<std::string> record;
  do {
    record.emplace_back(scanner->take_field());
  } while (scanner->next_field());
  scanner->end_line();
  return record;
}

/// Which kinds of fields a column holds.
struct Content {
  bool numbers = false;
  bool text = false;

  void add(std::string_view field) {
    const Kind kind = parse_value(field).kind;
    if (kind == Kind::kText)
      text = true;
    else if (kind != Kind::kEmpty)
      numbers = true;
  }
  bool is_text() const { return text && !numbers; }
};

/// Looks for a header: sets Table::has_header and mixed_at.
void find_header(const std::vector<Content>& first, const std::vector<Content>& below, bool has_more,
                 Table* table) {
  const auto text_over_numbers = [&](std::size_t column) {
    return has_more && first[column].text && !below[column].is_text();
  };
  const auto has_number = [](const Content& content) { return content.numbers; };
  const auto has_text = [](const Content& content) { return content.text; };
  const bool any_number = std::any_of(first.begin(), first.end(), has_number);
  std::size_t column = 0;
  while (column < first.size() && !text_over_numbers(column)) ++column;
  table->has_header =
      has_more ? column < first.size() : !any_number && std::any_of(first.begin(), first.end(), has_text);
  if (has_more && table->has_header && any_number) table->mixed_at = column;
}

Table look_at(std::string_view text, const std::string& path) {
  Table table;
  table.separator = find_separator(text);
  Scanner scanner(text, table.separator, path);
  if (!scanner.begin_record()) throw messages::csv_empty(path);
  table.first_record = take_record(&scanner);
  table.columns = static_cast<std::int64_t>(table.first_record.size());

  std::vector<Content> first(table.first_record.size());
  for (std::size_t column = 0; column < first.size(); ++column) first[column].add(table.first_record[column]);
  std::vector<Content> below(first.size());
  std::int64_t records = 0;
  for (; records < kSampleRecords && scanner.begin_record(); ++records) {
    for_each_field(table, &scanner, [&](std::size_t column) { below[column].add(scanner.take_field()); });
  }
  find_header(first, below, records > 0, &table);
  for (std::size_t column = 0; column < first.size(); ++column) {
    Content all = below[column];
    if (!table.has_header) all.add(table.first_record[column]);
    if (all.is_text()) table.text_columns.push_back(column);
  }
  return table;
}

void require_numbers(const Table& table, const std::string& path) {
  if (static_cast<std::int64_t>(table.text_columns.size()) == table.columns) {
    const bool blanks = table.first_record[0].find(' ') != std::string::npos;
    throw messages::csv_no_numbers(path,
                                   table.columns == 1 && blanks
                                       ? "separate the fields by commas, tabs or semicolons, not by blanks"
                                       : "give at least one");
  }
  if (table.text_columns.size() < 2) return;
  constexpr std::size_t kMostNamed = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(table.text_columns.size(), kMostNamed); ++i) {
    names += (i > 0 ? ", " : "") + describe_column(table, table.text_columns[i]);
  }
  if (table.text_columns.size() > kMostNamed) names += " and more";
  throw messages::csv_labels(path, table.text_columns.size(), names);
}

/// At most so many records are in the text, the last of them perhaps cut short: a record has a line, and for
/// each of its fields a separator or line end.
std::int64_t most_records(std::string_view text, const Table& table) {
  const std::int64_t lines = std::count(text.begin(), text.end(), '\n') + 1;
  return std::min(lines, static_cast<std::int64_t>(text.size()) / table.columns + 1);
}

std::optional<LabelColumn> find_labels(const Table& table) {
  if (table.text_columns.empty()) return std::nullopt;
  LabelColumn labels;
  const std::size_t column = table.text_columns[0];
  labels.number = static_cast<std::int64_t>(column) + 1;
  if (table.has_header) labels.name = trim(table.first_record[column]);
  return labels;
}

/// The names of the columns of numbers.
std::vector<std::string> find_names(const Table& table) {
  std::vector<std::string> names;
  if (!table.has_header) return names;
  for (std::size_t column = 0; column < table.first_record.size(); ++column) {
    const bool is_label = !table.text_columns.empty() && table.text_columns[0] == column;
    if (!is_label) names.emplace_back(trim(table.first_record[column]));
  }
  return names;
}

class Reader {
 public:
  Reader(std::string_view text, const Table& table, const std::string& path)
      : table_(table), scanner_(text, table.separator, path) {}

  /// Fills rows of numbers, and the labels if there are any; returns how many rows.
  std::int64_t read(double* numbers, LabelColumn* labels) {
    if (table_.has_header && scanner_.begin_record()) take_record(&scanner_);
    const std::size_t label = labels != nullptr ? table_.text_columns[0] : table_.first_record.size();
    std::int64_t rows = 0;
    for (; scanner_.begin_record(); ++rows) {
      for_each_field(table_, &scanner_, [&](std::size_t column) {
        if (column == label)
          labels->values.emplace_back(scanner_.take_field());
        else
          *numbers++ = take_number(column);
      });
    }
    return rows;
  }

  /// A note on fields that held nothing, if there were any.
  std::vector<std::string> notes() const {
    if (missing_ == 0) return {};
    return {messages::csv_missing(missing_, first_missing_)};
  }

 private:
  double take_number(std::size_t column) {
    const std::optional<double> plain = scanner_.take_plain_number();
    if (plain) return *plain;
    const std::string_view field = scanner_.take_field();
    const Value value = parse_value(field);
    if (value.kind == Kind::kText || value.kind == Kind::kDecimalComma) {
      throw messages::csv_not_a_number(scanner_.field_place(), describe_column(table_, column), field,
                                       value.kind == Kind::kDecimalComma);
    }
    if (value.kind == Kind::kTooLarge) {
      throw messages::csv_beyond_float64(scanner_.field_place(), describe_column(table_, column), field);
    }
    if (value.kind == Kind::kInexact)
      throw messages::csv_inexact_integer(scanner_.field_place(), describe_column(table_, column), field);
    if (value.kind == Kind::kEmpty && missing_++ == 0)
      first_missing_ = messages::text(scanner_.field_place(), ", ", describe_column(table_, column));
    return value.number;
  }

  const Table& table_;
  Scanner scanner_;
  std::int64_t missing_ = 0;
  std::string first_missing_;
};

/// pandas.DataFrame(x).to_csv() writes a header of 0, 1, 2, ... and in front a nameless column of row
/// numbers, which no rule can tell from points.
std::vector<std::string> find_doubts(const Table& table) {
  std::vector<std::string> doubts;
  const std::vector<std::string>& first = table.first_record;
  const bool first_is_label = !table.text_columns.empty() && table.text_columns[0] == 0;
  const bool nameless = trim(first[0]).empty();
  if (table.mixed_at) doubts.push_back(messages::csv_mixed_header(describe_column(table, *table.mixed_at)));
  if (table.has_header) {
    if (nameless && !first_is_label) doubts.push_back(messages::csv_nameless_column());
    return doubts;
  }
  const std::size_t begin = nameless ? 1 : 0;
  std::size_t column = begin;
  while (column < first.size() && first[column] == std::to_string(column - begin)) ++column;
  if (column == first.size() && column - begin >= 2) doubts.push_back(messages::csv_counting_line());
  return doubts;
}

/// The text without its byte order mark.
std::string_view require_utf8(std::string_view text, const std::string& path) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw messages::csv_encoding(path, "UTF-16");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.find('\0') != text.npos) throw messages::csv_binary(path);
  const std::size_t carriage_return = text.find('\r');
  if (carriage_return < text.size() - 1 && text.find('\n') == text.npos)
    throw messages::csv_old_line_ends(path);
  return text;
}

}  // namespace

Points read_csv(InputFile* file) {
  const std::string& path = file->path();
  require_memory_for(*file, file->remaining());
  const std::string bytes = file->read_rest();
  const std::string_view text = require_utf8(bytes, path);
  const Table table = look_at(text, path);
  require_numbers(table, path);

  const std::int64_t cols = table.columns - static_cast<std::int64_t>(table.text_columns.size());
  const std::int64_t most_rows = most_records(text, table);
  require_memory_for(*file, most_rows * cols * std::int64_t{sizeof(double)});
  Matrix elements(DType::kFloat64, most_rows, cols);
  std::optional<LabelColumn> labels = find_labels(table);
  Reader reader(text, table, path);
  const std::int64_t rows = reader.read(elements.as<double>(), labels ? &*labels : nullptr);

  const MatrixView view(elements.as<double>(), rows, cols);
  Points points(path, std::move(elements), view);
  points.names = find_names(table);
  points.labels = std::move(labels);
  points.notes = find_doubts(table);
  for (std::string& note : reader.notes()) points.notes.push_back(std::move(note));
  return points;
}

}  // namespace quadrance::internal
