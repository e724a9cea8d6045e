/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

/** Numbers of things in sentences. */
public final class CountText {
  private CountText() {}

  /** As in "1 row" and "1,200 rows". */
  public static String of(long count, String thing) {
    return "%,d %s%s".formatted(count, thing, count == 1 ? "" : "s");
  }
}
