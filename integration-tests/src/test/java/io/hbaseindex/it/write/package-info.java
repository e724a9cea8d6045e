/** The write path on a real region: postings beside the data, whatever is written and however. */
package io.hbaseindex.it.write;
