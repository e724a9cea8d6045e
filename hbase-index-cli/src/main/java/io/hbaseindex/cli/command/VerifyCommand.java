/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.ProgressView;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.check.CheckReport;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Command;

/** Looks for differences between rows and postings. */
@Command(
    name = "verify",
    description = "Compare all rows of a table with its indexes; ends with 1 if they differ.")
@InterfaceAudience.Private
public final class VerifyCommand extends CheckCommand {
  @Override
  CheckReport check(IndexAdmin admin, TableName name, ProgressView view) throws IOException {
    return admin.verify(name, view);
  }

  @Override
  int conclude(CheckReport report, CommandAnswer answer) {
    if (report.stale() > 0) {
      answer.line(
          "Stale postings are no fault of a lazy index or of a family with a TTL; a major compaction ends them.");
    }
    if (report.isClean()) {
      answer.line("Rows and indexes agree.");
      return ExitCode.OK;
    }
    answer.line("Rows and indexes differ; mend them with: repair");
    return ExitCode.FINDINGS;
  }
}
