/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Keeps closed filters outside memory, as bytes it need not understand.
 *
 * <p>What a store gives back is checked by its caller, so a store needs no checksums of its own. It
 * needs to write all or nothing: {@link #write} leaves either the whole content or what was there
 * before, also after a crash.
 */
@InterfaceAudience.Private
public interface MbfStore {
  /** Produces the bytes of one filter. */
  @FunctionalInterface
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Stores a filter, in place of an earlier one of the same id. Durable when it returns. */
  void write(MbfId id, Content content) throws IOException;

  /** The bytes of a stored filter; the caller closes the stream. */
  InputStream read(MbfId id) throws IOException;

  /** Removes a filter; no error if there is none. */
  void delete(MbfId id) throws IOException;

  /** The ids of all stored filters, in any order. */
  List<MbfId> list() throws IOException;
}
