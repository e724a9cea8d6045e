/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.testing.FuzzTarget;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.junit.jupiter.api.Test;

/** Any text as a condition, and, if it is one, the scan that it becomes, there and back. */
public class ConditionFuzzTest {
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    FuzzTarget.run(data, IllegalArgumentException.class, () -> read(text));
  }

  private static void read(String text) throws Exception {
    ConditionParser.Parsed parsed = ConditionParser.parse(text, column -> ValueType.BYTES);
    assertThat(parsed.columns()).isNotEmpty();
    Scan scan = IndexQuery.from("t").where(parsed.condition()).toScan();
    Scan sent = ProtobufUtil.toScan(ProtobufUtil.toScan(scan));
    assertThat(sent.getFilter().toString()).isEqualTo(scan.getFilter().toString());
  }

  @Test
  void corpus_isReadOrRefused() {
    FuzzTarget.replay("condition", ConditionFuzzTest::fuzzerTestOneInput);
  }
}
