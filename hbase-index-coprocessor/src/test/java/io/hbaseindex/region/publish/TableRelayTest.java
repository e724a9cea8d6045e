/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.hbaseindex.protocol.IndexRegionProtos.RelayedQuestion;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TableRelayTest {
  private final TableRelay relay =
      TableRelay.withoutMaster(TableDescriptorBuilder.newBuilder(TableName.valueOf("t")).build());

  /** A field whose length is beyond all arrays. */
  @ParameterizedTest
  @EnumSource(names = {"ROUTE", "FILTERS"})
  void answer_brokenQuestion_isRefusedForGood(RelayedQuestion question) {
    ByteString tooLong = ByteString.copyFrom(new byte[] {0x12, -1, -1, -1, -1, 7});

    assertThatThrownBy(() -> relay.answer(question, tooLong))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("Cannot read a question to the master: it was damaged");
  }
}
