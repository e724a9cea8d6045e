/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.TableIndexes;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class DescriptorRulesTest {

  private static final IndexDefinition BY_EMAIL =
      IndexDefinition.on("f", "email").named("by_email").eager();
  private static final IndexDefinition BY_CITY =
      IndexDefinition.on("g", "city").named("by_city").lazy();

  private final DescriptorRules rules = new DescriptorRules(() -> 42);
  private final TableDescriptor plain = table("f", "g");
  private final TableDescriptor indexed = IndexedTableDescriptor.with(plain, BY_EMAIL, BY_CITY);

  @Test
  void create_withoutIndexes_passesUnchanged() {
    assertThat(create(plain)).isEqualTo(plain);
  }

  @Test
  void create_fromTheIndexApi_passesUnchanged() {
    assertThat(create(indexed)).isEqualTo(indexed);
  }

  @Test
  void create_indexTypedByHand_isCompleted() {
    TableDescriptor accepted = create(typed(plain, "by_email", "columns=f:email"));

    TableIndexes indexes = IndexedTableDescriptor.indexesOf(accepted);
    assertThat(indexes.byName("by_email").orElseThrow().id()).isEqualTo(1);
    assertThat(indexes.isComplete()).isTrue();
    assertThat(accepted.hasColumnFamily(IndexFamily.bytes())).isTrue();
    assertThat(accepted.hasCoprocessor(IndexSettings.REGION_OBSERVER_CLASS)).isTrue();
    assertThat(accepted.getRegionSplitPolicyClassName())
        .isEqualTo(IndexSettings.SPLIT_POLICY_CLASS);
  }

  @Test
  void create_unreadableIndex_isRefused() {
    refused(Optional.empty(), typed(plain, "by_email", "colums=f:email"), "colums");
  }

  @Test
  void create_unknownFamily_isRefused() {
    refused(Optional.empty(), typed(plain, "by_email", "columns=x:email"), "has no family x");
  }

  @Test
  void create_familyThatKeepsDeletedCells_isRefused() {
    TableDescriptor keeping =
        TableDescriptorBuilder.newBuilder(table("f"))
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
                    .setKeepDeletedCells(KeepDeletedCells.TRUE)
                    .build())
            .build();

    refused(Optional.empty(), typed(keeping, "by_email", "columns=f:email"), "KEEP_DELETED_CELLS");
  }

  @Test
  void create_reservedFamilyWithoutIndex_isRefused() {
    refused(Optional.empty(), table("f", IndexFamily.NAME), "reserved for indexes");
  }

  @Test
  void modify_addingReservedFamilyWithoutIndex_isRefused() {
    refused(Optional.of(table("f")), table("f", IndexFamily.NAME), "reserved for indexes");
  }

  @Test
  void modify_deletingHiddenFamily_isRefused() {
    refused(
        Optional.of(indexed),
        TableDescriptorBuilder.newBuilder(indexed).removeColumnFamily(IndexFamily.bytes()).build(),
        "Cannot delete family _i of table t: it holds the indexes [by_city, by_email]");
  }

  @Test
  void modify_alteringHiddenFamily_isRefused() {
    TableDescriptor altered =
        TableDescriptorBuilder.newBuilder(indexed)
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(
                        indexed.getColumnFamily(IndexFamily.bytes()))
                    .setTimeToLive(60)
                    .build())
            .build();

    refused(Optional.of(indexed), altered, "Cannot alter family _i");
  }

  @Test
  void modify_deletingAnIndexedFamily_isRefused() {
    refused(
        Optional.of(indexed),
        TableDescriptorBuilder.newBuilder(indexed).removeColumnFamily(Bytes.toBytes("g")).build(),
        "Cannot delete family g of table t: index by_city covers g:city; drop the index first");
  }

  @Test
  void modify_deletingFamilyWithItsIndex_passes() {
    TableDescriptor without = IndexedTableDescriptor.without(indexed, "by_city");
    TableDescriptor requested =
        TableDescriptorBuilder.newBuilder(without).removeColumnFamily(Bytes.toBytes("g")).build();

    assertThat(modify(indexed, requested)).isEqualTo(requested);
  }

  @Test
  void modify_indexTypedByHand_getsAnIdThatWasNeverUsed() {
    TableDescriptor dropped = IndexedTableDescriptor.without(indexed, "by_city");
    TableDescriptor accepted = modify(dropped, typed(dropped, "by_city", "columns=g:city"));

    assertThat(idOf(accepted, "by_city")).isEqualTo(3);
  }

  @Test
  void modify_tableAttributeRemoved_usedIdsAreNotForgotten() {
    TableDescriptor dropped = IndexedTableDescriptor.without(indexed, "by_city");
    TableDescriptor requested =
        TableDescriptorBuilder.newBuilder(typed(dropped, "by_city", "columns=g:city"))
            .removeValue(Bytes.toBytes(TableIndexes.TABLE_ATTRIBUTE))
            .build();

    TableDescriptor accepted = modify(dropped, requested);

    assertThat(idOf(accepted, "by_city")).isEqualTo(3);
    assertThat(IndexedTableDescriptor.indexesOf(accepted).seed())
        .isEqualTo(IndexedTableDescriptor.indexesOf(indexed).seed());
  }

  @Test
  void modify_indexAttributeRemoved_isRefusedAndSaysHowToDrop() {
    refused(
        Optional.of(indexed),
        untyped(indexed, "by_city"),
        "Cannot alter table t: the change lacks index by_city; to drop it, set attribute"
            + " hbaseindex.drop => 'by_city'");
  }

  @Test
  void modify_allTracesOfIndexesRemoved_isRefused() {
    refused(Optional.of(indexed), plain, "the change lacks index by_city,by_email");
  }

  @Test
  void modify_descriptorOlderThanAnIndex_doesNotLoseIt() {
    TableDescriptor older = IndexedTableDescriptor.with(plain, BY_EMAIL);

    refused(
        Optional.of(IndexedTableDescriptor.with(older, BY_CITY)),
        TableDescriptorBuilder.newBuilder(older).setMaxFileSize(1L << 30).build(),
        "the change lacks index by_city");
  }

  @Test
  void modify_dropAttribute_dropsAndUsedIdsAreNotForgotten() {
    TableDescriptor accepted = modify(indexed, dropping(indexed, "by_email, by_city"));

    assertThat(IndexedTableDescriptor.indexesOf(accepted).isEmpty()).isTrue();
    assertThat(IndexedTableDescriptor.indexesOf(accepted).nextId()).isEqualTo(3);
    assertThat(accepted.hasColumnFamily(IndexFamily.bytes())).isTrue();
  }

  @Test
  void modify_dropAttributeLeftFromTheLastChange_dropsNothingAndGoes() {
    TableDescriptor dropped = modify(indexed, dropping(indexed, "by_city"));
    TableDescriptor again = modify(dropped, typed(dropped, "by_city", "columns=g:city"));

    assertThat(idOf(again, "by_city")).isEqualTo(3);
    assertThat(IndexedTableDescriptor.droppedIn(again)).isEmpty();
  }

  @Test
  void modify_dropOfAnUnknownIndex_isRefused() {
    refused(
        Optional.of(indexed),
        dropping(indexed, "by_name"),
        "Cannot drop index by_name of table t: it has no such index, only [by_city, by_email]");
  }

  @Test
  void modify_observerAndSplitPolicyRemoved_areRestored() {
    TableDescriptor stripped =
        TableDescriptorBuilder.newBuilder(indexed)
            .removeCoprocessor(IndexSettings.REGION_OBSERVER_CLASS)
            .removeValue(Bytes.toBytes(TableDescriptorBuilder.SPLIT_POLICY))
            .build();

    TableDescriptor accepted = modify(indexed, stripped);

    assertThat(accepted.hasCoprocessor(IndexSettings.REGION_OBSERVER_CLASS)).isTrue();
    assertThat(accepted.getRegionSplitPolicyClassName())
        .isEqualTo(IndexSettings.SPLIT_POLICY_CLASS);
  }

  @Test
  void confirm_indexAddedSinceTheChangeWasAccepted_isRefused() {
    TableDescriptor older = IndexedTableDescriptor.with(plain, BY_EMAIL);
    TableDescriptor accepted =
        modify(older, TableDescriptorBuilder.newBuilder(older).setMaxFileSize(1L << 30).build());

    assertThatThrownBy(() -> rules.confirm(IndexedTableDescriptor.with(older, BY_CITY), accepted))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("the change lacks index by_city");
  }

  @Test
  void confirm_otherFirstIndexAtTheSameTime_isRefused() {
    TableDescriptor accepted = modify(plain, typed(plain, "by_email", "columns=f:email"));
    TableDescriptor meanwhile = IndexedTableDescriptor.with(plain, BY_EMAIL);

    assertThatThrownBy(() -> rules.confirm(meanwhile, accepted))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("changed by somebody else at the same time");
  }

  @Test
  void confirm_nothingHappenedInBetween_passes() {
    rules.confirm(plain, modify(plain, typed(plain, "by_email", "columns=f:email")));
    rules.confirm(indexed, modify(indexed, dropping(indexed, "by_city")));
  }

  @Test
  void modify_idOfADroppedIndex_isRefused() {
    TableDescriptor dropped = IndexedTableDescriptor.without(indexed, "by_city");

    refused(
        Optional.of(dropped),
        typed(dropped, "again", "id=" + idOf(indexed, "by_city") + ", columns=g:city"),
        "which a dropped index of the table had");
  }

  @Test
  void modify_routesTyped_areAddedToTheIndexThatIsThere() {
    TableDescriptor placed = create(typed(plain, "by_place", "columns=f:country+f:city+f:status"));
    TableDescriptor routed =
        modify(
            placed,
            typed(
                placed,
                "by_place",
                "columns=f:country+f:city+f:status, routes=f:status+f:country"));

    assertThat(idOf(routed, "by_place")).isEqualTo(idOf(placed, "by_place"));
    assertThat(routed.getValue("hbaseindex.index.by_place"))
        .isEqualTo(
            "id=1, version=1, columns=f:country+f:city+f:status, mode=eager, routes=f:country+f:status");
    assertThat(modify(routed, typed(routed, "by_place", "columns=f:country+f:city+f:status")))
        .as("routes that are no longer typed")
        .isEqualTo(routed);
    assertThat(modify(placed, routed)).as("with its id").isEqualTo(routed);
  }

  /** Two sets of columns under one version could not be told apart. */
  @Test
  void confirm_includedColumnsChangedSinceTheChangeWasAccepted_isRefused() {
    TableDescriptor first = create(typed(plain, "by_city", "columns=f:city"));
    TableDescriptor one = modify(first, typed(first, "by_city", "columns=f:city, includes=f:a"));
    TableDescriptor other = modify(first, typed(first, "by_city", "columns=f:city, includes=f:b"));

    rules.confirm(first, one);
    assertThatThrownBy(() -> rules.confirm(one, other))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("changed by somebody else at the same time");
  }

  /** Both were given the same new id, and the postings of one are none of the other's. */
  @Test
  void confirm_otherConditionOrTypeAtTheSameTime_isRefused() {
    for (String field : List.of("where=f:a=", "types=")) {
      TableDescriptor first = create(typed(plain, "by_city", "columns=f:city"));
      TableDescriptor one =
          modify(first, typed(first, "by_city", "columns=f:city, " + field + "long"));
      TableDescriptor other =
          modify(first, typed(first, "by_city", "columns=f:city, " + field + "int"));
      assertThat(idOf(one, "by_city")).isEqualTo(idOf(other, "by_city"));

      rules.confirm(first, one);
      assertThatThrownBy(() -> rules.confirm(one, other))
          .isInstanceOf(DefinitionException.class)
          .hasMessageContaining("changed by somebody else at the same time");
    }
  }

  /** Postings carry cells of just these columns, so each change is a version of its own. */
  @Test
  void modify_includedColumnsTyped_areANewVersionOfTheIndexThatIsThere() {
    TableDescriptor first = create(typed(plain, "by_city", "columns=f:city"));
    TableDescriptor second =
        modify(first, typed(first, "by_city", "columns=f:city, includes=f:name"));
    assertThat(second.getValue(TableIndexes.INDEX_ATTRIBUTE_PREFIX + "by_city"))
        .isEqualTo("id=1, version=2, columns=f:city, mode=eager, includes=f:name");
    TableDescriptor third =
        modify(
            second,
            typed(
                second,
                "by_city",
                "id=1, version=2, columns=f:city, mode=eager, includes=f:name+f:note"));
    assertThat(third.getValue(TableIndexes.INDEX_ATTRIBUTE_PREFIX + "by_city"))
        .as("with its id and its old version")
        .isEqualTo("id=1, version=3, columns=f:city, mode=eager, includes=f:name+f:note");
    assertThat(modify(third, third)).isEqualTo(third);
    refused(Optional.of(third), typed(third, "n", "columns=f:a, includes=x:b"), "has no family x");
  }

  /** Postings of another type sort differently, so they are those of another id. */
  @Test
  void modify_typesTyped_areANewVersionUnderANewId() {
    TableDescriptor first = create(typed(plain, "by_age", "columns=f:age"));
    TableDescriptor second = modify(first, typed(first, "by_age", "columns=f:age, types=long"));
    String attribute = TableIndexes.INDEX_ATTRIBUTE_PREFIX + "by_age";
    assertThat(second.getValue(attribute))
        .isEqualTo("id=2, version=2, columns=f:age, types=long, mode=eager");
    assertThat(second.getValue(TableIndexes.TABLE_ATTRIBUTE)).endsWith("next-id=3");
    rules.confirm(first, second);
    assertThat(modify(second, typed(second, "by_age", "columns=f:age")).getValue(attribute))
        .as("typed without types")
        .isEqualTo(second.getValue(attribute));
    assertThatThrownBy(() -> rules.confirm(second, first))
        .hasMessageContaining("changed by somebody else at the same time");
    refused(
        Optional.of(second),
        typed(second, "n", "columns=f:a, types=number"),
        "type was \"number\"; known types are bytes, string");
  }

  @Test
  void modify_descriptorOlderThanSomeRoutes_losesNone() {
    String columns = "columns=f:country+f:city+f:status+f:team";
    TableDescriptor placed = create(typed(plain, "by_place", columns));
    TableDescriptor routed =
        modify(placed, typed(placed, "by_place", columns + ", routes=f:country+f:status"));
    String older = placed.getValue("hbaseindex.index.by_place");

    TableDescriptor both =
        modify(routed, typed(placed, "by_place", older + ", routes=f:country+f:team"));

    assertThat(both.getValue("hbaseindex.index.by_place"))
        .isEqualTo(older + ", routes=f:country+f:status f:country+f:team");
    assertThat(modify(both, TableDescriptorBuilder.newBuilder(placed).build())).isEqualTo(both);
  }

  @Test
  void confirm_routesAddedSinceTheChangeWasAccepted_isRefused() {
    String columns = "columns=f:country+f:city+f:status+f:team";
    TableDescriptor placed = create(typed(plain, "by_place", columns));
    TableDescriptor accepted =
        modify(placed, typed(placed, "by_place", columns + ", routes=f:country+f:status"));
    TableDescriptor meanwhile =
        modify(placed, typed(placed, "by_place", columns + ", routes=f:country+f:team"));

    assertThatThrownBy(() -> rules.confirm(meanwhile, accepted))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("changed by somebody else at the same time");
    rules.confirm(placed, accepted);
    rules.confirm(meanwhile, modify(meanwhile, dropping(meanwhile, "by_place")));
  }

  @Test
  void e2_modify_routesWithoutTheFirstColumn_areRefused() {
    refused(
        Optional.of(indexed),
        typed(indexed, "by_place", "columns=f:country+f:city+f:status, routes=f:city+f:status"),
        "add f:country to the set, or define another index");
  }

  @Test
  void modify_anotherIndexOfThatName_isRefusedAndSaysHowToReplaceIt() {
    for (String other :
        new String[] {
          "columns=f:mail", "id=1, version=1, columns=f:mail", "columns=f:email, mode=lazy"
        }) {
      refused(
          Optional.of(indexed),
          typed(indexed, "by_email", other),
          "Cannot declare index by_email of table t: it has another one of that name, by_email"
              + " (id=1, version=1, columns=f:email, mode=eager); drop that first by"
              + " hbaseindex.drop => 'by_email', or choose another name");
    }
  }

  @Test
  void modify_indexTypedOnceMore_staysTheOneItIs() {
    assertThat(modify(indexed, typed(indexed, "by_email", "columns=f:email"))).isEqualTo(indexed);
  }

  @Test
  void modify_changedSeed_isRefused() {
    TableDescriptor requested =
        TableDescriptorBuilder.newBuilder(indexed)
            .setValue(TableIndexes.TABLE_ATTRIBUTE, "format=1, seed=1, next-id=3")
            .build();

    refused(Optional.of(indexed), requested, "the seed in attribute hbaseindex.table was changed");
  }

  @Test
  void modify_unrelatedChange_passesUnchanged() {
    TableDescriptor requested =
        TableDescriptorBuilder.newBuilder(indexed).setMaxFileSize(1L << 30).build();

    assertThat(modify(indexed, requested)).isEqualTo(requested);
  }

  @Test
  void modify_brokenDeclaration_canBeRepaired() {
    TableDescriptor broken = typed(indexed, "by_email", "nonsense");

    assertThat(modify(broken, indexed)).isEqualTo(indexed);
  }

  private TableDescriptor create(TableDescriptor requested) {
    return rules.accept(Optional.empty(), requested);
  }

  private TableDescriptor modify(TableDescriptor current, TableDescriptor requested) {
    return rules.accept(Optional.of(current), requested);
  }

  private void refused(
      Optional<TableDescriptor> current, TableDescriptor requested, String message) {
    assertThatThrownBy(() -> rules.accept(current, requested))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining(message);
  }

  private static int idOf(TableDescriptor table, String index) {
    return IndexedTableDescriptor.indexesOf(table).byName(index).orElseThrow().id();
  }

  private static TableDescriptor typed(TableDescriptor table, String index, String text) {
    return TableDescriptorBuilder.newBuilder(table)
        .setValue(TableIndexes.INDEX_ATTRIBUTE_PREFIX + index, text)
        .build();
  }

  private static TableDescriptor untyped(TableDescriptor table, String index) {
    return TableDescriptorBuilder.newBuilder(table)
        .removeValue(Bytes.toBytes(TableIndexes.INDEX_ATTRIBUTE_PREFIX + index))
        .build();
  }

  private static TableDescriptor dropping(TableDescriptor table, String names) {
    return TableDescriptorBuilder.newBuilder(table)
        .setValue(TableIndexes.DROP_ATTRIBUTE, names)
        .build();
  }

  private static TableDescriptor table(String... families) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"));
    for (String family : families) {
      builder.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    }
    return builder.build();
  }
}
