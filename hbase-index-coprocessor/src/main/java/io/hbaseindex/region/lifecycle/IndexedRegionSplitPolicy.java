/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits an indexed region when the user's own policy would, and never at an index row.
 *
 * <p>All index rows of a region lie together at its beginning. HBase splits at the middle of the
 * largest store; when that is the hidden one, the split point is an index row, and one daughter
 * would get all the data. So this policy asks the wrapped one, and where its answer comes from the
 * hidden store, puts the middle of the largest data store in its place, cut in the way the wrapped
 * policy cuts.
 *
 * <p>The wrapped policy is the one named by the table attribute {@link
 * IndexSettings#WRAPPED_SPLIT_POLICY}, else the server's default.
 */
@InterfaceAudience.LimitedPrivate("Configuration")
public class IndexedRegionSplitPolicy extends RegionSplitPolicy {

  // By name, for the class is deprecated and may be gone one day.
  private static final String DELIMITED =
      "org.apache.hadoop.hbase.regionserver.DelimitedKeyPrefixRegionSplitPolicy";
  private static final String DELIMITER_ATTRIBUTE = "DelimitedKeyPrefixRegionSplitPolicy.delimiter";

  private static final Logger LOG = LoggerFactory.getLogger(IndexedRegionSplitPolicy.class);
  private static final MethodHandle CONFIGURE = handle("configureForRegion", HRegion.class);
  private static final MethodHandle SHOULD_SPLIT = handle("shouldSplit");
  private static final MethodHandle CAN_SPLIT = handle("canSplit");
  private static final MethodHandle GET_SPLIT_POINT = handle("getSplitPoint");

  private RegionSplitPolicy wrapped;

  @Override
  protected void configureForRegion(HRegion toGovern) {
    super.configureForRegion(toGovern);
    wrapped = createWrapped(toGovern);
  }

  private RegionSplitPolicy createWrapped(HRegion toGovern) {
    TableDescriptor table = toGovern.getTableDescriptor();
    String named = table.getValue(IndexSettings.WRAPPED_SPLIT_POLICY);
    TableDescriptorBuilder unindexed = TableDescriptorBuilder.newBuilder(table);
    unindexed.removeValue(Bytes.toBytes(TableDescriptorBuilder.SPLIT_POLICY));
    if (named != null) {
      try {
        return create(toGovern, unindexed.setRegionSplitPolicyClassName(named).build());
      } catch (IOException e) {
        // A region opens whatever its descriptor says.
        LOG.error(
            "Cannot use split policy {} for {}: correct table attribute {}; the server's default is used",
            named,
            table.getTableName(),
            IndexSettings.WRAPPED_SPLIT_POLICY,
            e);
        unindexed.removeValue(Bytes.toBytes(TableDescriptorBuilder.SPLIT_POLICY));
      }
    }
    try {
      return create(toGovern, unindexed.build());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot use the server's default split policy", e);
    }
  }

  private RegionSplitPolicy create(HRegion toGovern, TableDescriptor table) throws IOException {
    Class<? extends RegionSplitPolicy> type = getSplitPolicyClass(table, getConf());
    if (type == IndexedRegionSplitPolicy.class) {
      throw new IOException("A policy that wraps another cannot be its own: name another one");
    }
    RegionSplitPolicy policy = ReflectionUtils.newInstance(type, getConf());
    invoke(CONFIGURE, policy, toGovern);
    return policy;
  }

  @Override
  protected boolean shouldSplit() {
    return (boolean) invoke(SHOULD_SPLIT, wrapped);
  }

  @Override
  protected boolean canSplit() {
    return (boolean) invoke(CAN_SPLIT, wrapped);
  }

  @Override
  protected byte[] getSplitPoint() {
    byte[] proposed = (byte[]) invoke(GET_SPLIT_POINT, wrapped);
    List<HStore> stores = region.getStores();
    return new SplitPointChoice(middleOf(stores, true), middleOf(stores, false), delimiter())
        .choose(proposed);
  }

  private Optional<byte[]> delimiter() {
    return wrapped.getClass().getName().equals(DELIMITED)
        ? Optional.ofNullable(region.getTableDescriptor().getValue(DELIMITER_ATTRIBUTE))
            .map(Bytes::toBytes)
        : Optional.empty();
  }

  /** The middle of the largest store among the hidden one or the others. */
  private static Optional<byte[]> middleOf(List<HStore> stores, boolean hidden) {
    Optional<byte[]> middle = Optional.empty();
    long largest = 0;
    for (HStore store : stores) {
      if (IndexFamily.is(store.getColumnFamilyDescriptor().getName()) == hidden
          && store.getSize() > largest) {
        Optional<byte[]> candidate = store.getSplitPoint();
        if (candidate.isPresent()) {
          middle = candidate;
          largest = store.getSize();
        }
      }
    }
    return middle;
  }

  /**
   * The methods of split policies are protected, and another policy's cannot be called from a
   * subclass; nor can a class of HBase's package do it for us, since a coprocessor jar may have a
   * class loader of its own.
   */
  private static MethodHandle handle(String name, Class<?>... parameters) {
    try {
      var method = RegionSplitPolicy.class.getDeclaredMethod(name, parameters);
      method.setAccessible(true);
      return MethodHandles.lookup().unreflect(method);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Cannot find " + name + " of HBase's split policies", e);
    }
  }

  private static Object invoke(MethodHandle handle, Object... arguments) {
    try {
      return handle.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("Split policy failed", e);
    }
  }
}
