/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.holders;

import io.hbaseindex.core.shard.HolderLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.zookeeper.ZKMetadata;
import org.apache.yetus.audience.InterfaceAudience;
import org.apache.zookeeper.KeeperException;

/**
 * The table whose regions hold filters. It has no rows: HBase assigns its regions to servers, and
 * each keeps a share of the filters in its memory.
 *
 * <p>Holder n is whichever region has the key n. So a table with fewer regions than holders works,
 * too, with several holders in one region.
 */
@InterfaceAudience.Private
public final class HoldersTable {
  public static final TableName NAME = TableName.valueOf("hbaseindex", "filters");

  /** The class of the table's coprocessor. */
  public static final String ENDPOINT_CLASS = "io.hbaseindex.master.FilterHolderEndpoint";

  private static final String NODE = "hbaseindex-holders";
  private static final String FAMILY = "f";

  private HoldersTable() {}

  /** The key by which a holder is found. */
  public static byte[] rowOf(int holder) {
    return new byte[] {(byte) (holder >> Byte.SIZE), (byte) holder};
  }

  /** The keys between so many holders. */
  public static byte[][] splitKeys(int holders) {
    byte[][] keys = new byte[holders - 1][];
    for (int holder = 1; holder < holders; holder++) {
      keys[holder - 1] = rowOf(holder);
    }
    return keys;
  }

  /** The table as it is created; it has no data, so HBase never splits its regions by itself. */
  public static TableDescriptor descriptor() throws IOException {
    return TableDescriptorBuilder.newBuilder(NAME)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
        .setCoprocessor(CoprocessorDescriptorBuilder.newBuilder(ENDPOINT_CLASS).build())
        .setMergeEnabled(false)
        .setNormalizationEnabled(false)
        .build();
  }

  /** The ZooKeeper node that says where filters are kept. */
  public static String node(String baseNode) {
    return baseNode + "/" + NODE;
  }

  /**
   * Reads what ZooKeeper has answered.
   *
   * @return where filters are kept: at the master if there is no node; empty if it did not say
   */
  public static Optional<HolderLayout> layout(int code, byte[] data) {
    if (code == KeeperException.Code.NONODE.intValue()) {
      return Optional.of(HolderLayout.MASTER);
    }
    return code == KeeperException.Code.OK.intValue()
        ? Optional.of(
            HolderLayout.parse(new String(ZKMetadata.removeMetaData(data), StandardCharsets.UTF_8)))
        : Optional.empty();
  }
}
