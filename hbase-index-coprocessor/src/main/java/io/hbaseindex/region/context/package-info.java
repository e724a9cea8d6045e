/** What the write path, the read path, publishing and the lifecycle of one region share. */
package io.hbaseindex.region.context;
