// SPDX-License-Identifier: Apache-2.0
// The extension quadrance._core. Its functions take every argument by position; quadrance/_distances.py gives
// them names, defaults and documentation.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "arrays.h"
#include "errors.h"
#include "finite.h"
#include "gil.h"
#include "options.h"
#include "quadrance/device.h"
#include "quadrance/pairwise.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace quadrance::python {
namespace {

constexpr Caller kDistances{"distances", "X", "Y"};
constexpr Caller kPairwise{"pairwise_distances", "X", "Y"};
constexpr Caller kCdist{"cdist", "XA", "XB"};
constexpr Caller kPdist{"pdist", "X", ""};
constexpr Caller kPlan{"plan", "X", "Y"};
constexpr Caller kSimilarity{"similarity", "X", "Y", "kernel"};

constexpr const char* kNameOfMetric = "the name of a metric, see metrics(),";

/// What every function is asked besides its points.
struct Request {
  nb::handle metric, parameters, out, dtype, device, threads, memory_limit, progress;
  bool condensed = false;
  bool similarity = false;
};

/// Calls f; what the library throws comes out under the caller's name: "[plan] ..." as "[cdist] ...".
template <class F>
auto named(const Caller& caller, const F& f) {
  try {
    return f();
  } catch (const Error& error) {
    const std::string_view text = error.what();
    const std::size_t end = text.starts_with('[') ? text.find("] ") : text.npos;
    if (end == text.npos) throw;
    throw Error(error.code(), "[" + std::string(caller.operation).append(text.substr(end)));
  }
}

/// None, or a dict of name to number or list of numbers: _distances.py makes it.
MetricParameters parameters_argument(nb::handle given, std::int64_t features) {
  MetricParameters parameters;
  if (given.is_none()) return parameters;
  const auto dict = nb::cast<nb::dict>(given);
  if (dict.contains("categorical_mask") && nb::cast<std::int64_t>(dict["categorical_mask"]) != features) {
    throw Error(ErrorCode::kShape, "[metric] categorical is a mask of " +
                                       std::to_string(nb::cast<std::int64_t>(dict["categorical_mask"])) +
                                       " features; the points have " + std::to_string(features));
  }
  for_each_parameter(parameters, [&dict, features]<class Value>(const char* name, Value& into) {
    if (!dict.contains(name)) return;
    into = nb::cast<Value>(dict[name]);
    if constexpr (std::is_same_v<Value, std::vector<double>>) {
      if (into.empty() && features > 0)
        throw Error(ErrorCode::kShape, std::string("[metric] ") + name + " is empty; numbers for " +
                                           std::to_string(features) + " features are needed");
    }
  });
  return parameters;
}

Options make_options(const Caller& caller, const Request& request, std::int64_t features) {
  Options options;
  options.x_name = caller.x;
  options.y_name = caller.y;
  options.parameters = parameters_argument(request.parameters, features);
  options.metric = name_argument(caller, caller.metric, request.metric, kNameOfMetric);
  options.layout = request.condensed ? Layout::kCondensed : Layout::kDense;
  options.dtype = result_dtype(request.dtype, caller.operation);
  options.device = name_argument(caller, "device", request.device, "'auto' or the name of a device");
  const std::int64_t threads = integer_argument(caller, "threads", request.threads, 0);
  using Int = std::numeric_limits<int>;
  options.threads = static_cast<int>(std::clamp<std::int64_t>(threads, Int::min(), Int::max()));
  options.memory_limit = integer_argument(caller, "memory_limit", request.memory_limit, 0);
  if (options.memory_limit < 0 || (options.memory_limit == 0 && !request.memory_limit.is_none())) {
    throw Error(ErrorCode::kOption,
                "[" + std::string(caller.operation) + "] memory_limit must be a number of bytes above 0");
  }
  return options;
}

/// Ctrl-C and the user's callback, from the thread that made the call.
class Watch final : public Progress {
 public:
  explicit Watch(nb::handle callback) : callback_(callback) {}

  /// A Python error is left set and stops the job: it is what the caller gets to see.
  bool update(std::int64_t done, std::int64_t total) override {
    const GilTaken gil;
    done_ = done;
    total_ = total;
    return outlive_python([&] { return PyErr_CheckSignals() == 0 && tell(done); });
  }

  /// Callers that were told of a part are told of the whole.
  void finish() {
    const bool told = total_ == 0 || done_ == total_ || tell(total_);
    if (!told && PyErr_Occurred() != nullptr) throw nb::python_error();
  }

