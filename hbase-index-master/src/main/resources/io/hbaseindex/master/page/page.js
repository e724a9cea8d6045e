/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
// Keeps the page up to date, and shows at once what a region's cell says. Without it the page is whole, only still.
"use strict";
(() => {
  const EVERY_MS = 10000;
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  document.body.append(tip);

  document.addEventListener("mousemove", (event) => {
    const cell = event.target.closest ? event.target.closest(".strip rect") : null;
    tip.hidden = !cell;
    if (cell) {
      tip.textContent = cell.querySelector("title").textContent;
      tip.style.left = Math.max(8, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)) + "px";
      tip.style.top = event.clientY + 18 + "px";
    }
  });

  const refresh = async () => {
    try {
      if (document.visibilityState === "visible") {
        // The condition is not asked again: it is answered for the moment it was asked at.
        const address = new URL(location.href);
        address.searchParams.delete("where");
        const answer = await fetch(address, { credentials: "same-origin" });
        if (answer.ok) {
          const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
          for (const old of document.querySelectorAll(".live")) {
            const now = fresh.getElementById(old.id);
            if (now) {
              old.replaceWith(now);
            }
          }
          document.body.dataset.refreshed = String(Date.now());
        }
      }
    } catch (unreachable) {
      // The master is away or busy: what is shown stays, and the next turn tries again.
      console.warn(unreachable);
    }
    setTimeout(refresh, EVERY_MS);
  };
  setTimeout(refresh, EVERY_MS);
})();
