/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

/** What the demo tells the shell. */
enum DemoExitCode {
  /** The tour was completed and every answer was that of the plain scan. */
  GOOD(0),
  /** Something failed; the console says what. */
  FAILED(1),
  /** The options were not understood. */
  USAGE(2),
  /** Ended from outside, as shells number it for Ctrl-C. */
  INTERRUPTED(130);

  private final int number;

  DemoExitCode(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
