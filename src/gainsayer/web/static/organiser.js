// The organiser's page looks again every half minute, while nobody is writing on it; without this script it is as it was.
"use strict";
setInterval(() => {
  const busy = document.activeElement && /^(TEXTAREA|INPUT|BUTTON|SUMMARY)$/.test(document.activeElement.tagName);
  if (!document.hidden && !busy && !document.querySelector(".links") && !document.querySelector("details[open]")) location.reload();
}, 30000);
