/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.phoenix;

import io.hbaseindex.bench.cluster.CustomerRows;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is asked, as a condition of ours and as SQL; every number asks for another value. */
enum CustomerQuestion {
  UNIQUE("unique value", "EMAIL = ?") {
    @Override
    List<String> values(int number, int rows) {
      return List.of(email(number, rows));
    }
  },
  ABSENT("absent value", "EMAIL = ?") {
    @Override
    List<String> values(int number, int rows) {
      return List.of("user%09d@nowhere".formatted(Math.floorMod(number * 7919L, rows)));
    }
  },
  CITY("one city, of 1,000", "CITY = ?") {
    @Override
    List<String> values(int number, int rows) {
      return List.of(city(number));
    }
  },
  CITY_AND_STATUS("city AND status", "CITY = ? AND STATUS = ?") {
    @Override
    List<String> values(int number, int rows) {
      return List.of(city(number), text(CustomerRows.status(number)));
    }
  },
  RANGE("20 rows in a range of e-mail addresses", "EMAIL BETWEEN ? AND ?") {
    @Override
    List<String> values(int number, int rows) {
      long first = Math.floorMod(number * 7919L, Math.max(1, rows - RANGE_ROWS));
      return List.of(
          text(CustomerRows.email(first)), text(CustomerRows.email(first + RANGE_ROWS - 1)));
    }
  },
  TOP("first 10 e-mail addresses from one on", "EMAIL >= ? ORDER BY EMAIL LIMIT 10") {
    @Override
    List<String> values(int number, int rows) {
      return List.of(email(number, rows));
    }
  },
  COUNT("count of one city in ten", "CITY BETWEEN ? AND ?") {
    @Override
    List<String> values(int number, int rows) {
      int first = Math.floorMod(number * 31, CustomerRows.CITIES - COUNTED_CITIES);
      return List.of(
          text(CustomerRows.city(first)), text(CustomerRows.city(first + COUNTED_CITIES - 1)));
    }
  };

  /** How many rows are wanted of those that are asked for in an order. */
  static final int FIRST = 10;

  private static final int RANGE_ROWS = 20;
  private static final int COUNTED_CITIES = CustomerRows.CITIES / 10;

  private final String label;
  private final String sql;

  CustomerQuestion(String label, String sql) {
    this.label = label;
    this.sql = sql;
  }

  /** The values that take the places of the question marks. */
  abstract List<String> values(int number, int rows);

  String label() {
    return label;
  }

  boolean isCount() {
    return this == COUNT;
  }

  /** Whether only the first {@link #FIRST} rows are wanted, by e-mail address. */
  boolean isOrdered() {
    return this == TOP;
  }

  /** The condition in SQL, with the order. */
  String sql() {
    return sql;
  }

  /** The same condition. */
  Condition condition(int number, int rows) {
    List<String> values = values(number, rows);
    return switch (this) {
      case UNIQUE, ABSENT -> column(CustomerRows.EMAIL).equalTo(values.get(0));
      case CITY -> column(CustomerRows.CITY).equalTo(values.get(0));
      case CITY_AND_STATUS ->
          column(CustomerRows.CITY)
              .equalTo(values.get(0))
              .and(column(CustomerRows.STATUS).equalTo(values.get(1)));
      case TOP -> column(CustomerRows.EMAIL).atLeast(Value.of(values.get(0)));
      case RANGE -> between(CustomerRows.EMAIL, values);
      case COUNT -> between(CustomerRows.CITY, values);
    };
  }

  private static Condition between(byte[] qualifier, List<String> values) {
    return column(qualifier).between(Value.of(values.get(0)), Value.of(values.get(1)));
  }

  static Column column(byte[] qualifier) {
    return Column.of(CustomerRows.FAMILY, qualifier);
  }

  private static String email(int number, int rows) {
    return text(CustomerRows.email(Math.floorMod(number * 7919L, rows)));
  }

  private static String city(int number) {
    return text(CustomerRows.city(Math.floorMod(number * 31, CustomerRows.CITIES)));
  }

  static String text(byte[] ascii) {
    return new String(ascii, StandardCharsets.US_ASCII);
  }
}
