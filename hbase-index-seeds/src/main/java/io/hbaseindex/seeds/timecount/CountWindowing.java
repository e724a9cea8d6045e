/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount;

/** A single endless window: it ends by being full alone. */
final class CountWindowing implements Windowing {
  static final CountWindowing INSTANCE = new CountWindowing();

  private CountWindowing() {}

  @Override
  public long windowOf(long time) {
    return 0;
  }

  @Override
  public boolean isOver(long window, long newest) {
    return false;
  }

  @Override
  public int maxOpenWindows() {
    return 1;
  }
}
