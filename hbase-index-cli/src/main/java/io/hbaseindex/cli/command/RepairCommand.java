/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.CountText;
import io.hbaseindex.cli.output.ProgressView;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.check.CheckReport;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Command;

/** Makes postings agree with rows. */
@Command(
    name = "repair",
    description = "Compare all rows of a table with its indexes and mend what differs.")
@InterfaceAudience.Private
public final class RepairCommand extends CheckCommand {
  @Override
  CheckReport check(IndexAdmin admin, TableName name, ProgressView view) throws IOException {
    return admin.repair(name, view);
  }

  @Override
  int conclude(CheckReport report, CommandAnswer answer) {
    if (report.isClean() && report.stale() == 0) {
      answer.line("Rows and indexes agree; nothing was changed.");
      return ExitCode.OK;
    }
    long faults = report.missing() + report.dangling() + report.stale() + report.overstated();
    answer.line("%,d of %s mended.".formatted(report.repaired(), CountText.of(faults, "posting")));
    return report.repaired() == faults ? ExitCode.OK : ExitCode.FINDINGS;
  }
}
