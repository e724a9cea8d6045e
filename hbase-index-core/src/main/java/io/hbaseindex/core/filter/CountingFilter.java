/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * A membership filter over a multiset: what was inserted n times is present until it was deleted n
 * times.
 */
@InterfaceAudience.Private
public interface CountingFilter extends InsertableFilter {
  /**
   * Takes back one earlier insert of the element.
   *
   * <p>The caller guarantees that the element is present and that each insert is taken back at most
   * once: deleting what was never inserted can damage the answers for other elements. Where the
   * filter can prove the element absent it changes nothing and says so.
   *
   * @return {@code false} if the element was certainly absent, which means the caller broke its
   *     word
   */
  boolean delete(long element);
}
