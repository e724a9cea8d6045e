/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** The history of all operations, one line of JSON each, in the order in which they ended. */
public final class HistoryFile implements AutoCloseable {
  private final BufferedWriter lines;

  public HistoryFile(Path file) throws IOException {
    this.lines = Files.newBufferedWriter(file);
  }

  synchronized void add(Operation operation) throws IOException {
    lines.write(operation.toJson());
    lines.newLine();
  }

  @Override
  public synchronized void close() throws IOException {
    lines.close();
  }

  /** The operations of a file that a register of the row can judge, by row. */
  public static Map<String, List<Operation>> registers(Path file) throws IOException {
    Map<String, List<Operation>> keys = new HashMap<>();
    try (var lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Operation operation = Operation.of(JsonParser.parseString(line).getAsJsonObject());
        if (operation.isOfRegister()) {
          keys.computeIfAbsent(operation.key(), any -> new ArrayList<>()).add(operation);
        }
      }
    }
    // Lookups alone belong to rows whose values are read, not known.
    keys.values().removeIf(all -> all.stream().noneMatch(one -> one.f().equals(Operation.WRITE)));
    return keys;
  }
}
