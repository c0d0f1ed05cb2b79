// SPDX-License-Identifier: Apache-2.0
// The command `quadrance`: data on stdout, everything else on stderr, an exit status per kind of error.
#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "commands.h"
#include "exit_status.h"
#include "interrupt.h"
#include "messages.h"
#include "quadrance/device.h"
#include "report.h"

namespace quadrance::cli {
namespace {

constexpr const char* kExamples = R"(Examples (from the source folder):
  quadrance dist examples/data/landsat-satellite.csv -o landsat.npy
  quadrance dist examples/data/landsat-satellite.csv -m sqeuclidean --explain
  quadrance info --json
)";

constexpr const char* kCommandLine = "the command line";

int fail(int status, const Report& report) {
  print(report);
  return status;
}

int fail(const CommandError& error) { return fail(error.status(), error.report()); }

/// CLI11 throws for --help and --version too, with status 0.
int end_of_parsing(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const std::vector<CLI::App*> used = app.get_subcommands();
  if (used.empty() && !app.remaining().empty()) {
    return fail(kUsage, {"there is no subcommand '" + app.remaining().front() + "'", kCommandLine,
                         "see quadrance --help"});
  }
  const std::string command = used.empty() ? "quadrance" : "quadrance " + used.front()->get_name();
  return fail(kUsage, {error.what(), kCommandLine, "see " + command + " --help"});
}

int run(int argc, char** argv) {
  CLI::App app("All-pairs distances at the speed of memory.", "quadrance");
  app.set_version_flag("--version", version());
  app.require_subcommand(1);
  app.footer(std::string(kExamples) + "\n" + exit_status_help());
  add_dist(&app);
  add_info(&app);
  add_metrics(&app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return end_of_parsing(app, error);
  }
  return kDone;
}

int run_and_report(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const CommandError& error) {
    return fail(error);
  } catch (const Error& error) {
    return fail(describe(error, kCommandLine));
  } catch (const std::bad_alloc&) {
    return fail(describe(internal::messages::memory_refused(), kCommandLine));
  } catch (const std::exception& error) {
    return fail(kBug, {error.what(), kCommandLine, "this is a bug: please report it with the command line"});
  }
}

int flush_output(int status) {
  if (std::cout.flush() || status != kDone) return status;
  return fail(describe(internal::messages::cannot_write("-", "it does not take all"), ""));
}

}  // namespace
}  // namespace quadrance::cli

int main(int argc, char** argv) {
  // A file beyond the limit of `ulimit -f` becomes an error of write(), after which the temporary file is
  // removed.
  std::signal(SIGXFSZ, SIG_IGN);
  const int status = quadrance::cli::flush_output(quadrance::cli::run_and_report(argc, argv));
  quadrance::cli::end_by_caught_signal();
  return status;
}
