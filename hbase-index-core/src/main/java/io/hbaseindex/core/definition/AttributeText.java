/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The {@code key=value, key=value} text of one attribute, read strictly: a typo is an error. */
final class AttributeText {
  private final Map<String, String> fields;

  private AttributeText(Map<String, String> fields) {
    this.fields = fields;
  }

  static AttributeText parse(String text, Set<String> knownKeys) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals < 0) {
        throw new DefinitionException("\"" + part.strip() + "\" is not of the form key=value");
      }
      String key = part.substring(0, equals).strip();
      if (!knownKeys.contains(key)) {
        throw new DefinitionException("key was \"" + key + "\"; known keys are " + knownKeys);
      }
      if (fields.put(key, part.substring(equals + 1).strip()) != null) {
        throw new DefinitionException("key \"" + key + "\" is there twice; keep one");
      }
    }
    return new AttributeText(fields);
  }

  String required(String key) {
    String value = fields.get(key);
    if (value == null) {
      throw new DefinitionException(key + " is missing; add " + key + "=…");
    }
    return value;
  }

  String optional(String key, String otherwise) {
    return fields.getOrDefault(key, otherwise);
  }

  /** The value, unless the key is absent or says nothing. */
  Optional<String> given(String key) {
    return Optional.ofNullable(fields.get(key)).filter(value -> !value.isEmpty());
  }

  /** A whole number of at least {@code least}, or {@code otherwise} when the key is absent. */
  int number(String key, int least, int otherwise) {
    String value = fields.get(key);
    if (value == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new DefinitionException(
          key + " was \"" + value + "\"; write a whole number of at least " + least, e);
    }
    throw new DefinitionException(
        key + " was " + value + "; write a whole number of at least " + least);
  }
}
