/** Paced work on a few threads per region server. */
package io.hbaseindex.region.lifecycle.background;
