/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import org.apache.yetus.audience.InterfaceAudience;

/** A membership filter that takes elements but cannot give them up again. */
@InterfaceAudience.Private
public interface InsertableFilter extends MembershipFilter {
  /** Adds the element. Once this has returned, {@link #mightContain} is true for it. */
  void insert(long element);
}
