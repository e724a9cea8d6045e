/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.region.write.plan.PostingPlan.Before;
import io.hbaseindex.region.write.plan.Version.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a plan knows, from the row alone, of the posting that it ends. */
class KnownPostingsTest {
  private static final byte[] ROW = {'r'};
  private static final long NOW = 1_000;
  private static final Retention FOR_EVER = new Retention(1, Long.MAX_VALUE);
  private static final Retention BRIEF = new Retention(1, 100);

  private final IndexDefinition both =
      TableIndexes.none()
          .with(IndexDefinition.on("f", "a").and("g", "b").named("both").eager(), () -> 1)
          .definitions()
          .iterator()
          .next();
  private final IndexedColumns columns = new IndexedColumns(List.of(both));
  private final RowVersions stored = new RowVersions(columns);

  /** What is known of the posting that ends when column a of the row gets another value. */
  private Before ended(Retention ofA, Retention ofB) throws UnindexableRowException {
    IndexRowKeys keys =
        IndexRowKeys.ofRegion(new byte[0], new byte[0], new byte[] {1}).orElseThrow();
    RowChange change = new RowChange(ROW, columns);
    change.add(0, 0, put("new", NOW, Version.AT_HAND));
    PostingPlan plan = new PostingPlan();
    plan.add(new RowPostings(both, keys, columns, List.of(ofA, ofB)), change, stored, NOW);
    assertThat(plan.postings()).hasSize(2);
    assertThat(plan.postings().get(1).before()).as("the one that starts").isEqualTo(Before.ENDED);
    return plan.postings().get(0).before();
  }

  private static Version put(String value, long timestamp, long sequence) {
    byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
    return new Version(Kind.PUT, timestamp, sequence, false, false, false, bytes);
  }

  @Test
  void newestPutOfEachColumn_orNone_itIsLive() throws Exception {
    stored.add(0, put("x", 5, 1));
    assertThat(ended(FOR_EVER, FOR_EVER)).isEqualTo(Before.LIVE);

    stored.add(1, put("y", 5, 1));
    assertThat(ended(FOR_EVER, FOR_EVER)).isEqualTo(Before.LIVE);
  }

  /** Nobody has written the posting without b when b expired; the one with it is live still. */
  @Test
  void F1_columnThatHasExpired_isNotKnown() throws Exception {
    stored.add(0, put("x", 5, 1));
    stored.add(1, put("y", 5, 1));
    assertThat(ended(FOR_EVER, BRIEF)).isEqualTo(Before.UNKNOWN);
  }

  @Test
  void F1_putsWhoseOrderNobodyCanTell_areNotKnown() throws Exception {
    stored.add(0, put("x", 5, 0));
    stored.add(0, put("z", 5, 0));
    assertThat(ended(FOR_EVER, FOR_EVER)).isEqualTo(Before.UNKNOWN);
  }
}
