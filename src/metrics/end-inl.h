// SPDX-License-Identifier: Apache-2.0
// Closes what begin-inl.h opened.
#undef QDR_INLINE
#ifdef QDR_SIMD
}  // namespace quadrance::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#else
}  // namespace quadrance::internal::plain
#endif
