/** The command line: every command is a few lines over the client's API. */
package io.hbaseindex.cli;