 private:
  bool tell(std::int64_t done) {
    if (callback_.is_none()) return true;
    PyObject* answer = PyObject_CallFunction(callback_.ptr(), "LL", static_cast<long long>(done),
                                             static_cast<long long>(total_));
    if (answer == nullptr) return false;
    // A comparison of NumPy's numbers gives its own False. Other false values (0, None, "") go on.
    const std::string_view type = Py_TYPE(answer)->tp_name;
    const bool is_bool = answer == Py_False || type == "numpy.bool" || type == "numpy.bool_";
    const bool go_on = !is_bool || PyObject_IsTrue(answer) > 0;
    Py_DECREF(answer);
    return go_on;
  }

  nb::handle callback_;
  std::int64_t done_ = 0;
  std::int64_t total_ = 0;
};

/// Calls engine(options) without the GIL.
template <class Engine>
auto run(const Caller& caller, const Request& request, Options* options, const Engine& engine) {
  if (!request.progress.is_none() && PyCallable_Check(request.progress.ptr()) == 0) {
    refuse_argument(caller.operation, "progress", request.progress, "a function progress(done, total)");
  }
  Watch watch(request.progress);
  options->progress = &watch;
  const auto unlocked = [&] {
    const GilReleased released;
    return engine(*options);
  };
  try {
    if constexpr (std::is_void_v<decltype(unlocked())>) {
      unlocked();
      watch.finish();
    } else {
      auto result = unlocked();
      watch.finish();
      return result;
    }
  } catch (const Error&) {
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    throw;
  }
}

/// What pairwise_distances requires of its points, by ensure_all_finite.
enum class Finite { kAll, kButNan, kNone };

Finite finite_argument(nb::handle all_finite) {
  constexpr const char* kName = "ensure_all_finite";
  if (!nb::isinstance<nb::str>(all_finite)) {
    const bool all = flag_argument(kPairwise, kName, all_finite, "True, False or 'allow-nan'");
    return all ? Finite::kAll : Finite::kNone;
  }
  if (nb::cast<std::string_view>(all_finite) == "allow-nan") return Finite::kButNan;
  throw nb::value_error("[pairwise_distances] ensure_all_finite must be True, False or 'allow-nan'");
}

/// The points of a call.
class Points {
 public:
  Points(const Caller& caller, nb::handle x, nb::handle y)
      : caller_(caller), x_(x, caller.operation, caller.x) {
    if (!y.is_none()) y_.emplace(y, caller.operation, caller.y);
  }

  const MatrixView& x() const { return x_.view(); }
  const MatrixView* y() const { return y_ ? &y_->view() : nullptr; }

  std::int64_t rows_out(bool condensed) const { return condensed ? 1 : x().rows; }
  std::int64_t cols_out(bool condensed) const {
    return condensed ? condensed_size(x().rows) : y_ ? y()->rows : x().rows;
  }

  /// SciPy's and scikit-learn's rule: float32 stays float32, everything else gives float64.
  DType peer_dtype() const {
    const bool all_float32 = x().dtype == DType::kFloat32 && (!y_ || y()->dtype == DType::kFloat32);
    return all_float32 ? DType::kFloat32 : DType::kFloat64;
  }

  /// The library sees whether out overlaps the views; copies hide what they were made from.
  void require_apart(nb::handle out) const {
    x_.require_apart(out, caller_.operation, caller_.x);
    if (y_) y_->require_apart(out, caller_.operation, caller_.y);
  }

  /// scikit-learn's refusals: no points, no features, and numbers that are not finite.
  void check_like_sklearn(Finite required) const {
    check_like_sklearn(required, x(), caller_.x);
    if (y_) check_like_sklearn(required, *y(), caller_.y);
  }

 private:
  static void check_like_sklearn(Finite required, const MatrixView& view, const char* name);

