/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.view;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** A page as a strict reader sees it: whatever is not well-formed fails. */
final class ShownPage {
  private final Document document;

  ShownPage(String html) throws Exception {
    document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(html)));
  }

  /** The elements of a name, in order. */
  List<Element> elements(String tag) {
    NodeList nodes = document.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  /** The cells of all strips that have a class. */
  List<Element> cells(String css) {
    return elements("rect").stream()
        .filter(rect -> ((Element) rect.getParentNode()).getAttribute("class").equals("strip"))
        .filter(rect -> rect.getAttribute("class").equals(css))
        .toList();
  }

  String text() {
    return document.getDocumentElement().getTextContent();
  }
}
