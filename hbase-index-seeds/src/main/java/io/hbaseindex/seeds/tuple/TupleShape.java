/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

/** The number of attributes of a filter's tuples, and the check that callers keep to it. */
record TupleShape(int attributes) {
  TupleShape {
    if (attributes < 1 || attributes > AttributeSet.MAX_ATTRIBUTES) {
      throw new IllegalArgumentException(
          "Cannot create a tuple filter: attributes was %d; it must lie between 1 and %d"
              .formatted(attributes, AttributeSet.MAX_ATTRIBUTES));
    }
  }

  void check(long[] tuple) {
    if (tuple.length != attributes) {
      throw new IllegalArgumentException(
          "Cannot use a tuple of %d attributes: the filter's tuples have %d"
              .formatted(tuple.length, attributes));
    }
  }

  void check(AttributeSet given, long[] values) {
    check(values);
    check(given);
  }

  void check(AttributeSet named) {
    if (named.bits() >>> attributes != 0) {
      throw new IllegalArgumentException(
          "Cannot use attributes %s: the filter's tuples have %d, counted from 0"
              .formatted(named, attributes));
    }
  }
}