  Caller caller_;
  Input x_;
  std::optional<Input> y_;
};

void Points::check_like_sklearn(Finite required, const MatrixView& view, const char* name) {
  if (view.rows == 0 || view.cols == 0) {
    throw Error(ErrorCode::kShape, std::string("Found array with 0 ") +
                                       (view.rows == 0 ? "sample" : "feature") + "(s) (shape=(" +
                                       std::to_string(view.rows) + ", " + std::to_string(view.cols) +
                                       ")) while a minimum of 1 is required: " + name +
                                       " of pairwise_distances; " + "distances() takes empty arrays.");
  }
  if (required == Finite::kNone) return;
  const bool allow_nan = required == Finite::kButNan;
  std::optional<NotFinite> found;
  constexpr std::int64_t kElements = std::int64_t{1} << 22;  // some ms of work between looks at Ctrl-C
  const std::int64_t step = std::max<std::int64_t>(1, kElements / view.cols);
  for (std::int64_t first = 0; first < view.rows && !found; first += step) {
    MatrixView part = view;
    part.data = static_cast<const std::byte*>(view.data) + first * view.row_stride;
    part.rows = std::min(step, view.rows - first);
    {
      const GilReleased released;
      found = find_not_finite(part, allow_nan);
    }
    if (found) found->row += first;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  if (!found) return;
  const std::string text =
      std::string("Input ") + name + " contains " + (found->nan ? "NaN" : "infinity") + ": " + name + "[" +
      std::to_string(found->row) + ", " + std::to_string(found->col) +
      "]; ensure_all_finite=" + (found->nan ? "'allow-nan'" : "False") + " lets it pass.";
  const nb::object type = nb::module_::import_("quadrance._errors").attr("NotFiniteError");
  PyErr_SetString(type.ptr(), text.c_str());
  throw nb::python_error();
}

nb::object compute(const Caller& caller, const Request& request, const Points& points, bool peer_dtypes,
                   bool from_both = false) {
  return named(caller, [&] {
    Options options = make_options(caller, request, points.x().cols);
    options.parameters.from_both = from_both;
    const MatrixView& x = points.x();
    const MatrixView* y = points.y();
    if (!request.out.is_none()) {
      const Output out(request.out, caller.operation, request.condensed, points.rows_out(request.condensed),
                       points.cols_out(request.condensed));
      points.require_apart(request.out);
      run(caller, request, &options, [&](const Options& with) {
        const auto into = [&](const auto&... sets) {
          request.similarity ? similarities_into(out.view(), sets..., with)
                             : distances_into(out.view(), sets..., with);
        };
        y != nullptr ? into(x, *y) : into(x);
      });
      return nb::borrow(request.out);
    }
    if (peer_dtypes && !options.dtype) options.dtype = points.peer_dtype();
    Matrix result = run(caller, request, &options, [&](const Options& with) {
      const auto fresh = [&](const auto&... sets) {
        return request.similarity ? similarities(sets..., with) : quadrance::distances(sets..., with);
      };
      return y != nullptr ? fresh(x, *y) : fresh(x);
    });
    return to_numpy(std::move(result), request.condensed);
  });
}

nb::object distances(nb::handle x, nb::handle y, nb::handle metric, nb::handle parameters, nb::handle out,
                     nb::handle dtype, nb::handle condensed, nb::handle device, nb::handle threads,
                     nb::handle memory_limit, nb::handle progress) {
  const bool triangle = flag_argument(kDistances, "condensed", condensed);
  return compute(kDistances,
                 {metric, parameters, out, dtype, device, threads, memory_limit, progress, triangle},
                 Points(kDistances, x, y), false);
}

nb::object pairwise_distances(nb::handle x, nb::handle y, nb::handle metric, nb::handle parameters,
                              nb::handle all_finite, nb::handle out, nb::handle dtype, nb::handle device,
                              nb::handle threads, nb::handle memory_limit, nb::handle progress) {
  const Request request{metric, parameters, out, dtype, device, threads, memory_limit, progress};
  const Points points(kPairwise, x, y);
  return named(kPairwise, [&] {
    const std::string name = name_argument(kPairwise, kPairwise.metric, metric, kNameOfMetric);
    const Finite required = finite_argument(all_finite);
    const bool allow_nan = required == Finite::kAll && find_metric(name).nan_is_missing;
    points.check_like_sklearn(allow_nan ? Finite::kButNan : required);
    return compute(kPairwise, request, points, true);
  });
}

nb::object cdist(nb::handle x, nb::handle y, nb::handle metric, nb::handle parameters, nb::handle out,
                 nb::handle dtype, nb::handle device, nb::handle threads, nb::handle memory_limit,
                 nb::handle progress) {
  if (y.is_none())
    refuse_argument(kCdist.operation, kCdist.y, y, "an array of points (distances(X) takes one set)");
  return compute(kCdist, {metric, parameters, out, dtype, device, threads, memory_limit, progress},
                 Points(kCdist, x, y), true, true);
}

nb::object pdist(nb::handle x, nb::handle metric, nb::handle parameters, nb::handle out, nb::handle dtype,
                 nb::handle device, nb::handle threads, nb::handle memory_limit, nb::handle progress) {
  return compute(kPdist, {metric, parameters, out, dtype, device, threads, memory_limit, progress, true},
                 Points(kPdist, x, nb::none()), true);
}

nb::object similarity(nb::handle x, nb::handle y, nb::handle kernel, nb::handle parameters, nb::handle out,
                      nb::handle dtype, nb::handle device, nb::handle threads, nb::handle memory_limit,
                      nb::handle progress) {
  return compute(kSimilarity,
                 {kernel, parameters, out, dtype, device, threads, memory_limit, progress, false, true},
                 Points(kSimilarity, x, y), false);
}

Plan plan(nb::handle x, nb::handle y, nb::handle metric, nb::handle parameters, nb::handle out,
          nb::handle dtype, nb::handle condensed, nb::handle device, nb::handle threads,
          nb::handle memory_limit) {
  const bool triangle = flag_argument(kPlan, "condensed", condensed);
  const Points points(kPlan, x, y);
  const Request request{metric, parameters, out, dtype, device, threads, memory_limit, nb::none(), triangle};
  return named(kPlan, [&] {
    const Options options = make_options(kPlan, request, points.x().cols);
    if (out.is_none()) {
      return points.y() != nullptr ? make_plan(points.x(), *points.y(), options)
                                   : make_plan(points.x(), options);
    }
    const Output output(out, kPlan.operation, triangle, points.rows_out(triangle), points.cols_out(triangle));
    return points.y() != nullptr ? make_plan(output.view(), points.x(), *points.y(), options)
                                 : make_plan(output.view(), points.x(), options);
  });
}

std::vector<std::string_view> aliases(const MetricInfo& metric) { return metric.aliases(); }

nb::dict info() {
  const ThreadCount threads = default_threads();
  nb::dict out;
  out["version"] = version();
  out["threads"] = threads.threads;
  out["threads_source"] = threads.source;
  nb::list places;
  for (const DeviceInfo& device : devices()) {
    nb::dict place;
    place["name"] = device.name;
    place["description"] = device.description;
    place["targets"] = device.targets;
    place["unavailable"] = device.unavailable;
    places.append(place);
  }
  out["devices"] = places;
  return out;
}

bool takes(const char* operation, nb::handle metric, std::string_view parameter) {
  const Caller caller{operation, "X", "Y"};
  const std::string name = name_argument(caller, caller.metric, metric, kNameOfMetric);
  return named(caller, [&] { return find_metric(name).takes(parameter); });
}

std::vector<std::string_view> parameters_of(const MetricInfo& metric) {
  std::vector<std::string_view> names;
  const MetricParameters none;
  for_each_parameter(none, [&](const char* name, const auto&) {
    if (metric.takes(name)) names.push_back(name);
  });
  return names;
}

nb::dict metrics() {
  nb::dict out;
  for (const MetricInfo& metric : quadrance::metrics()) out[nb::cast(metric.name())] = nb::cast(metric);
  return out;
}

void bind_metric(nb::module_& m) {
  nb::class_<MetricInfo>(m, "Metric")
      .def_prop_ro("name", [](const MetricInfo& metric) { return metric.name(); })
      .def_prop_ro("aliases", &aliases)
      .def_ro("formula", &MetricInfo::formula)
      .def_ro("source", &MetricInfo::source)
      .def_ro("symmetric", &MetricInfo::symmetric)
      .def_ro("nonnegative", &MetricInfo::nonnegative)
      .def_ro("zero_self", &MetricInfo::zero_self)
      .def_ro("triangle", &MetricInfo::triangle)
      .def_prop_ro("degree",
                   [](const MetricInfo& metric) {
                     const bool homogeneous = metric.degree != MetricInfo::kNotHomogeneous;
                     return homogeneous ? std::optional(metric.degree) : std::nullopt;
                   })
      .def_ro("similarity", &MetricInfo::similarity)
      .def_ro("domain", &MetricInfo::domain)
      .def_ro("accuracy", &MetricInfo::accuracy)
      .def_ro("edges", &MetricInfo::edges)
      .def_prop_ro("parameters", &parameters_of)
      .def("__repr__", [](const MetricInfo& metric) {
        return "<quadrance.Metric " + std::string(metric.name()) + ": " + std::string(metric.formula) + ">";
      });
}

void bind_plan(nb::module_& m) {
  nb::class_<Plan>(m, "Plan")
      .def_prop_ro("metric", [](const Plan& plan) { return plan.metric->name(); })
      .def_prop_ro("condensed", [](const Plan& plan) { return plan.layout == Layout::kCondensed; })
      .def_ro("n", &Plan::n)
      .def_ro("m", &Plan::m)
      .def_ro("d", &Plan::d)
      .def_ro("symmetric", &Plan::symmetric)
      .def_prop_ro("input_dtype", [](const Plan& plan) { return name_of(plan.input); })
      .def_prop_ro("compute_dtype", [](const Plan& plan) { return name_of(plan.compute); })
      .def_prop_ro("dtype", [](const Plan& plan) { return name_of(plan.result); })
      .def_ro("device", &Plan::device)
      .def_ro("target", &Plan::target)
      .def_ro("target_source", &Plan::target_source)
      .def_ro("skipped", &Plan::skipped)
      .def_prop_ro("kernel", &Plan::kernel)
      .def_ro("threads", &Plan::threads)
      .def_ro("threads_source", &Plan::threads_source)
      .def_ro("tile_rows", &Plan::tile_rows)
      .def_ro("tile_cols", &Plan::tile_cols)
      .def_ro("tiles", &Plan::tiles)
      .def_ro("pairs", &Plan::pairs)
      .def_ro("bytes_in", &Plan::bytes_in)
      .def_ro("bytes_out", &Plan::bytes_out)
      .def_ro("bytes_out_new", &Plan::bytes_out_new)
      .def_ro("bytes_scratch", &Plan::bytes_scratch)
      .def_ro("bytes_available", &Plan::bytes_available)
      .def("explain", &Plan::explain)
      .def("__str__", &Plan::explain)
      .def("__repr__", [](const Plan& plan) {
        return "<quadrance.Plan " + plan.kernel() + ", " + std::to_string(plan.n) + " x " +
               std::to_string(plan.m) + ", d = " + std::to_string(plan.d) + ">";
      });
}

}  // namespace
}  // namespace quadrance::python

