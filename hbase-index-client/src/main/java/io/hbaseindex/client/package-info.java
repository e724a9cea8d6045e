/** What an HBase client needs to declare and to use indexes. */
package io.hbaseindex.client;
