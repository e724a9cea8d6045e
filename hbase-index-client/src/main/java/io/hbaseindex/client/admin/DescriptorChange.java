/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Changes a table by reading its descriptor, changing that and sending it back.
 *
 * <p>HBase has no compare-and-set for descriptors. The master's index observer refuses a change
 * that would undo another one made since the descriptor was read; the change is then made anew, on
 * what the table has become. A change that is interrupted here may still be made by the master:
 * repeated, it finds the table as it should be.
 */
final class DescriptorChange {
  /** Beyond this, somebody changes the table all the time, and a person should look at it. */
  private static final int ATTEMPTS = 5;

  private final Admin admin;

  DescriptorChange(Admin admin) {
    this.admin = admin;
  }

  /**
   * Makes the change and waits until all regions have it.
   *
   * @return whether the table had to be changed
   */
  boolean make(TableName table, UnaryOperator<TableDescriptor> change) throws IOException {
    TableDescriptor before = admin.getDescriptor(table);
    for (int attempt = 1; ; attempt++) {
      TableDescriptor after = change.apply(before);
      if (after.equals(before)) {
        return false;
      }
      try {
        admin.modifyTable(after);
        return true;
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        TableDescriptor now = admin.getDescriptor(table);
        if (attempt == ATTEMPTS || now.equals(before)) {
          throw e;
        }
        before = now;
      }
    }
  }
}
