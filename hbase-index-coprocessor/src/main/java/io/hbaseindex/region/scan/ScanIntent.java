package io.hbaseindex.region.scan;

import java.util.Map;
import org.apache.hadoop.hbase.client.Scan;

/**
 * What a scan is to do once its scanner is open.
 *
 * @param scan the scan, as it was when the plan was made
 * @param plan the postings to read
 * @param exact whether a row that the filter refuses has a stale posting
 * @param readiness per index of the plan the token of its readiness; if one changes, the plan no
 *     longer holds
 */
record ScanIntent(Scan scan, AccessPlan plan, boolean exact, Map<Integer, Object> readiness) {}
