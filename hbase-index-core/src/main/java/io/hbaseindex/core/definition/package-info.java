/** What is indexed: index definitions and how a table descriptor carries them. */
package io.hbaseindex.core.definition;
