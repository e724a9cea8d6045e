/** Jobs that read only the regions that can hold what they look for. */
package io.hbaseindex.client.mapreduce;
