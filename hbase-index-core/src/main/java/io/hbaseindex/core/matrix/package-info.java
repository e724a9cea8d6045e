/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * Which of very many owners may hold a value: the planes of their filters, laid out so that they
 * are asked together.
 */
package io.hbaseindex.core.matrix;
