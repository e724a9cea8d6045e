/** The command line against a real cluster, in this process. */
package io.hbaseindex.it.cli;
