/** The messages between region servers, master and clients as bytes. */
package io.hbaseindex.core.wire;
