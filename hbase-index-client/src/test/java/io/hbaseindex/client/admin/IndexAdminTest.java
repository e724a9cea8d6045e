/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class IndexAdminTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final TableDescriptor PLAIN =
      TableDescriptorBuilder.newBuilder(TABLE)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
          .build();
  private static final TableDescriptor INDEXED =
      IndexedTableDescriptor.with(PLAIN, IndexDefinition.on("f", "a").named("by_a").eager());

  @Test
  void waiting_forADisabledTable_saysSoAtOnce() {
    IndexAdmin admin = IndexAdmin.of(clusterWhereDisabled(INDEXED));

    assertThatThrownBy(() -> admin.awaitReady(TABLE, Duration.ofSeconds(5), Progress.NONE))
        .isInstanceOf(TableNotEnabledException.class)
        .hasMessageContaining("table t: it is disabled")
        .hasMessageEndingWith("enable it and wait again");
  }

  @Test
  void waiting_forADisabledTableWithoutIndexes_endsAtOnce() throws Exception {
    IndexAdmin admin = IndexAdmin.of(clusterWhereDisabled(PLAIN));

    assertThat(admin.awaitReady(TABLE, Duration.ofSeconds(5), Progress.NONE).isReady()).isTrue();
  }

  private static Connection clusterWhereDisabled(TableDescriptor table) {
    Admin admin =
        proxy(
            Admin.class,
            name ->
                switch (name) {
                  case "getDescriptor" -> table;
                  case "isTableDisabled" -> true;
                  default -> null;
                });
    return proxy(
        Connection.class,
        name -> {
          if (name.equals("getAdmin")) {
            return admin;
          }
          throw new IOException("Cannot locate regions: none is open");
        });
  }

  private interface Answers {
    Object to(String method) throws IOException;
  }

  private static <T> T proxy(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answers.to(method.getName())));
  }
}
