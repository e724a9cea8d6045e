package io.hbaseindex.client.routing;

import io.hbaseindex.client.IndexedTableDescriptor;
import io.hbaseindex.core.publish.RouteAnswer;
import io.hbaseindex.core.publish.RoutePredicate;
import io.hbaseindex.query.ScanReader;
import io.hbaseindex.query.ScanVerdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;

/**
 * Scans a table only where rows may be that the scan's filter lets pass. Results are those of an
 * ordinary scan, in the same order.
 *
 * <p>The definitions are read when this is made. If they change later, routes on indexes that are
 * no longer the same are simply not narrowed.
 */
public final class RoutedTable implements AutoCloseable {
  private final Connection connection;
  private final TableDescriptor descriptor;
  private final Table table;
  private final MasterRoutes routes;
  private final RoutePlanner planner;
  private final ScanReader reader;

  /**
   * @param timeoutMillis how long the master may take; after that all regions are scanned
   */
  public RoutedTable(
      Connection connection, AsyncConnection master, TableName name, long timeoutMillis)
      throws IOException {
    this.connection = connection;
    this.table = connection.getTable(name);
    this.descriptor = table.getDescriptor();
    this.routes = new MasterRoutes(master, timeoutMillis);
    this.planner = new RoutePlanner(IndexedTableDescriptor.indexesOf(descriptor));
    this.reader = ScanReader.of(descriptor);
  }

  /** Where the master says that rows for this scan may be; empty if it cannot or does not say. */
  public Optional<RouteAnswer> route(Scan scan) throws IOException {
    if (!(reader.read(scan) instanceof ScanVerdict.Eligible eligible)) {
      return Optional.empty();
    }
    Optional<RoutePredicate> predicate = planner.plan(eligible.predicate());
    return predicate.isEmpty() ? Optional.empty() : routes.route(table.getName(), predicate.get());
  }

  /** Scans where rows may be. */
  public ResultScanner scan(Scan scan) throws IOException {
    Optional<RouteAnswer> answer = route(scan);
    if (answer.isEmpty()) {
      return table.getScanner(scan);
    }
    List<Scan> pieces =
        answer.get().ranges().stream()
            .map(range -> ScanBounds.within(scan, range))
            .flatMap(Optional::stream)
            .toList();
    if (pieces.isEmpty()) {
      requireScannable(scan);
    }
    return new PiecewiseScanner(table, pieces, scan.getLimit());
  }

  /** A scan that asks no region must still fail where one that asks them all would. */
  private void requireScannable(Scan scan) throws IOException {
    try (var admin = connection.getAdmin()) {
      if (!admin.isTableEnabled(table.getName())) {
        throw new TableNotEnabledException(table.getName());
      }
    }
    for (byte[] family : scan.getFamilyMap().keySet()) {
      if (!descriptor.hasColumnFamily(family)) {
        throw new NoSuchColumnFamilyException(
            "Cannot scan "
                + table.getName()
                + ": it has no family "
                + new String(family, StandardCharsets.UTF_8));
      }
    }
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
