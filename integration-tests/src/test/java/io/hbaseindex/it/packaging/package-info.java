/**
 * What users install, as it is packaged: the two jars, the demo, clusters of separate processes.
 */
package io.hbaseindex.it.packaging;
