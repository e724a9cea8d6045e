/** Clocks that are passed in, so that time can be simulated. */
package io.hbaseindex.core.time;
