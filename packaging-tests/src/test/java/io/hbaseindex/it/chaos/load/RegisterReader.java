/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import io.hbaseindex.it.chaos.ask.Question;
import io.hbaseindex.it.chaos.ask.TargetTable.Column;
import java.util.SplittableRandom;

/**
 * Asks for rows while others write them. What it gets is judged afterwards, from the history of
 * each row.
 */
public final class RegisterReader extends Client {
  private static final long NOTHING_YET_MILLIS = 20;

  private final RegisterRows registers;

  public RegisterReader(
      String name, Shared shared, SplittableRandom random, RegisterRows registers) {
    super(name, shared, random);
    this.registers = registers;
  }

  @Override
  void step() throws Exception {
    RegisterRows.Register register = registers.any(random()).orElse(null);
    if (register == null) {
      Thread.sleep(NOTHING_YET_MILLIS);
      return;
    }
    boolean newest = random().nextInt(3) > 0;
    String value = newest ? register.value() : register.before();
    if (value != null) {
      lookup(strongWay(), register.row(), Question.of(Column.CODE, value));
    }
  }
}
