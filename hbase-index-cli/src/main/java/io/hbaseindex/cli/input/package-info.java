/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Reading what users type: columns, values and conditions. */
package io.hbaseindex.cli.input;
