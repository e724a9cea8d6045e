/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.write;

/** A {@link Saboteur} whose hooks run before those of the index. */
public class EarlySaboteur extends Saboteur {}
