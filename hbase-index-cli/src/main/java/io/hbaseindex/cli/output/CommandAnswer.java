/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import java.util.ArrayList;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a command has to say: lines and tables for people, one JSON object for scripts. The text may
 * change from release to release; the members of the object are only added to.
 */
@InterfaceAudience.Private
public final class CommandAnswer {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create();

  private final JsonObject json = new JsonObject();
  private final List<String> text = new ArrayList<>();

  /** Writes JSON as all commands do. */
  static Gson gson() {
    return GSON;
  }

  /** The object to add members to. */
  public JsonObject json() {
    return json;
  }

  /** Adds a line for people. */
  public CommandAnswer line(String line) {
    text.add(line);
    return this;
  }

  /** Adds a table for people. */
  public CommandAnswer table(TextTable table) {
    text.add(table.toString());
    return this;
  }

  public String toJson() {
    return GSON.toJson(json);
  }

  public String toText() {
    return String.join("\n", text);
  }
}
