/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.PostingForm;
import io.hbaseindex.core.predicate.ValueRange;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** Which postings to read, and how to combine them, to get the candidates of a query. */
@InterfaceAudience.Private
public sealed interface AccessPlan {

  /** Its lookups and sweeps. */
  default List<AccessPlan> accesses() {
    if (this instanceof Union union) {
      return union.members().stream().flatMap(member -> member.accesses().stream()).toList();
    }
    if (this instanceof Intersection intersection) {
      return intersection.members().stream().flatMap(member -> member.accesses().stream()).toList();
    }
    return this instanceof Nothing ? List.of() : List.of(this);
  }

  /** The indexes whose postings it reads, each as often as it does. */
  default List<IndexDefinition> indexes() {
    if (this instanceof Lookup lookup) {
      return List.of(lookup.index());
    }
    if (this instanceof Sweep sweep) {
      return List.of(sweep.index());
    }
    return accesses().stream()
        .map(access -> access instanceof Lookup lookup ? lookup.index() : ((Sweep) access).index())
        .toList();
  }

  /** Nothing can match: the query contradicts itself. */
  record Nothing() implements AccessPlan {}

  /**
   * All columns of the index are fixed by equality: its postings come in row order.
   *
   * @param values in their {@link PostingForm}
   */
  record Lookup(IndexDefinition index, List<byte[]> values) implements AccessPlan {}

  /** Parts of an index that must be collected and sorted. */
  record Sweep(IndexDefinition index, List<Slice> slices) implements AccessPlan {}

  /**
   * The postings whose leading columns have exactly these values and whose next column, if a range
   * is given, has a value in it; all in their {@link PostingForm}.
   */
  record Slice(List<byte[]> leading, Optional<ValueRange> next) {}

  /** Candidates of any of the members. */
  record Union(List<AccessPlan> members) implements AccessPlan {}

  /** Candidates of all the members. Each member alone holds all candidates: any may be left out. */
  record Intersection(List<AccessPlan> members) implements AccessPlan {}
}
