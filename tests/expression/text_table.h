// SPDX-License-Identifier: Apache-2.0
// The functions of the C text of all metrics, by dtype: read by C and C++.
#ifndef QDR_TESTS_TEXT_TABLE_H
#define QDR_TESTS_TEXT_TABLE_H

#ifdef __cplusplus
extern "C" {
#endif

#define QDR_TEXT(name, real)                                                                        \
  struct name {                                                                                     \
    const char* metric; /* 0: the end of the table */                                               \
    int accumulators;                                                                               \
    void (*step)(real x, real y, real w, const real* f, const real* p, real first, real* a);        \
    real (*finish)(const real* a, const real* p, real first, real x_summary, real y_summary);       \
    void (*first_step)(real x, real y, real w, const real* f, const real* p, real first, real* a);  \
    real (*first_finish)(const real* a, const real* p, real first, real x_summary, real y_summary); \
  };
QDR_TEXT(qdr_text_f32, float)
QDR_TEXT(qdr_text_f64, double)
#undef QDR_TEXT

extern const struct qdr_text_f32 qdr_texts_f32[];
extern const struct qdr_text_f64 qdr_texts_f64[];

#ifdef __cplusplus
}
#endif

#endif
