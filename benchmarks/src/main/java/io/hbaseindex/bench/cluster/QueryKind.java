/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;

/** What is asked; every question has another value. */
enum QueryKind {
  UNIQUE("unique value") {
    @Override
    Filter filter(int number, int rows) {
      return is(CustomerRows.EMAIL, CustomerRows.email(Math.floorMod(number * 7919L, rows)));
    }
  },
  ABSENT("absent value") {
    @Override
    Filter filter(int number, int rows) {
      return is(CustomerRows.EMAIL, ("nobody" + number).getBytes(StandardCharsets.US_ASCII));
    }
  },
  CITY("value of one row in a thousand") {
    @Override
    Filter filter(int number, int rows) {
      return is(CustomerRows.CITY, CustomerRows.city(Math.floorMod(number * 31, 1_000)));
    }
  },
  CITY_AND_STATUS("that, AND another column") {
    @Override
    Filter filter(int number, int rows) {
      return new FilterList(
          CITY.filter(number, rows), is(CustomerRows.STATUS, CustomerRows.status(number)));
    }
  };

  private final String label;

  QueryKind(String label) {
    this.label = label;
  }

  abstract Filter filter(int number, int rows);

  String label() {
    return label;
  }

  Scan scan(int number, int rows) {
    return new Scan().setFilter(filter(number, rows));
  }

  private static Filter is(byte[] column, byte[] value) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(CustomerRows.FAMILY, column, CompareOperator.EQUAL, value);
    filter.setFilterIfMissing(true);
    return filter;
  }
}
