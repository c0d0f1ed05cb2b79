// SPDX-License-Identifier: Apache-2.0
// The subcommands. Each adds itself with its options; parsing the command line runs it.
#pragma once

namespace CLI {
class App;
}

namespace quadrance::cli {

void add_dist(CLI::App* app);
void add_info(CLI::App* app);
void add_metrics(CLI::App* app);

}  // namespace quadrance::cli
