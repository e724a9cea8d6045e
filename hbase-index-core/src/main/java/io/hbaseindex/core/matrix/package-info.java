/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * From a value to the owners that may hold it: the planes of very many filters laid out so that
 * they are asked together.
 */
package io.hbaseindex.core.matrix;
