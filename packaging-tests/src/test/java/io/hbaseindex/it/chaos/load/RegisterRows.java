/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is known of the rows that are used as registers: who reads them learns here what to ask for.
 */
public final class RegisterRows {
  /**
   * A row and the code that it has, or that is being written to it.
   *
   * @param value the newest code; null if the row is, or is being, deleted
   * @param before the code before that; null if there was none
   */
  record Register(String row, String value, String before) {}

  private final Map<String, Register> rows = new ConcurrentHashMap<>();
  private final Map<String, Optional<String>> settled = new ConcurrentHashMap<>();

  /** Before it is written. */
  void writing(String row, String value, String before) {
    settled.remove(row);
    rows.put(row, new Register(row, value, before));
  }

  /** After the write was acknowledged. */
  void acknowledged(String row, String value) {
    settled.put(row, Optional.ofNullable(value));
  }

  /** A row to read. */
  Optional<Register> any(SplittableRandom random) {
    List<Register> all = new ArrayList<>(rows.values());
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }

  /** Nobody will write it any more. */
  void retire(String row) {
    rows.remove(row);
  }

  /** The code that each row must have, by what was acknowledged; rows in doubt are not here. */
  public Map<String, Optional<String>> settled() {
    return Map.copyOf(settled);
  }
}
