/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The column family that holds the postings of an indexed table. Users neither read, write nor
 * alter it; it disappears from their scans, gets and row deletes.
 */
@InterfaceAudience.Private
public final class IndexFamily {
  /** The family's name, as it appears in the table descriptor. */
  public static final String NAME = "_i";

  private static final byte[] BYTES = NAME.getBytes(StandardCharsets.US_ASCII);

  private IndexFamily() {}

  /** The family's name in bytes: a fresh copy. */
  public static byte[] bytes() {
    return BYTES.clone();
  }

  /** Whether {@code family} is the hidden one. */
  public static boolean is(byte[] family) {
    return Arrays.equals(BYTES, family);
  }

  /** Whether {@code length} bytes of {@code source} from {@code offset} on name the hidden one. */
  public static boolean is(byte[] source, int offset, int length) {
    return Arrays.equals(BYTES, 0, BYTES.length, source, offset, offset + length);
  }
}
