/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.RouteSet;
import io.hbaseindex.core.entry.PostingForm;
import java.util.List;
import java.util.OptionalLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells how many postings of a region have given values. It decides how rows are looked for, and
 * never which: a scan may read at another moment than the one that this speaks of.
 */
@FunctionalInterface
@InterfaceAudience.Private
public interface Frequencies {
  /** Nobody knows. */
  Frequencies UNKNOWN = (index, set, forms) -> OptionalLong.empty();

  /**
   * The number of live postings that have these values: exact or too high. Empty if nobody knows.
   * Cheap, and safe from any thread.
   *
   * @param set one of the index's {@linkplain IndexDefinition#routes routes}
   * @param forms one per column of the set, in their {@link PostingForm}
   */
  OptionalLong of(IndexDefinition index, RouteSet set, List<byte[]> forms);
}
