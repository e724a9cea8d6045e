/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import io.hbaseindex.region.context.IndexReadiness;
import io.hbaseindex.region.context.ReadyIndex;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The states of all indexes of one region. An index that is not in it is not ready.
 *
 * <p>Readers, which are scans, take no lock: they see one immutable map after another.
 */
@InterfaceAudience.Private
public final class IndexStates implements IndexReadiness {

  private volatile Map<Integer, IndexState> states = Map.of();

  /** Those of ready indexes; equal to nothing but themselves, as two builds may end alike. */
  private volatile Map<Integer, ReadyIndex> tokens = Map.of();

  @Override
  public Optional<ReadyIndex> token(int indexId) {
    return Optional.ofNullable(tokens.get(indexId));
  }

  public Optional<IndexState> of(int indexId) {
    return Optional.ofNullable(states.get(indexId));
  }

  /** All states by index id, as of now. */
  public Map<Integer, IndexState> all() {
    return new TreeMap<>(states);
  }

  synchronized void set(int indexId, IndexState state) {
    Map<Integer, IndexState> changed = new TreeMap<>(states);
    changed.put(indexId, state);
    change(changed);
  }

  /** Sets the state of all indexes that have one, except those that can never be ready. */
  synchronized void setAllSupported(IndexState state) {
    Map<Integer, IndexState> changed = new TreeMap<>(states);
    changed.replaceAll((id, old) -> old.phase() == IndexState.Phase.UNSUPPORTED ? old : state);
    change(changed);
  }

  private void change(Map<Integer, IndexState> changed) {
    Map<Integer, ReadyIndex> ready = new TreeMap<>();
    changed.forEach(
        (id, state) -> {
          if (state.isReady()) {
            boolean same = state == states.get(id);
            ready.put(id, same ? tokens.get(id) : new ReadyIndex(state.certainAfter()));
          }
        });
    tokens = Map.copyOf(ready);
    states = Map.copyOf(changed);
  }
}