NB_MODULE(_core, m) {
  using namespace quadrance::python;
  import_numpy();
  register_errors();
  bind_metric(m);
  bind_plan(m);
  m.def("version", &quadrance::version);
  m.def("info", &info);
  m.def("metrics", &metrics);
  m.def("takes", &takes, "operation"_a, "metric"_a.none(), "parameter"_a);
  m.def("release_memory", &quadrance::release_memory);
  m.def("default_threads", [] { return quadrance::default_threads().threads; });
  m.def("distances", &distances, "X"_a.none(), "Y"_a.none(), "metric"_a.none(), "parameters"_a.none(),
        "out"_a.none(), "dtype"_a.none(), "condensed"_a.none(), "device"_a.none(), "threads"_a.none(),
        "memory_limit"_a.none(), "progress"_a.none());
  m.def("pairwise_distances", &pairwise_distances, "X"_a.none(), "Y"_a.none(), "metric"_a.none(),
        "parameters"_a.none(), "ensure_all_finite"_a.none(), "out"_a.none(), "dtype"_a.none(),
        "device"_a.none(), "threads"_a.none(), "memory_limit"_a.none(), "progress"_a.none());
  m.def("cdist", &cdist, "XA"_a.none(), "XB"_a.none(), "metric"_a.none(), "parameters"_a.none(),
        "out"_a.none(), "dtype"_a.none(), "device"_a.none(), "threads"_a.none(), "memory_limit"_a.none(),
        "progress"_a.none());
  m.def("pdist", &pdist, "X"_a.none(), "metric"_a.none(), "parameters"_a.none(), "out"_a.none(),
        "dtype"_a.none(), "device"_a.none(), "threads"_a.none(), "memory_limit"_a.none(),
        "progress"_a.none());
  m.def("similarity", &similarity, "X"_a.none(), "Y"_a.none(), "kernel"_a.none(), "parameters"_a.none(),
        "out"_a.none(), "dtype"_a.none(), "device"_a.none(), "threads"_a.none(), "memory_limit"_a.none(),
        "progress"_a.none());
  m.def("plan", &plan, "X"_a.none(), "Y"_a.none(), "metric"_a.none(), "parameters"_a.none(), "out"_a.none(),
        "dtype"_a.none(), "condensed"_a.none(), "device"_a.none(), "threads"_a.none(),
        "memory_limit"_a.none());
}
