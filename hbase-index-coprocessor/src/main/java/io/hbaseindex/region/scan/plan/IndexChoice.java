/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Whether a plan uses an index.
 *
 * @param index its name
 * @param used whether it does
 * @param reason how, or why not; one phrase for a person
 */
@InterfaceAudience.Private
public record IndexChoice(String index, boolean used, String reason) {}
