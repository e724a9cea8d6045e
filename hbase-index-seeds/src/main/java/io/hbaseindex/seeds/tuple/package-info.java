/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * Filters over tuples of attributes, asked with all attributes or with some left open.
 *
 * <table>
 *   <caption>From the names in the literature to the classes</caption>
 *   <tr><td>SBF</td><td>{@link io.hbaseindex.seeds.tuple.TupleBloomFilter}; over single values
 *       {@link io.hbaseindex.core.filter.BloomFilter}</td></tr>
 *   <tr><td>MDBF</td><td>{@link io.hbaseindex.seeds.tuple.MultiDimensionalBloomFilter}</td></tr>
 *   <tr><td>CMDBF</td>
 *       <td>{@link io.hbaseindex.seeds.tuple.CombinedMultiDimensionalBloomFilter}</td></tr>
 *   <tr><td>BFM</td><td>{@link io.hbaseindex.seeds.tuple.BloomFilterMatrix}</td></tr>
 *   <tr><td>CBF (Cartesian)</td><td>{@link io.hbaseindex.seeds.tuple.CartesianBloomFilter}</td></tr>
 *   <tr><td>CBFM, WCBFM</td><td>{@link io.hbaseindex.seeds.tuple.CutBloomFilterMatrix} over a
 *       uniform or a weighted {@link io.hbaseindex.seeds.tuple.MatrixLayout}</td></tr>
 *   <tr><td>multi-dimensional filter of seed 001</td>
 *       <td>{@link io.hbaseindex.seeds.tuple.VectorBloomFilter}</td></tr>
 * </table>
 */
package io.hbaseindex.seeds.tuple;
