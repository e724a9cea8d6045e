/** From a batch of mutations to the postings that go into the same batch. */
package io.hbaseindex.region.write;
