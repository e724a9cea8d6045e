/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.connect.ConnectionLease;
import java.io.PrintWriter;
import org.apache.yetus.audience.InterfaceAudience;

/** The command line as its commands see it. */
@InterfaceAudience.Private
public interface CommandRunner {
  /** Where commands get their connections from. */
  ConnectionLease.Source connections();

  /** Runs one command with connections from here; returns what it ended with. */
  int run(ConnectionLease.Source connections, PrintWriter out, PrintWriter err, String... args);
}
