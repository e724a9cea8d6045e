/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Leaves out what the benchmark library generates beside each benchmark. */
final class WrittenByHand implements ImportOption {
  @Override
  public boolean includes(Location location) {
    return !location.contains("/jmh_generated/");
  }
}
