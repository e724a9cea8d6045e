/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.index;

import io.hbaseindex.protocol.IndexRegionProtos.CheckResponse;
import io.hbaseindex.protocol.IndexRegionProtos.Fault;
import io.hbaseindex.protocol.IndexRegionProtos.FaultKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.util.Bytes;

/** What the checker found in all regions of a table. */
public final class Findings {

  private final List<Fault> faults = new ArrayList<>();
  private long rows;
  private long postings;
  private long repaired;

  void add(CheckResponse answer) {
    rows += answer.getRows();
    postings += answer.getPostings();
    repaired += answer.getRepaired();
    faults.addAll(answer.getFaultList());
  }

  /** Rows looked at. */
  public long rows() {
    return rows;
  }

  /** Postings looked at. */
  public long postings() {
    return postings;
  }

  public long repaired() {
    return repaired;
  }

  /** Rows that queries miss. */
  public List<Fault> missing() {
    return faults.stream().filter(fault -> fault.getKind() == FaultKind.MISSING).toList();
  }

  /** Live postings of rows that lack the value, whether their index may have them or not. */
  public List<Fault> dangling() {
    return faults.stream().filter(fault -> fault.getKind() != FaultKind.MISSING).toList();
  }

  /** Postings that say for certain what their row does not show for certain. */
  public List<Fault> overstated() {
    return faults.stream().filter(fault -> fault.getKind() == FaultKind.OVERSTATED).toList();
  }

  /** As {@link #dangling}, without the indexes that end their postings only later. */
  public List<Fault> danglingExcept(Set<Integer> indexIds) {
    return dangling().stream().filter(fault -> !indexIds.contains(fault.getIndexId())).toList();
  }

  @Override
  public String toString() {
    StringBuilder text =
        new StringBuilder(
            "%d missing, %d dangling in %d rows and %d postings"
                .formatted(missing().size(), dangling().size(), rows, postings));
    // Missing ones first: they are what a report is read for.
    List<Fault> worst = new ArrayList<>(missing());
    worst.addAll(dangling());
    for (Fault fault : worst.subList(0, Math.min(10, worst.size()))) {
      text.append("\n  ")
          .append(fault.getKind())
          .append(" in index ")
          .append(fault.getIndexId())
          .append(": row ")
          .append(Bytes.toStringBinary(fault.getRow().toByteArray()))
          .append(", posting ")
          .append(Bytes.toStringBinary(fault.getIndexRow().toByteArray()));
    }
    return text.toString();
  }
}
