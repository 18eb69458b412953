// The organiser's page looks again every half minute and changes what is new, where nobody is: focus, folds, what is
// being written and the place on the page stay. Without this script the page is as it was.
"use strict";
(() => {
  const parts = [".top > span", ".verdict", ".stop", ".live", ".pp", ".pr > div:nth-child(1)", ".pr > div:nth-child(2)"];
  const busy = (part) => part.contains(document.activeElement) || part.querySelector("details[open]");
  async function look() {
    if (document.hidden) return;
    try {
      const reply = await fetch("/organiser", { headers: { accept: "text/html" } });
      document.getElementById("stale").hidden = ![401, 404].includes(reply.status);
      if (!reply.ok) return;
      const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
      for (const name of parts) {
        const [old, next] = [document.querySelector(name), fresh.querySelector(name)];
        if (old && next && old.outerHTML !== next.outerHTML && !busy(old)) old.replaceWith(document.adoptNode(next));
      }
    } catch { /* offline: the next look may find it */ }
  }
  setInterval(look, 30000);
  document.addEventListener("visibilitychange", look);
})();
