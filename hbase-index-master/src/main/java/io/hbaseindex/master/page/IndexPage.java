/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page;

import io.hbaseindex.master.page.model.Explained;
import io.hbaseindex.master.page.model.PageModel;
import io.hbaseindex.master.page.model.PageQuestion;
import io.hbaseindex.master.page.model.TableSight;
import io.hbaseindex.master.page.view.PageView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Answers the questions of the page's visitors. However large the cluster is, one answer looks at a
 * bounded number of tables and regions, and a bounded number of answers is made at once.
 */
@InterfaceAudience.Private
public final class IndexPage implements IndexPageServlet.Answers {
  static final int TABLES = 20;
  static final int REGIONS = 50_000;

  /** Lets a bounded number of answers be made at the same time. */
  public interface Gate {
    String pass(Work work) throws IOException;
  }

  /** The making of one answer. */
  public interface Work {
    String run() throws IOException;
  }

  /** Refuses who may not read what a table's filters tell of it. */
  public interface Readers {
    void require(Optional<String> user, TableName table) throws IOException;
  }

  private final ClusterReader cluster;
  private final RouteExplainer explainer;
  private final History history;
  private final Readers readers;
  private final Gate gate;

  public IndexPage(
      ClusterReader cluster,
      RouteExplainer explainer,
      History history,
      Readers readers,
      Gate gate) {
    this.cluster = cluster;
    this.explainer = explainer;
    this.history = history;
    this.readers = readers;
    this.gate = gate;
  }

  @Override
  public String answer(PageQuestion question) throws IOException {
    return gate.pass(() -> PageView.render(model(question)));
  }

  private PageModel model(PageQuestion question) throws IOException {
    NavigableMap<String, TableDescriptor> indexed = cluster.tables();
    NavigableMap<String, TableDescriptor> wanted =
        question.table().isPresent()
            ? indexed.subMap(question.table().get(), true, question.table().get(), true)
            : indexed.tailMap(question.from(), true);
    List<TableSight> tables = new ArrayList<>();
    int left = REGIONS;
    Optional<String> next = Optional.empty();
    for (TableDescriptor table : wanted.values()) {
      if (tables.size() == TABLES || left <= 0) {
        next = Optional.of(table.getTableName().getNameAsString());
        break;
      }
      TableSight sight = cluster.table(table, left);
      left -= sight.regions().size();
      tables.add(sight);
    }
    return new PageModel(
        question,
        cluster.holders(),
        history.now(),
        history.samples(),
        tables,
        indexed.size(),
        next,
        explained(question, wanted, tables));
  }

  private Optional<Explained> explained(
      PageQuestion question, NavigableMap<String, TableDescriptor> wanted, List<TableSight> tables)
      throws IOException {
    if (question.table().isEmpty() || question.where().isBlank()) {
      return Optional.empty();
    }
    if (tables.isEmpty()) {
      return Optional.of(
          Explained.refused("Cannot explain: there is no table of that name with an index."));
    }
    TableDescriptor table = wanted.firstEntry().getValue();
    try {
      readers.require(question.user(), table.getTableName());
    } catch (AccessDeniedException e) {
      return Optional.of(Explained.refused(e.getMessage()));
    }
    return Optional.of(explainer.explain(table, tables.get(0).regions(), question.where()));
  }
}
