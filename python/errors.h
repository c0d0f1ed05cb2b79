// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace quadrance::python {

/// Makes quadrance::Error arrive in Python as the class of its code in quadrance/_errors.py.
void register_errors();

}  // namespace quadrance::python
