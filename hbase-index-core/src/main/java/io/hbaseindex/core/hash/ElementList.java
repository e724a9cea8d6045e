/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.hash;

import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/** Elements in the order in which they came, up to a bound. */
@InterfaceAudience.Private
public final class ElementList {
  /** Eight megabytes of elements. */
  public static final int MOST = 1 << 20;

  private long[] elements = new long[64];
  private int size;

  /** Adds an element; false if there is no room for it. */
  public boolean add(long element) {
    if (size == MOST) {
      return false;
    }
    if (size == elements.length) {
      elements = Arrays.copyOf(elements, 2 * size);
    }
    elements[size++] = element;
    return true;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public long[] toArray() {
    return Arrays.copyOf(elements, size);
  }
}
