/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.routing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** How the values of rows are distributed over the regions. */
enum ValueKind {
  UNIFORM("uniform numbers") {
    @Override
    byte[] next(Random random, int region, int regions) {
      return number(random.nextLong() >>> 1);
    }
  },
  KEY_CORRELATED("numbers that follow the key, give or take five regions") {
    @Override
    byte[] next(Random random, int region, int regions) {
      double place = Math.max(0, region + 5 * random.nextGaussian()) / (regions + 50);
      return number((long) (place * Long.MAX_VALUE));
    }
  },
  SKEWED("skewed numbers, as many in each power of two") {
    @Override
    byte[] next(Random random, int region, int regions) {
      return number((long) Math.exp(Math.log(1L << 60) * random.nextDouble()));
    }
  },
  DECIMAL("uniform numbers as decimal text") {
    @Override
    byte[] next(Random random, int region, int regions) {
      return text(Long.toString(random.nextLong(1_000_000_000_000L)));
    }
  },
  ADDRESSES("e-mail addresses: one of 10,000 skewed names, and a number") {
    @Override
    byte[] next(Random random, int region, int regions) {
      int name = (int) Math.exp(Math.log(10_000) * random.nextDouble());
      String letters = Integer.toString(name * 7_919 % 46_656 + 46_656, 36);
      return text(letters + "." + random.nextInt(1_000_000) + "@example.com");
    }
  };

  private final String words;

  ValueKind(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  /** The value of a row of a region. */
  abstract byte[] next(Random random, int region, int regions);

  private static byte[] number(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static byte[] text(String value) {
    return value.getBytes(StandardCharsets.US_ASCII);
  }
}
