/** The holder's side of publishing: which filters are trusted, and the routes they give. */
package io.hbaseindex.core.registry;
