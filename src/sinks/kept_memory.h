// SPDX-License-Identifier: Apache-2.0
// Memory of large matrices: address space backed by huge pages. One large block of it and a small one outlive
// their matrices.
#pragma once

#include <cstddef>

namespace quadrance::internal {

/// Blocks are multiples of this, and begin at one.
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;
/// Blocks up to this are kept apart from larger ones.
inline constexpr std::size_t kMostSmall = 2 * kHugePage;
/// Larger blocks are never kept.
inline constexpr std::size_t kMostKept = std::size_t{512} << 20;

/// A block of this many bytes (a multiple of kHugePage): the one kept of its kind, cut to size, if that is at
/// most twice as large; else fresh address space, whose pages come when they are first touched. Null: the
/// system refuses.
void* take_block(std::size_t bytes) noexcept;

/// Keeps the block for a later take_block(), in place of the one that was kept of its kind, or gives it back
/// to the system if it is too large. The system may reclaim a kept block's pages at any time.
void return_block(void* block, std::size_t bytes) noexcept;

}  // namespace quadrance::internal
