/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.core.definition.DefinitionException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Refuses table descriptors whose indexes could not work, before any region sees them, and
 * completes those that were typed by hand.
 *
 * <p>Loaded by {@code hbase.coprocessor.master.classes}. Without it everything works as long as
 * descriptors come from the index API; mistakes made by other means are then only found by the
 * regions, which open unindexed.
 */
@InterfaceAudience.LimitedPrivate("Configuration")
public final class IndexMasterObserver implements MasterCoprocessor, MasterObserver {

  private final DescriptorRules rules = new DescriptorRules(new SecureRandom()::nextLong);

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  @Override
  public TableDescriptor preCreateTableRegionsInfos(
      ObserverContext<MasterCoprocessorEnvironment> context, TableDescriptor requested)
      throws IOException {
    return accept(Optional.empty(), requested);
  }

  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableName table,
      TableDescriptor current,
      TableDescriptor requested)
      throws IOException {
    return accept(Optional.ofNullable(current), requested);
  }

  /** Asked under the lock of the table, when the change is about to be made. */
  @Override
  public void preModifyTableAction(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableName table,
      TableDescriptor current,
      TableDescriptor accepted)
      throws IOException {
    if (current != null) {
      decide(
          accepted,
          () -> {
            rules.confirm(current, accepted);
            return accepted;
          });
    }
  }

  private TableDescriptor accept(Optional<TableDescriptor> current, TableDescriptor requested)
      throws IOException {
    return decide(requested, () -> rules.accept(current, requested));
  }

  private static TableDescriptor decide(
      TableDescriptor requested, Supplier<TableDescriptor> decision) throws IOException {
    try {
      return decision.get();
    } catch (DefinitionException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    } catch (RuntimeException e) {
      // HBase aborts the master, or unloads this observer, on anything but an IOException.
      throw new DoNotRetryIOException(
          "Cannot check the indexes of table " + requested.getTableName() + ": " + e, e);
    }
  }
}
