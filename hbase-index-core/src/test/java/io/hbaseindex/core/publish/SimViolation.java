package io.hbaseindex.core.publish;

/** The simulated cluster broke the law. */
final class SimViolation extends AssertionError {
  private static final long serialVersionUID = 1L;

  SimViolation(String what) {
    super(what);
  }
}
