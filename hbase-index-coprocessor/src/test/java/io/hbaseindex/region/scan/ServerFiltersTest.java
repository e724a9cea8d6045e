/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.query.FilterTrait;
import java.lang.reflect.Constructor;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.junit.jupiter.api.Test;

class ServerFiltersTest {
  @Test
  void everyName_isAFilterOfThisHBase() throws ClassNotFoundException {
    for (String name : ServerFilters.HIDING_CELLS) {
      assertThat(Class.forName(name)).isAssignableTo(Filter.class);
    }
  }

  @Test
  void traitOf_filterOfCellAcls_mayHideNewestCells() throws ReflectiveOperationException {
    Constructor<?> unseen =
        Class.forName("org.apache.hadoop.hbase.security.access.AccessControlFilter")
            .getDeclaredConstructor();
    unseen.setAccessible(true);
    assertThat(ServerFilters.traitOf((Filter) unseen.newInstance()))
        .isEqualTo(FilterTrait.VERSION_SELECTIVE);
  }

  @Test
  void traitOf_anyOther_isUnknown() {
    assertThat(ServerFilters.traitOf(new KeyOnlyFilter())).isEqualTo(FilterTrait.UNKNOWN);
  }
}
