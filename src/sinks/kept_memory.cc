// SPDX-License-Identifier: Apache-2.0
#include "sinks/kept_memory.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>

#include "quadrance/matrix.h"

namespace quadrance {
namespace internal {
namespace {

struct Block {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
};

void unmap(Block block) noexcept {
  if (block.bytes != 0) munmap(reinterpret_cast<void*>(block.address), block.bytes);
}

/// One word, so that a child of fork() never finds it locked: the address, whose low bits are 0, and in those
/// the size in huge pages.
class Slot {
 public:
  /// Puts a block in and returns the one that was there.
  Block exchange(Block block) noexcept {
    const std::uintptr_t word = kept_.exchange(block.address | block.bytes / kHugePage);
    return {word & ~kSizeMask, (word & kSizeMask) * kHugePage};
  }

 private:
  static constexpr std::uintptr_t kSizeMask = kHugePage - 1;
  static_assert(kMostKept / kHugePage <= kSizeMask);
  std::atomic<std::uintptr_t> kept_{0};
};

constinit Slot small_slot;
constinit Slot large_slot;

/// Small results come and go beside a large one, and do not take its place.
Slot& slot_of(std::size_t bytes) { return bytes <= kMostSmall ? small_slot : large_slot; }

/// Aligned to huge pages; the pages come when they are first touched.
void* map_huge(std::size_t bytes) noexcept {
  const std::size_t reserved = bytes + kHugePage;
  void* raw =
      mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t aligned = (address + kHugePage - 1) & ~(kHugePage - 1);
  unmap({address, aligned - address});
  unmap({aligned + bytes, address + reserved - (aligned + bytes)});
  // Only advice: without transparent huge pages the memory works all the same, 4 KiB at a time.
  madvise(reinterpret_cast<void*>(aligned), bytes, MADV_HUGEPAGE);
  return reinterpret_cast<void*>(aligned);
}

}  // namespace

void* take_block(std::size_t bytes) noexcept {
  Slot& slot = slot_of(bytes);
  const Block kept = slot.exchange({});
  if (kept.bytes >= bytes && kept.bytes / 2 <= bytes) {
    unmap({kept.address + bytes, kept.bytes - bytes});
    return reinterpret_cast<void*>(kept.address);
  }
  // A smaller one goes, so that the two never add up; a much larger one waits for its like.
  unmap(kept.bytes < bytes ? kept : slot.exchange(kept));
  void* const fresh = map_huge(bytes);
  if (fresh != nullptr) return fresh;
  release_memory();
  return map_huge(bytes);
}

void return_block(void* block, std::size_t bytes) noexcept {
  const Block returned{reinterpret_cast<std::uintptr_t>(block), bytes};
  // MADV_FREE: Linux 4.5. Where it fails the pages could not be reclaimed.
  if (bytes > kMostKept || madvise(block, bytes, MADV_FREE) != 0) return unmap(returned);
  unmap(slot_of(bytes).exchange(returned));
}

}  // namespace internal

void release_memory() noexcept {
  internal::unmap(internal::small_slot.exchange({}));
  internal::unmap(internal::large_slot.exchange({}));
}

}  // namespace quadrance
