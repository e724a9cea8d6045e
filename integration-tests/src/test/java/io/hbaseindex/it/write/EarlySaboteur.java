package io.hbaseindex.it.write;

/** A {@link Saboteur} whose hooks run before those of the index. */
public class EarlySaboteur extends Saboteur {}
