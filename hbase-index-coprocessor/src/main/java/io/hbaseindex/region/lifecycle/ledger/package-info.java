/** What a region has built, kept in a file beside its stores. */
package io.hbaseindex.region.lifecycle.ledger;
