// SPDX-License-Identifier: Apache-2.0
// quadrance dist: the distances between the points of one file, or of two.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "commands.h"
#include "exit_status.h"
#include "input/npy.h"
#include "input/output_file.h"
#include "input/points.h"
#include "interrupt.h"
#include "messages.h"
#include "parameters.h"
#include "progress_line.h"
#include "quadrance/metric.h"
#include "quadrance/pairwise.h"
#include "report.h"

namespace quadrance::cli {
namespace {

using internal::Points;
using internal::messages::human_bytes;

constexpr const char* kExamples = R"(Examples (from the source folder):
  quadrance dist examples/data/landsat-satellite.csv -o landsat.npy
  quadrance dist examples/data/landsat-satellite.csv -o pairs.npy --condensed --dtype float32
  quadrance dist examples/data/landsat-satellite.csv -m minkowski --param p=3 -o cubes.npy
  quadrance dist examples/data/landsat-satellite.csv -m sqeuclidean --explain
)";

/// The command line.
struct Request {
  std::string x;
  std::string y;  // empty: the points of x among themselves
  std::string output;
  std::string metric = "euclidean";
  std::vector<std::string> parameters;
  std::string dtype;
  std::string device = "auto";
  int threads = 0;
  bool condensed = false;
  bool explain = false;
  bool overwrite = false;
  bool quiet = false;
};

std::string metric_names() {
  std::string names;
  for (const MetricInfo& metric : metrics()) {
    if (!metric.similarity) names.append(names.empty() ? "" : ", ").append(metric.name());
  }
  return names;
}

bool ends_with_npy(const std::string& path) { return path.size() > 4 && path.ends_with(".npy"); }

/// Everything that can be refused before a file is read.
void check(const Request& request) {
  if (request.x == "-" && request.y == "-") {
    throw CommandError(kUsage, {"both sets of points are to come from the standard input", "option -y -",
                                "give a file for one of them"});
  }
  if (request.output.empty()) {
    if (request.explain) return;
    throw CommandError(
        kUsage, {"no output is named", "option -o", "give -o FILE.npy, or --explain alone for the plan"});
  }
  if (request.output == "-") {
    if (isatty(STDOUT_FILENO) == 1) {
      throw CommandError(kUsage, {"the matrix would be written to a terminal", "option -o",
                                  "redirect the output: -o - > FILE.npy, or give -o FILE.npy"});
    }
    return;
  }
  if (!ends_with_npy(request.output)) {
    throw CommandError(kUsage, {"the output is in NumPy's format, but its name does not say so",
                                "option -o " + request.output, "give a name that ends in .npy"});
  }
  internal::require_new_file(request.output, request.overwrite);
  for (const std::string& input : {request.x, request.y}) {
    std::error_code none;  // a file that is not there is the reader's to refuse
    if (input.empty() || input == "-" || !std::filesystem::equivalent(input, request.output, none)) continue;
    throw CommandError(kUsage, {"the output is the same file as the input", "option -o " + request.output,
                                "give another name; points are never overwritten"});
  }
}

Options options_of(const Request& request) {
  Options options;
  options.metric = request.metric;
  options.parameters = parse_parameters(request.parameters);
  options.layout = request.condensed ? Layout::kCondensed : Layout::kDense;
  if (!request.dtype.empty()) options.dtype = find_dtype(request.dtype);
  options.device = request.device;
  options.threads = request.threads;
  return options;
}

/// "1 point", "3 points".
std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void tell_about(const Points& points) {
  const MatrixView& view = points.view();
  std::cerr << "read   " << points.source() << ": " << counted(view.rows, "point") << " of "
            << counted(view.cols, "feature") << ", " << name_of(view.dtype) << '\n';
  if (points.labels) {
    std::cerr << "note   label column ";
    if (points.labels->name.empty())
      std::cerr << points.labels->number;
    else
      std::cerr << '\'' << points.labels->name << '\'';
    std::cerr << " set aside\n";
  }
  for (const std::string& note : points.notes) std::cerr << "note   " << note << '\n';
}

Points read(const std::string& path, const Request& request) {
  Points points = internal::read_points(path);
  if (!request.quiet) tell_about(points);
  return points;
}

std::string place_of_metric(const Request& request) {
  std::string place = "option -m " + request.metric;
  for (const std::string& parameter : request.parameters) place += " --param " + parameter;
  return place;
}

/// The option an error is about, or the files.
std::string place_of(const Error& error, const Request& request) {
  switch (error.code()) {
    case ErrorCode::kMetric:
      return place_of_metric(request);
    case ErrorCode::kDevice:
      return "option --device " + request.device;
    default:
      break;
  }
  const std::string x = place_in(internal::FileAccess::kRead, request.x);
  const std::string y = place_in(internal::FileAccess::kRead, request.y);
  const std::string files = y.empty() ? x : "x = " + x + ", y = " + y;
  const bool may_be_a_parameter = error.code() == ErrorCode::kShape && !request.parameters.empty();
  return may_be_a_parameter ? files + ", " + place_of_metric(request) : files;
}

/// Calls f; what the library throws ends the command with the place added.
template <class F>
auto with_places(const Request& request, const F& f) {
  const auto placed = [&request](const Error& error) { return describe(error, place_of(error, request)); };
  try {
    return f();
  } catch (const Error& error) {
    throw placed(error);
  } catch (const std::bad_alloc&) {
    throw placed(internal::messages::memory_refused());
  }
}

void compute_and_write(const Request& request, Options options, const Points& x, const Points* y) {
  const Interrupt interrupt;
  const Matrix result = [&] {
    ProgressLine progress("computing", "pairs", request.quiet);
    options.progress = &progress;
    return y != nullptr ? distances(x.view(), y->view(), options) : distances(x.view(), options);
  }();
  {
    ProgressLine progress("writing", "distances", request.quiet);
    internal::write_npy(request.output, result.view(), request.condensed, request.overwrite, &progress);
  }
  if (request.quiet) return;
  std::cerr << "wrote  " << place_in(internal::FileAccess::kWrite, request.output) << ": ";
  if (!request.condensed) std::cerr << result.rows() << " x ";
  std::cerr << result.cols() << ' ' << name_of(result.dtype()) << ", "
            << human_bytes(static_cast<std::int64_t>(result.bytes())) << '\n';
}

/// An unknown metric or device is refused before files are read.
void require_known(const Request& request, Options options) {
  const MetricInfo& metric = find_metric(options.metric);
  if (metric.similarity) {  // the library's hint is a function of its own, which the command has not
    throw CommandError(kUsage, {std::string(metric.name()) + " is a similarity, not a distance",
                                place_of_metric(request), "give a distance: quadrance metrics lists them"});
  }
  options.parameters = {};
  make_plan(MatrixView::shape(DType::kFloat32, 0, metric.features), options);
}

void run(const Request& request) {
  check(request);
  const Options options = options_of(request);
  require_known(request, options);
  const Points x = read(request.x, request);
  const std::optional<Points> y =
      request.y.empty() ? std::nullopt : std::optional<Points>(read(request.y, request));
  const Plan plan = y ? make_plan(x.view(), y->view(), options) : make_plan(x.view(), options);
  if (request.explain) (request.output == "-" ? std::cerr : std::cout) << plan.explain() << std::flush;
  if (request.output.empty()) return;
  internal::require_room(request.output, plan.bytes_out);
  compute_and_write(request, options, x, y ? &*y : nullptr);
}

void add_options(CLI::App* dist, Request* request) {
  dist->add_option("FILE", request->x,
                   "points, one a row: .npy, .csv, .tsv, .txt, or - for the standard input")
      ->required();
  CLI::Option* y =
      dist->add_option("-y", request->y, "the points to take the distances to (default: those of FILE)");
  dist->add_option("-o,--output", request->output, "the .npy file to write, or - for the standard output");
  dist->add_option("-m,--metric", request->metric, metric_names())->capture_default_str();
  dist->add_option(
          "--param", request->parameters,
          "what the metric takes beside the points, as quadrance metrics says: p=3, w=1,0.5,2, degrees")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  dist->add_flag("--condensed", request->condensed, "only the pairs i < j, one-dimensional, in SciPy's order")
      ->excludes(y);
  dist->add_option("--dtype", request->dtype, "float32 or float64 (default: what the points' dtype gives)")
      ->check(CLI::IsMember({"float32", "float64"}));
  dist->add_option("--device", request->device, "auto, or a device or target that quadrance info lists")
      ->capture_default_str();
  dist->add_option(
          "-j,--threads", request->threads,
          "0: as many as quadrance info says (QUADRANCE_NUM_THREADS, else SLURM_CPUS_PER_TASK, else the CPUs "
          "that this process may use)")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  dist->add_flag("--explain", request->explain, "print the plan; without -o only that");
  dist->add_flag("--overwrite", request->overwrite, "replace the output if it exists");
  dist->add_flag("-q,--quiet", request->quiet, "say nothing on success");
}

}  // namespace

void add_dist(CLI::App* app) {
  CLI::App* dist = app->add_subcommand("dist", "The distances between the points of one file, or of two");
  const auto request = std::make_shared<Request>();
  add_options(dist, request.get());
  dist->footer(std::string(kExamples) + "\n" + exit_status_help());
  dist->callback([request] { with_places(*request, [&] { run(*request); }); });
}

}  // namespace quadrance::cli
