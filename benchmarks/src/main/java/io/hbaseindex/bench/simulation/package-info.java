/** Long runs of the simulation of the protocol that keeps the master's filters true. */
package io.hbaseindex.bench.simulation;
