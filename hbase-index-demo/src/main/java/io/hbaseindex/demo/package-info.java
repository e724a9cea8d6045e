/**
 * The demo: a cluster in one process, a table of people, and questions that are asked with the
 * index and without.
 */
package io.hbaseindex.demo;
