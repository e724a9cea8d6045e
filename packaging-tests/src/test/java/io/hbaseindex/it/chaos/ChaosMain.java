/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos;

import io.hbaseindex.it.chaos.load.Log;

/** Runs bin/chaos: ends with 0 if nothing was wrong, 1 if something was, 2 for a wrong command. */
public final class ChaosMain {
  private ChaosMain() {}

  public static void main(String... arguments) throws Exception {
    ChaosOptions options;
    try {
      options = ChaosOptions.parse(arguments);
    } catch (IllegalArgumentException e) {
      Log.line(e.getMessage());
      System.exit(2);
      return;
    }
    int code = 1;
    try {
      code = new ChaosRun(options).run() ? 0 : 1;
    } catch (Exception e) {
      Log.line("Cannot go on: " + e);
      e.printStackTrace();
    } finally {
      // Threads of HBase's clients may be waiting for servers that are gone.
      System.exit(code);
    }
  }
}
