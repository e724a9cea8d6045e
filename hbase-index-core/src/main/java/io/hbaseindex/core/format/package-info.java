/** The envelope around everything that is stored or sent: kind, version, length, checksum. */
package io.hbaseindex.core.format;
