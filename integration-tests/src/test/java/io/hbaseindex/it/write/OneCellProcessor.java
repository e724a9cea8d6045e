/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.write;

import com.google.protobuf.Message;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.BaseRowProcessor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.wal.WALEdit;

/** Writes one cell by the way that calls no hook of any batch: a row processor. */
final class OneCellProcessor extends BaseRowProcessor<Message, Message> {
  private final byte[] row;
  private final byte[] family;
  private final byte[] qualifier;
  private final byte[] value;

  OneCellProcessor(byte[] row, byte[] family, byte[] qualifier, byte[] value) {
    this.row = row;
    this.family = family;
    this.qualifier = qualifier;
    this.value = value;
  }

  @Override
  public Collection<byte[]> getRowsToLock() {
    return List.of(row);
  }

  @Override
  public void process(long now, HRegion region, List<Mutation> mutations, WALEdit walEdit) {
    Put put = new Put(row).addColumn(family, qualifier, now, value);
    mutations.add(put);
    for (Cell cell : put.getFamilyCellMap().get(family)) {
      walEdit.add(cell);
    }
  }

  @Override
  public boolean readOnly() {
    return false;
  }

  @Override
  public Message getResult() {
    return null;
  }

  @Override
  public Message getRequestData() {
    return null;
  }

  @Override
  public void initialize(Message message) {}
}
