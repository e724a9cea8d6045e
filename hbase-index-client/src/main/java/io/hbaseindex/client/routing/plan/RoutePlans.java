/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.plan;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteAnswer.Candidate;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/** Makes plans out of answers, or of their absence. */
@InterfaceAudience.Private
public final class RoutePlans {
  private static final List<RoutePlan.Part> EVERYWHERE =
      RouteAnswer.unknownTable().candidates().stream().map(RoutePlans::part).toList();

  private RoutePlans() {}

  /** Where an answer sends a scan. */
  public static RoutePlan routed(
      TableName table, RouteAnswer answer, long ageMillis, List<String> askedBy) {
    return new RoutePlan(
        table,
        Optional.empty(),
        Optional.empty(),
        answer.candidates().stream().map(RoutePlans::part).toList(),
        answer.excluded(),
        answer.positive(),
        answer.open(),
        ageMillis,
        askedBy,
        false);
  }

  /** Some parts of a plan. */
  public static RoutePlan only(RoutePlan plan, List<RoutePlan.Part> some) {
    return new RoutePlan(
        plan.table(),
        plan.unrouted(),
        plan.plain(),
        some,
        plan.skippedRegions(),
        plan.positiveRegions(),
        plan.openRegions(),
        plan.ageMillis(),
        plan.askedBy(),
        plan.guessed());
  }

  /** The plan of a scan that is not narrowed. */
  public static RoutePlan everywhere(TableName table, UnroutedReason reason) {
    return everywhere(table, reason, Optional.empty());
  }

  static RoutePlan notEligible(TableName table, PlainScanReason reason) {
    return everywhere(table, UnroutedReason.SCAN_NOT_ELIGIBLE, Optional.of(reason));
  }

  private static RoutePlan everywhere(
      TableName table, UnroutedReason reason, Optional<PlainScanReason> plain) {
    return new RoutePlan(
        table, Optional.of(reason), plain, EVERYWHERE, 0, 0, 0, 0, List.of(), false);
  }

  private static RoutePlan.Part part(Candidate candidate) {
    return new RoutePlan.Part(
        candidate.range(),
        Optional.ofNullable(candidate.server()),
        Optional.ofNullable(candidate.open()).map(Enum::name));
  }
}
