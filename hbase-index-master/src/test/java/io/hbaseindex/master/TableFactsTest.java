/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class TableFactsTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private long now;
  private int reads;
  private boolean failing;
  private TableDescriptor stored = withVersions(1);
  private final TableFacts.Recent recent = new TableFacts.Recent(this::read, () -> now);

  private TableDescriptor read(TableName table) throws IOException {
    reads++;
    if (failing) {
      throw new IOException("the file system is away");
    }
    return stored;
  }

  private static TableDescriptor withVersions(int versions) {
    return TableDescriptorBuilder.newBuilder(TABLE)
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
                .setMaxVersions(versions)
                .build())
        .build();
  }

  private void pass() {
    now += TableFacts.Recent.FRESH_NANOS;
  }

  @Test
  void recent_readsOncePerSecond_howeverManyAsk() throws Exception {
    for (int route = 0; route < 1_000; route++) {
      assertThat(recent.get(TABLE)).isEqualTo(stored);
    }
    assertThat(reads).isOne();
    pass();
    recent.get(TABLE);
    recent.get(TABLE);
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void recent_unchangedDescriptor_staysTheSameObject() throws Exception {
    TableDescriptor first = recent.get(TABLE);
    stored = withVersions(1);
    pass();
    assertThat(recent.get(TABLE)).isSameAs(first);
    stored = withVersions(2);
    pass();
    assertThat(recent.get(TABLE)).isSameAs(stored);
  }

  @Test
  void recent_unknownTable_isRemembered() throws Exception {
    stored = null;
    assertThat(recent.get(TABLE)).isNull();
    assertThat(recent.get(TABLE)).isNull();
    assertThat(reads).isOne();
  }

  @Test
  void recent_failedRead_isTriedAgainByTheNext() throws Exception {
    recent.get(TABLE);
    pass();
    failing = true;
    assertThatThrownBy(() -> recent.get(TABLE)).isInstanceOf(IOException.class);
    failing = false;
    stored = withVersions(3);
    assertThat(recent.get(TABLE)).isEqualTo(stored);
  }

  @Test
  void shape_followsTheDescriptor() throws Exception {
    TableFacts facts = new TableFacts(recent, new Configuration(false));
    long before = facts.shape(TABLE).getAsLong();
    stored = withVersions(2);
    assertThat(facts.shape(TABLE)).hasValue(before);
    pass();
    assertThat(facts.shape(TABLE).getAsLong()).isNotEqualTo(before);
    stored = null;
    pass();
    assertThat(facts.shape(TABLE)).isEmpty();
  }
}
