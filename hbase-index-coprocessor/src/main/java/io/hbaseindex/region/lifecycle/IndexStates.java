package io.hbaseindex.region.lifecycle;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The states of all indexes of one region; an index that is not mentioned is not ready.
 *
 * <p>Readers, which are scans, take no lock: they see one immutable map after another.
 */
public final class IndexStates {

  private volatile Map<Integer, IndexState> states = Map.of();

  /** Whether scans may rely on the index. */
  public boolean isReady(int indexId) {
    IndexState state = states.get(indexId);
    return state != null && state.isReady();
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
    states = Map.copyOf(changed);
  }

  /** Sets the state of all indexes that have one, except those that can never be ready. */
  synchronized void setAllSupported(IndexState state) {
    Map<Integer, IndexState> changed = new TreeMap<>(states);
    changed.replaceAll((id, old) -> old.phase() == IndexState.Phase.UNSUPPORTED ? old : state);
    states = Map.copyOf(changed);
  }
}
