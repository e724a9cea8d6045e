/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.matrix;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.ErrorRate;
import io.hbaseindex.bench.report.LinePlot;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.tuple.AttributeHasher;
import io.hbaseindex.bench.tuple.DnsTraffic;
import io.hbaseindex.bench.tuple.DnsTraffic.Request;
import io.hbaseindex.bench.tuple.ErrorMeter;
import io.hbaseindex.bench.tuple.Structure;
import io.hbaseindex.seeds.tuple.AttributeSet;
import io.hbaseindex.seeds.tuple.TupleFilter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Figure 8: error against memory on skewed, correlated triples. One stretch of traffic is stored,
 * the requests of the next that did not occur in it are asked for.
 *
 * <p>The attributes are ordered resolver, client, name, so that the pair asked for, client and
 * name, is {@link Structure#PAIR}; the cut pair is resolver and name.
 */
final class TrafficFigure {
  private static final long SEED = 8;
  private static final int STORED = 200_000;
  private static final int ASKED = 200_000;
  private static final int[] MEBIBYTES = {1, 2, 4, 8, 16, 32};

  private static final List<Structure> STRUCTURES =
      List.of(
          Structure.SBF,
          Structure.MDBF,
          Structure.CMDBF,
          Structure.CBF,
          Structure.BFM,
          Structure.CBFM,
          Structure.WCBFM,
          Structure.SEVEN_SBF);

  private final AttributeHasher hasher = new AttributeHasher(Structure.ATTRIBUTES);
  private final Set<Request> stored = new HashSet<>();
  private final List<long[]> absent = new ArrayList<>();
  private final List<long[]> absentPairs = new ArrayList<>();

  private record Pair(int client, int name) {}

  TrafficFigure() {
    DnsTraffic traffic = new DnsTraffic(SEED);
    Set<Pair> pairs = new HashSet<>();
    for (int i = 0; i < STORED; i++) {
      Request request = traffic.next();
      stored.add(request);
      pairs.add(new Pair(request.client(), request.name()));
    }
    for (int i = 0; i < ASKED; i++) {
      Request request = traffic.next();
      if (!stored.contains(request)) {
        absent.add(hashes(request));
      }
      if (!pairs.contains(new Pair(request.client(), request.name()))) {
        absentPairs.add(hashes(request));
      }
    }
  }

  String run(Docs docs) {
    MarkdownTable full = table();
    MarkdownTable pair = table();
    LinePlot fullPlot = plot("DNS triples: full tuples asked for");
    LinePlot pairPlot = plot("DNS triples: client and name asked for");
    for (Structure structure : STRUCTURES) {
      ErrorRate[] fullErrors = new ErrorRate[MEBIBYTES.length];
      ErrorRate[] pairErrors = new ErrorRate[MEBIBYTES.length];
      for (int i = 0; i < MEBIBYTES.length; i++) {
        TupleFilter filter = structure.create((long) MEBIBYTES[i] << 23, PaperSetting.HASHES);
        stored.forEach(request -> filter.insert(hashes(request)));
        fullErrors[i] = error(filter, Structure.ALL, absent);
        pairErrors[i] = error(filter, Structure.PAIR, absentPairs);
      }
      add(structure, fullErrors, full, fullPlot);
      if (structure != Structure.SBF) {
        add(structure, pairErrors, pair, pairPlot);
      }
    }
    return String.format(
        Locale.ROOT,
        "%,d requests stored, %,d of them distinct; %,d absent triples and %,d absent pairs asked"
            + " for.%n%nFull tuples, error by memory:%n%n%s%nClient and name:%n%n%s%n%s%n%s",
        STORED,
        stored.size(),
        absent.size(),
        absentPairs.size(),
        full,
        pair,
        docs.plot("000-figure-8-full", fullPlot),
        docs.plot("000-figure-8-pair", pairPlot));
  }

  private static void add(
      Structure structure, ErrorRate[] errors, MarkdownTable table, LinePlot plot) {
    Object[] cells = new Object[1 + errors.length];
    double[] memory = new double[errors.length];
    double[] values = new double[errors.length];
    cells[0] = structure;
    for (int i = 0; i < errors.length; i++) {
      cells[1 + i] = errors[i];
      memory[i] = MEBIBYTES[i];
      values[i] = errors[i].value();
    }
    table.row(cells);
    plot.line(structure.name(), memory, values);
  }

  private static ErrorRate error(TupleFilter filter, AttributeSet given, List<long[]> queries) {
    long wrong = queries.stream().filter(query -> ErrorMeter.ask(filter, given, query)).count();
    return new ErrorRate(wrong, queries.size());
  }

  private long[] hashes(Request request) {
    return new long[] {
      hasher.hash(0, request.resolver()),
      hasher.hash(1, request.client()),
      hasher.hash(2, request.name())
    };
  }

  private static MarkdownTable table() {
    String[] header = new String[1 + MEBIBYTES.length];
    header[0] = "structure";
    for (int i = 0; i < MEBIBYTES.length; i++) {
      header[1 + i] = MEBIBYTES[i] + " MiB";
    }
    return new MarkdownTable(header);
  }

  private static LinePlot plot(String title) {
    return new LinePlot(title + " (k = 6)", "memory, MiB", "error").logarithmicX().logarithmicY();
  }
}
