/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.tuple;

import io.hbaseindex.core.hash.ElementHasher;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Hashes integers, each attribute in a space of its own. Not for use by several threads. */
public final class AttributeHasher {
  private final ElementHasher[] hashers;
  private final ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES);

  public AttributeHasher(int attributes) {
    hashers = new ElementHasher[attributes];
    Arrays.setAll(hashers, attribute -> ElementHasher.of(0, attribute));
  }

  /** Number of attributes. */
  public int attributes() {
    return hashers.length;
  }

  /** The hash of a value of an attribute. */
  public long hash(int attribute, int value) {
    return hashers[attribute].hash(bytes.putInt(0, value).array());
  }
}
