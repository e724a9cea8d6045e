/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench;

import io.hbaseindex.bench.cluster.QueryTimesCommand;
import io.hbaseindex.bench.cluster.RoutingCommand;
import io.hbaseindex.bench.cluster.WriteCostCommand;
import picocli.CommandLine.Command;

/** Measurements on a cluster; each is a subcommand. */
@Command(
    name = "cluster",
    description = "Measures indexed tables against plain ones on a cluster in this process.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {WriteCostCommand.class, RoutingCommand.class, QueryTimesCommand.class})
final class ClusterMeasurements {}
