/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.junit.jupiter.api.Test;

class IndexedTableDescriptorTest {
  private static final IndexDefinition BY_EMAIL =
      IndexDefinition.on("f", "email").named("by_email").eager();

  @Test
  void with_plainTable_addsAttributesFamilyAndObserver() {
    TableDescriptor indexed = IndexedTableDescriptor.with(table(family("f")), BY_EMAIL);

    assertThat(indexed.getValue("hbaseindex.index.by_email"))
        .isEqualTo("id=1, version=1, columns=f:email, mode=eager");
    assertThat(indexed.getValue("hbaseindex.table")).startsWith("format=1, seed=");
    assertThat(indexed.getCoprocessorDescriptors())
        .singleElement()
        .satisfies(
            observer -> {
              assertThat(observer.getClassName()).isEqualTo(IndexSettings.REGION_OBSERVER_CLASS);
              assertThat(observer.getPriority()).isEqualTo(Coprocessor.PRIORITY_LOWEST);
            });
    assertThat(IndexedTableDescriptor.indexesOf(indexed).byName("by_email"))
        .hasValueSatisfying(definition -> assertThat(definition.id()).isEqualTo(1));
  }

  @Test
  void P6_with_anyTable_hiddenFamilyNeverExpiresKeepsOneVersionAndIsNotReplicated() {
    TableDescriptor source = table(family("f").setTimeToLive(60).setMaxVersions(3).setScope(1));

    ColumnFamilyDescriptor hidden = hiddenFamily(IndexedTableDescriptor.with(source, BY_EMAIL));

    assertThat(hidden.getTimeToLive()).isEqualTo(HConstants.FOREVER);
    assertThat(hidden.getMaxVersions()).isEqualTo(1);
    assertThat(hidden.getScope()).isEqualTo(HConstants.REPLICATION_SCOPE_LOCAL);
  }

  @Test
  void with_anyTable_newHiddenFamilyHasSmallBlocks_andAnExistingOneKeepsItsOwn() {
    TableDescriptor indexed = IndexedTableDescriptor.with(table(family("f")), BY_EMAIL);
    TableDescriptor altered =
        TableDescriptorBuilder.newBuilder(indexed)
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(hiddenFamily(indexed))
                    .setBlocksize(32 << 10)
                    .build())
            .build();
    IndexDefinition byCity = IndexDefinition.on("f", "city").named("by_city").eager();

    assertThat(hiddenFamily(indexed).getBlocksize()).isEqualTo(8 << 10);
    assertThat(hiddenFamily(IndexedTableDescriptor.with(altered, byCity)).getBlocksize())
        .isEqualTo(32 << 10);
  }

  @Test
  void P6_with_compressedAndEncryptedFamily_hiddenFamilyIsAsWell() {
    TableDescriptor source =
        table(
            family("f")
                .setCompressionType(Compression.Algorithm.GZ)
                .setEncryptionType("AES")
                .setEncryptionKey(new byte[] {1, 2, 3}));

    ColumnFamilyDescriptor hidden = hiddenFamily(IndexedTableDescriptor.with(source, BY_EMAIL));

    assertThat(hidden.getCompressionType()).isEqualTo(Compression.Algorithm.GZ);
    assertThat(hidden.getEncryptionType()).isEqualTo("AES");
    assertThat(hidden.getEncryptionKey()).isEqualTo(new byte[] {1, 2, 3});
  }

  @Test
  void with_laterIndexOnEncryptedFamily_encryptsTheExistingHiddenFamily() {
    TableDescriptor first =
        IndexedTableDescriptor.with(
            table(family("f"), family("g").setEncryptionType("AES")), BY_EMAIL);
    assertThat(hiddenFamily(first).getEncryptionType()).isNull();

    TableDescriptor second =
        IndexedTableDescriptor.with(
            first, IndexDefinition.on("g", "secret").named("by_secret").eager());

    assertThat(hiddenFamily(second).getEncryptionType()).isEqualTo("AES");
  }

  @Test
  void without_lastIndex_keepsFamilyAndNextId() {
    TableDescriptor indexed = IndexedTableDescriptor.with(table(family("f")), BY_EMAIL);

    TableDescriptor dropped = IndexedTableDescriptor.without(indexed, "by_email");

    assertThat(dropped.getValue("hbaseindex.index.by_email")).isNull();
    assertThat(dropped.hasColumnFamily(IndexFamily.bytes())).isTrue();
    TableDescriptor again = IndexedTableDescriptor.with(dropped, BY_EMAIL);
    assertThat(again.getValue("hbaseindex.index.by_email")).startsWith("id=2,");
    assertThat(again.getCoprocessorDescriptors()).hasSize(1);
  }

  @Test
  void with_unknownFamily_isRefused() {
    assertRefused(
        table(family("g")),
        "Cannot add index by_email: table t has no family f, only g; create the family first");
  }

  @Test
  void with_unsupportedFamilySettings_isRefusedWithWhatToDo() {
    assertRefused(
        table(family("f").setKeepDeletedCells(KeepDeletedCells.TTL)),
        "Cannot add index by_email: family f had KEEP_DELETED_CELLS TTL, which shows deleted values"
            + " again; set it to FALSE");
    assertRefused(
        table(family("f").setMinVersions(1).setTimeToLive(5).setMaxVersions(2)),
        "Cannot add index by_email: family f had MIN_VERSIONS 1, which keeps expired values; set it"
            + " to 0");
    assertRefused(
        table(family("f").setNewVersionBehavior(true)),
        "Cannot add index by_email: family f had NEW_VERSION_BEHAVIOR, which orders versions by"
            + " write; switch it off");
    assertRefused(
        table(family("f").setMobEnabled(true)),
        "Cannot add index by_email: family f was a MOB family, whose stores hold references in"
            + " place of values; index a column of another family");
  }

  @Test
  void P5_with_tableWithoutWal_isRefused() {
    TableDescriptor source =
        TableDescriptorBuilder.newBuilder(table(family("f")))
            .setDurability(Durability.SKIP_WAL)
            .build();

    assertRefused(
        source,
        "Cannot index table t: its durability was SKIP_WAL, and a crash could keep data without its"
            + " postings; set another durability");
  }

  @Test
  void with_duplicateName_isRefused() {
    TableDescriptor indexed = IndexedTableDescriptor.with(table(family("f")), BY_EMAIL);

    assertRefused(
        indexed,
        "Cannot add index by_email: the table has one of that name; drop it first or choose"
            + " another");
  }

  private static void assertRefused(TableDescriptor table, String message) {
    assertThatThrownBy(() -> IndexedTableDescriptor.with(table, BY_EMAIL))
        .isInstanceOf(DefinitionException.class)
        .hasMessage(message);
  }

  private static ColumnFamilyDescriptor hiddenFamily(TableDescriptor table) {
    return table.getColumnFamily(IndexFamily.bytes());
  }

  private static ColumnFamilyDescriptorBuilder family(String name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(name.getBytes());
  }

  private static TableDescriptor table(ColumnFamilyDescriptorBuilder... families) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"));
    for (ColumnFamilyDescriptorBuilder family : families) {
      builder.setColumnFamily(family.build());
    }
    return builder.build();
  }
}
