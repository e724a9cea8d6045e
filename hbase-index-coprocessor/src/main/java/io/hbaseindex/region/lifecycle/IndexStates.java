package io.hbaseindex.region.lifecycle;

import io.hbaseindex.region.IndexReadiness;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The states of all indexes of one region; an index that is not mentioned is not ready.
 *
 * <p>Readers, which are scans, take no lock: they see one immutable map after another.
 */
public final class IndexStates implements IndexReadiness {

  private volatile Map<Integer, IndexState> states = Map.of();

  /** The state itself serves as token: a new one is made whenever an index becomes ready. */
  @Override
  public Optional<Object> token(int indexId) {
    IndexState state = states.get(indexId);
    return state != null && state.isReady() ? Optional.of(state) : Optional.empty();
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
