/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * What region servers and holders of filters say to each other: messages, replies, tokens and the
 * terms of trust.
 */
package io.hbaseindex.core.push;
