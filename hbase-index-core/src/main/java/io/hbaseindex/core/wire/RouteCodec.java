/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RoutePredicate.AllOf;
import io.hbaseindex.core.route.RoutePredicate.AnyOf;
import io.hbaseindex.core.route.RoutePredicate.Element;
import io.hbaseindex.core.route.RoutePredicate.Range;
import io.hbaseindex.core.route.RowRange;
import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a client asks the master, and the answer, as blobs. Bodies:
 *
 * <pre>
 *   ROUTE_REQUEST  text table │ predicate
 *   predicate      uint8 1 │ coverage │ int64 hash                    an element
 *                  uint8 4 │ coverage │ range ({@link Bounds})       a range
 *                  uint8 2 │ var n │ predicate*                       all of
 *                  uint8 3 │ var n │ predicate*                       any of
 *
 *   ROUTE_ANSWER   var excluded │ var positive │ var open │ var n │ candidate*
 *   candidate      bytes start │ bytes end │ text server, empty for none │ uint8 reason + 1
 * </pre>
 *
 * <p>A predicate is at most {@value #MAX_DEPTH} deep and has at most {@value #MAX_NODES} nodes.
 */
@InterfaceAudience.Private
public final class RouteCodec {
  /** Deeper predicates are refused. */
  public static final int MAX_DEPTH = 32;

  /** Larger predicates are refused. Room for the longest list of values, and some more. */
  public static final int MAX_NODES = 16_384;

  private static final int ELEMENT = 1;
  private static final int ALL_OF = 2;
  private static final int ANY_OF = 3;
  private static final int RANGE = 4;

  private RouteCodec() {}

  /** Asks where rows of a table that satisfy a predicate may be. */
  public record RouteRequest(String table, RoutePredicate predicate) {}

  /** The bytes of a request. */
  public static byte[] encode(RouteRequest request) {
    WireWriter out = new WireWriter();
    out.text(request.table());
    writePredicate(out, request.predicate());
    return Blob.seal(BlobKind.ROUTE_REQUEST, out.toByteArray());
  }

  /** Reads a request; refuses whatever is not one, whole and unharmed. */
  public static RouteRequest decodeRequest(byte[] blob) throws MalformedBlobException {
    return Blob.read(
        BlobKind.ROUTE_REQUEST,
        blob,
        body -> {
          WireReader in = new WireReader(body);
          return new RouteRequest(in.text(), new PredicateReader(in).read(0));
        });
  }

  /** The bytes of an answer. */
  public static byte[] encode(RouteAnswer answer) {
    WireWriter out = new WireWriter();
    out.var(answer.excluded());
    out.var(answer.positive());
    out.var(answer.open());
    out.var(answer.candidates().size());
    for (RouteAnswer.Candidate candidate : answer.candidates()) {
      out.bytes(candidate.range().start());
      out.bytes(candidate.range().end());
      out.text(candidate.server() == null ? "" : candidate.server());
      Reasons.write(out, candidate.open());
    }
    return Blob.seal(BlobKind.ROUTE_ANSWER, out.toByteArray());
  }

  /** Reads an answer; refuses whatever is not one, whole and unharmed. */
  public static RouteAnswer decodeAnswer(byte[] blob) throws MalformedBlobException {
    return Blob.read(
        BlobKind.ROUTE_ANSWER,
        blob,
        body -> {
          WireReader in = new WireReader(body);
          int excluded = in.varInt();
          int positive = in.varInt();
          int open = in.varInt();
          List<RouteAnswer.Candidate> candidates = new ArrayList<>();
          for (int left = in.count(4); left > 0; left--) {
            RowRange range = new RowRange(in.bytes(), in.bytes());
            String server = in.text();
            candidates.add(
                new RouteAnswer.Candidate(
                    range, server.isEmpty() ? null : server, Reasons.read(in)));
          }
          return new RouteAnswer(candidates, excluded, positive, open);
        });
  }

  private static void writePredicate(WireWriter out, RoutePredicate predicate) {
    if (predicate instanceof Element element) {
      out.uint8(ELEMENT);
      Coverages.write(out, element.index());
      out.int64(element.hash());
    } else if (predicate instanceof Range range) {
      out.uint8(RANGE);
      Coverages.write(out, range.index());
      Bounds.write(out, range.values());
    } else if (predicate instanceof AllOf all) {
      out.uint8(ALL_OF);
      writeParts(out, all.parts());
    } else if (predicate instanceof AnyOf any) {
      out.uint8(ANY_OF);
      writeParts(out, any.parts());
    } else {
      throw new AssertionError("no such kind of predicate: " + predicate);
    }
  }

  private static void writeParts(WireWriter out, List<RoutePredicate> parts) {
    out.var(parts.size());
    parts.forEach(part -> writePredicate(out, part));
  }

  private static final class PredicateReader {
    private final WireReader in;
    private int nodes;

    PredicateReader(WireReader in) {
      this.in = in;
    }

    RoutePredicate read(int depth) {
      if (depth > MAX_DEPTH || ++nodes > MAX_NODES) {
        throw new IllegalArgumentException(
            "a predicate is deeper than " + MAX_DEPTH + " or larger than " + MAX_NODES + " nodes");
      }
      int kind = in.uint8();
      return switch (kind) {
        case ELEMENT -> new Element(Coverages.read(in), in.int64());
        case RANGE -> new Range(Coverages.read(in), Bounds.readRange(in));
        case ALL_OF -> new AllOf(readParts(depth));
        case ANY_OF -> new AnyOf(readParts(depth));
        default -> throw new IllegalArgumentException("a predicate was of kind " + kind);
      };
    }

    private List<RoutePredicate> readParts(int depth) {
      List<RoutePredicate> parts = new ArrayList<>();
      for (int left = in.count(2); left > 0; left--) {
        parts.add(read(depth + 1));
      }
      return parts;
    }
  }
}
