/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import io.hbaseindex.it.chaos.ask.Way;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * One operation of one client on one row, as it stands in the history.
 *
 * @param process the client, which has one operation under way at a time
 * @param f what was done: {@code write} (a put of a code, or a delete if the value is null), {@code
 *     lookup} of the row by a value, or a mutation of another kind
 * @param key the row
 * @param value the value written or asked for; null for none
 * @param way how a lookup was asked; null for writes
 * @param start when it was sent, in ns of one clock
 * @param end when the answer was there
 * @param result {@code ok}, {@code unknown} (the client gave up; a write may happen at any time
 *     after its start, or never), {@code found} or {@code absent}
 */
public record Operation(
    String process,
    String f,
    String key,
    String value,
    Way way,
    long start,
    long end,
    String result) {
  static final String WRITE = "write";
  static final String LOOKUP = "lookup";

  /** Whether the register of a row is enough to judge it. */
  boolean isOfRegister() {
    return f.equals(WRITE) || f.equals(LOOKUP) && way.isStrong() && !result.equals("unknown");
  }

  boolean isUnknown() {
    return result.equals("unknown");
  }

  String toJson() {
    JsonObject json = new JsonObject();
    json.addProperty("process", process);
    json.addProperty("f", f);
    json.addProperty("key", key);
    json.addProperty("value", value);
    if (way != null) {
      json.addProperty("way", way.name());
    }
    json.addProperty("start", start);
    json.addProperty("end", end);
    json.addProperty("result", result);
    return json.toString();
  }

  static Operation of(JsonObject json) {
    return new Operation(
        json.get("process").getAsString(),
        json.get("f").getAsString(),
        json.get("key").getAsString(),
        json.has("value") && !json.get("value").isJsonNull()
            ? json.get("value").getAsString()
            : null,
        json.has("way") ? Way.valueOf(json.get("way").getAsString()) : null,
        json.get("start").getAsLong(),
        json.get("end").getAsLong(),
        json.get("result").getAsString());
  }
}
