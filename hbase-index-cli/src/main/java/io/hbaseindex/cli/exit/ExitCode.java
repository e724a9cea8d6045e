/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.exit;

import org.apache.yetus.audience.InterfaceAudience;

/** What the process ends with; part of the public surface, for scripts. */
@InterfaceAudience.Private
public final class ExitCode {
  /** Done, and nothing to complain about. */
  public static final int OK = 0;

  /** Done, and something was found: faults, an index that is not ready, no such row. */
  public static final int FINDINGS = 1;

  /** The command line makes no sense. */
  public static final int USAGE = 2;

  /** The cluster could not be reached, or did not answer in time. */
  public static final int UNREACHABLE = 3;

  /** The cluster said no: unknown table, index or column, impossible definition, no permission. */
  public static final int REFUSED = 4;

  /** Anything else, most likely a fault of ours. */
  public static final int FAILED = 5;

  /** Ended by a signal or an interrupt; repeat the command to go on. */
  public static final int INTERRUPTED = 130;

  /** Whoever read the output has gone, as of any tool that is stopped by SIGPIPE. */
  public static final int READER_GONE = 141;

  private ExitCode() {}
}
