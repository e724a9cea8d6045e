/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.drill.process;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringJoiner;
import org.apache.drill.common.config.DrillConfig;
import org.apache.drill.common.exceptions.UserRemoteException;
import org.apache.drill.exec.client.DrillClient;
import org.apache.drill.exec.proto.UserBitShared.QueryType;
import org.apache.drill.exec.record.RecordBatchLoader;
import org.apache.drill.exec.record.VectorWrapper;
import org.apache.drill.exec.rpc.user.QueryDataBatch;
import org.apache.drill.exec.server.Drillbit;
import org.apache.drill.exec.server.RemoteServiceSet;

/**
 * One Drillbit, whose settings and storage plugins come from files on the class path. Each line it
 * reads is a query; it answers with a line per row, its values between tabs, and then with a line
 * {@code = number of rows} or {@code ! error}. It ends with its input.
 */
public final class DrillProgram {
  private DrillProgram() {}

  @SuppressWarnings("try") // Closing services may be interrupted; then the process ends.
  public static void main(String[] arguments) throws Exception {
    // What Drill prints by itself must not stand among the answers.
    PrintStream answers = System.out;
    System.setOut(System.err);
    DrillConfig config = DrillConfig.create();
    BufferedReader queries =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (RemoteServiceSet services = RemoteServiceSet.getLocalServiceSet();
        Drillbit drillbit = Drillbit.start(config, services);
        DrillClient client = new DrillClient(config, services.getCoordinator())) {
      client.connect();
      answers.println("= 0");
      answers.flush();
      for (String query = queries.readLine(); query != null; query = queries.readLine()) {
        answer(client, query, answers);
        answers.flush();
      }
    }
  }

  private static void answer(DrillClient client, String query, PrintStream answers)
      throws Exception {
    List<QueryDataBatch> batches;
    try {
      batches = client.runQuery(QueryType.SQL, query);
    } catch (UserRemoteException e) {
      answers.println("! " + e.getMessage().replace('\n', ' '));
      return;
    }
    int rows = 0;
    RecordBatchLoader loader = new RecordBatchLoader(client.getAllocator());
    for (QueryDataBatch batch : batches) {
      if (batch.hasData()) {
        loader.load(batch.getHeader().getDef(), batch.getData());
        for (int row = 0; row < loader.getRecordCount(); row++) {
          StringJoiner line = new StringJoiner("\t");
          for (VectorWrapper<?> column : loader) {
            line.add(String.valueOf(column.getValueVector().getAccessor().getObject(row)));
          }
          answers.println(line);
          rows++;
        }
        loader.clear();
      }
      batch.release();
    }
    answers.println("= " + rows);
  }
}
