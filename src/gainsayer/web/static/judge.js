// The judge's page: answers by key or button, the next document already there, and no answer lost on the way.
// Answers wait in a line, are sent one at a time, and are sent again under the same key until the server has them.
// Text from the study is only ever set as text.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const form = $("form"), title = $("title"), text = $("text"), note = $("note"), dialog = $("dialog"), card = $("card");
  const levels = [...document.querySelectorAll(".level")];
  const csrf = form.dataset.csrf;
  const moment = Number(form.dataset.moment); // milliseconds a document must have been in view before it takes a grade
  const asked = new Set(); // topics met on this page, by number
  const store = "gainsayer " + form.dataset.store + " "; // of this person in this study, on a machine that others use
  const seen = new Map(); // documents by number, so that undo shows them at once
  const undoable = []; // answers given on this page, with their notes, the latest last
  let queue = []; // documents not yet answered, the one in view first
  let waiting = load(); // answers not yet saved
  const written = new Map(); // notes of answers that were taken back, by document
  let sending = false, current = null, at = 0, total = 0, last = null, pause = 500, timer = 0, slow = 0, aging = 0, stale = false;
  let given = 0; // answers and undos on this page
  let since = performance.now(), shown = 0; // time in view
  let topic = null, tabbed = false;

  // Each answer that waits is kept by itself, so that tabs do not forget each other's.
  function load() {
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(store));
      return names.map((name) => JSON.parse(localStorage.getItem(name))).sort((a, b) => a.order - b.order);
    } catch { return []; }
  }
  function wait(one) {
    one.order = Date.now() + waiting.length / 1000;
    waiting.push(one);
    try { localStorage.setItem(store + one.key, JSON.stringify(one)); } catch { /* no storage: it waits in memory */ }
  }
  function settle() {
    const one = waiting.shift();
    try { localStorage.removeItem(store + one.key); } catch { /* nothing was kept */ }
  }
  function age() { // on a phone the line covers what is read: once all is saved, it goes
    clearTimeout(aging);
    $("status").classList.remove("old");
    if (!waiting.length) aging = setTimeout(() => $("status").classList.add("old"), 4000);
  }
  function say(words, strong, rest) {
    const status = $("status");
    age();
    status.replaceChildren(words);
    if (strong) { const b = document.createElement("b"); b.textContent = strong; status.append(b); }
    if (rest) { const bdi = document.createElement("bdi"); bdi.textContent = "\u201c" + rest + "\u201d"; status.append(strong ? " for " : "", bdi, "."); }
  }
  function newKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // What is in view

  function frameOf(doc) {
    for (const frame of $("frames").children) if (frame.dataset.item === String(doc.item)) return frame;
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", doc.kind === "html" ? "allow-same-origin" : ""); // never with scripts
    frame.setAttribute("referrerpolicy", "no-referrer");
    frame.title = "The document";
    frame.dataset.item = doc.item;
    frame.hidden = true;
    frame.src = doc.source;
    $("frames").append(frame);
    return frame;
  }
  function tidyFrames() {
    const ahead = queue.slice(0, 3).filter((doc) => doc.kind === "html");
    ahead.forEach(frameOf);
    const wanted = new Set([current, ...ahead].filter(Boolean).map((doc) => String(doc.item)));
    for (const frame of [...$("frames").children]) if (!wanted.has(frame.dataset.item)) frame.remove();
  }
  function setText(id, words) { $(id).textContent = words; $(id).hidden = !words; }
  function show(doc, quietly) {
    current = doc;
    if (!doc) {
      title.textContent = "Fetching the next document\u2026";
      text.hidden = true;
      $("opener").hidden = true;
      for (const frame of $("frames").children) frame.hidden = true;
      return;
    }
    seen.set(doc.item, doc);
    if (seen.size > 200) seen.delete(seen.keys().next().value);
    $("article").className = "kind-" + doc.kind;
    title.textContent = doc.title;
    text.textContent = doc.text;
    text.hidden = doc.kind !== "text";
    $("opener").hidden = doc.kind !== "url";
    if (doc.kind === "url") $("link").href = doc.source;
    const frame = doc.kind === "text" ? null : frameOf(doc);
    for (const one of $("frames").children) one.hidden = one !== frame;
    if (doc.topic) {
      if (topic !== doc.topic.number) introduce(doc.topic);
      $("asks").textContent = doc.topic.title;
      setText("topic", doc.topic.title);
      setText("description", doc.topic.description);
      setText("narrative", doc.topic.narrative);
      $("wants").hidden = !doc.topic.description && !doc.topic.narrative;
      document.title = doc.topic.title + ": judge";
    }
    note.value = written.get(doc.item) || "";
    written.delete(doc.item);
    openNote(note.value !== "", true);
    shown = 0;
    since = performance.now();
    if (!quietly) begin();
  }
  function begin() { // at the top of the document, with the query on the line above it
    if (card.open) return;
    $("pane").scrollTop = 0;
    if (innerWidth < 900) scrollTo(0, $("pane").offsetTop - $("asks").offsetHeight);
    title.focus({ preventScroll: true });
  }
  // Another question is said on a card of its own: nobody should grade against the one before.
  function introduce(wanted) {
    topic = wanted.number;
    $("card-label").textContent = asked.has(topic) ? "Back to an earlier question" : "New question";
    asked.add(topic);
    setText("card-topic", wanted.title);
    setText("card-description", wanted.description);
    setText("card-narrative", wanted.narrative);
    if (!card.open) card.showModal();
    card.scrollTop = 0;
  }
  function leave(event) { // at once: a "close" event would come later, and take the focus from what was begun
    event.preventDefault();
    event.stopPropagation();
    card.close();
    shown = 0;
    since = performance.now();
    begin();
  }
  card.addEventListener("cancel", leave);
  card.addEventListener("submit", leave);
  card.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.repeat && !event.isComposing) leave(event);
  });
  function inView() { return Math.round(shown + (document.hidden ? 0 : performance.now() - since)); }
  function showProgress() {
    $("at").textContent = Math.min(at + 1, total);
    $("total").textContent = total;
    $("bar").max = total;
    $("bar").value = at;
    $("undo").disabled = !undoable.length && last === null;
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) shown += performance.now() - since;
    since = performance.now();
  });

  // What the server knows

  function adopt(work) {
    const answered = new Set(waiting.map((one) => one.item));
    const known = new Map([...seen, ...queue.map((doc) => [doc.item, doc])]);
    const whole = work.queue.map((doc) => (doc.kind ? doc : known.get(doc.item))); // what we hold came by number alone
    const fresh = whole.filter((doc) => doc && !answered.has(doc.item));
    for (const doc of fresh) doc.topic = work.topic;
    last = work.last;
    if (waiting.length) { // the server is behind us: only documents we do not have yet are news
      const held = new Set(queue.map((doc) => doc.item));
      if (queue.length === 0 || (work.topic && queue[0].topic.number === work.topic.number))
        queue.push(...fresh.filter((doc) => !held.has(doc.item)));
    } else {
      if (work.topic === null) { location.assign("/done"); return; }
      queue = fresh;
      at = work.at;
      total = work.total;
    }
    const next = queue[0] || null;
    if (next && current && next.item === current.item) { seen.set(next.item, next); current = next; }
    else show(next);
    showProgress();
    tidyFrames();
  }
  async function refresh() {
    const before = given;
    try {
      const reply = await fetch("/judge.json", { headers: { accept: "application/json" } });
      if (reply.ok) {
        const work = await reply.json();
        if (given === before) adopt(work); // else it is older than the answer, whose own reply brings the work
        return;
      }
    } catch { /* offline: the document in view can be judged all the same */ }
    if (!current) setTimeout(refresh, 3000); // there is none
  }

  // Answers

  function isReady() { // a second key pressed at once was not meant for the document that came after the first
    if (!current || dialog.open || card.open) return false;
    if (inView() >= moment) return true;
    say("Too fast: this document has only just come into view. It has no grade yet.");
    return false;
  }
  function answer(kind, level, label) {
    const doc = current;
    given += 1;
    const milliseconds = Math.min(inView(), 86400000);
    const one = { key: newKey(), item: doc.item, kind, level, note: note.value.slice(0, 2000), milliseconds };
    wait({ ...one, label, title: doc.title });
    undoable.push({ item: doc.item, note: one.note });
    queue = queue.filter((other) => other.item !== doc.item);
    at += 1;
    show(queue[0] || null);
    showProgress();
    tidyFrames();
    send();
  }
  function undo() {
    if (dialog.open || card.open) return;
    const back = undoable.pop() || last;
    if (!back) return;
    given += 1;
    const item = back.item;
    wait({ key: newKey(), item, kind: "undo", level: null, note: "", milliseconds: null, label: "", title: "" });
    last = null;
    at = Math.max(at - 1, 0);
    const doc = seen.get(item);
    if (doc) queue = [doc, ...queue.filter((other) => other.item !== item)];
    written.set(item, back.note);
    show(doc || null);
    showProgress();
    tidyFrames();
    send();
  }
  async function send() {
    if (sending || !waiting.length) return;
    sending = true;
    clearTimeout(timer);
    const { label, title: called, order, ...one } = waiting[0];
    one.waited = Math.min(Math.max(Math.round(Date.now() - order), 0), 31536000000);
    one.have = queue.filter((doc) => doc.topic).map((doc) => doc.item);
    slow = slow || setTimeout(() => say("Not saved yet. Trying\u2026"), 800);
    let status = 0, reply = {}, foreign = false;
    try {
      const got = await fetch("/answer", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json", "x-gainsayer": csrf },
        body: JSON.stringify(one),
      });
      status = got.status;
      foreign = status === 403 && got.headers.has("x-gainsayer");
      reply = await got.json();
    } catch { status = 0; }
    sending = false;
    if (status === 200) {
      clearTimeout(slow);
      slow = 0;
      pause = 500;
      settle();
      if (!reply.stands) say("Saved, but what you said later, elsewhere, counts for ", "", called || "this document");
      else if (one.kind === "undo") say("Taken back. Grade it again.");
      else if (one.kind === "skip") say("Skipped: ", "", called);
      else say("Saved: ", label, called);
      if (waiting.length) say("Not saved yet: " + waiting.length + (waiting.length === 1 ? " answer." : " answers."));
      if (reply.work) adopt(reply.work);
      else if (!waiting.length) refresh();
      send();
    } else if (status === 401 || foreign) { // nothing is lost: whoever signs in again sends what waits
      clearTimeout(slow);
      slow = 0;
      say("You are signed out. Open your link again. Not saved yet: ", String(waiting.length));
      if (foreign && load().length >= waiting.length) { stale = true; location.reload(); }
      else timer = setTimeout(send, 10000);
    } else if (status === 409) { // what waits is kept here, in case the judging goes on
      clearTimeout(slow);
      slow = 0;
      queue = [];
      show(null);
      title.textContent = "The judging has ended. Thank you.";
      const many = waiting.length === 1 ? "1 answer came" : waiting.length + " answers came";
      say("The organiser has ended the judging. Not saved: " + many + " after the end. This browser keeps what is not saved, and sends it if the judging goes on.");
      timer = setTimeout(send, 30000);
    } else if ([403, 404, 413, 422].includes(status)) {
      clearTimeout(slow);
      slow = 0;
      settle();
      say((reply.error || "This answer was not accepted.") + " It was not saved.");
      current = null;
      queue = [];
      if (waiting.length) send(); else refresh();
    } else {
      say("Not saved yet. Trying again; you need not do anything.");
      timer = setTimeout(send, status === 429 ? 1000 : pause);
      pause = Math.min(pause * 2, 8000);
    }
  }

  // Keys, buttons, help, notes

  function grade(place) {
    const button = levels[place];
    if (!button || !isReady()) return;
    button.classList.add("hit");
    setTimeout(() => button.classList.remove("hit"), 160);
    answer("level", place, button.dataset.name);
  }
  function skip() { if (isReady()) answer("skip", null, ""); }
  // Keys reach the page, not the frame in it: they scroll the document as they would scroll a page.
  function scrollFrame(event) {
    const frame = [...$("frames").children].find((one) => !one.hidden);
    const inner = current && current.kind === "html" && frame && frame.contentDocument && frame.contentDocument.scrollingElement;
    if (!inner || (event.key === " " && event.target.closest("button, a, summary"))) return false;
    const page = 0.9 * inner.clientHeight, before = inner.scrollTop;
    const by = { PageDown: page, PageUp: -page, " ": event.shiftKey ? -page : page, ArrowDown: 40, ArrowUp: -40, End: inner.scrollHeight, Home: -inner.scrollHeight }[event.key];
    if (!by) return false;
    inner.scrollBy({ top: by, behavior: "instant" });
    return inner.scrollTop !== before;
  }
  function openNote(open, quietly) {
    $("notes").hidden = !open;
    $("noter").setAttribute("aria-expanded", String(open));
    if (open && !quietly) note.focus();
  }
  function help(event) { if (event) event.preventDefault(); if (!dialog.open) dialog.showModal(); }
  function submit(event) {
    event.preventDefault();
    const value = event.submitter ? event.submitter.value : "";
    if (event.submitter) event.submitter.blur();
    if (value === "skip") skip();
    else if (value === "undo") undo();
    else if (value.startsWith("level:")) grade(Number(value.slice(6)));
  }
  form.addEventListener("submit", submit);
  $("back").addEventListener("submit", submit);
  // The second click of a double click was not meant for the document that came after the first.
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest && event.target.closest(".side button")) event.preventDefault();
  }, true);
  $("noter").addEventListener("click", () => openNote($("notes").hidden));
  $("help").addEventListener("click", help);
  $("guide").addEventListener("click", help);
  note.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.isComposing) { openNote(false); title.focus({ preventScroll: true }); }
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.keyCode === 229) return;
    if (dialog.open || card.open || /^(TEXTAREA|INPUT|SELECT)$/.test(event.target.tagName)) return;
    if (scrollFrame(event)) { event.preventDefault(); return; }
    if (event.repeat) return;
    // With Caps Lock, or on a keyboard of another script, the place of the key says what is meant.
    const place = /^(Digit|Key)(.)$/.exec(event.code) || [];
    const key = /^[ -~]$/.test(event.key) && !(place[1] === "Digit" && !event.shiftKey) ? event.key : place[2] || "";
    const letter = event.shiftKey ? "" : key.toLowerCase();
    const chosen = levels.findIndex((button) => button.dataset.key !== "" && button.dataset.key === (/^[0-9]$/.test(key) ? key : letter));
    if (chosen >= 0) grade(chosen);
    else if (letter === "s") skip();
    else if (letter === "z") undo();
    else if (letter === "n") { event.preventDefault(); openNote(true); }
    else if (event.key === "?") help(event);
  });
  // A click into a frame takes the keys away: give them back. Whoever went there by Tab leaves by Tab.
  addEventListener("keydown", (event) => { tabbed = event.key === "Tab"; }, true);
  addEventListener("keyup", () => { tabbed = false; }, true);
  addEventListener("pointerdown", () => { tabbed = false; }, true);
  addEventListener("blur", () => setTimeout(() => {
    if (!tabbed && document.activeElement && document.activeElement.tagName === "IFRAME") title.focus({ preventScroll: true });
  }));
  addEventListener("online", send);
  addEventListener("beforeunload", (event) => { if (waiting.length && !stale) event.preventDefault(); });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  // On a phone the query stands on a line above the document while its heading is out of sight.
  new IntersectionObserver((seen) => {
    $("asks").classList.toggle("off", seen[seen.length - 1].intersectionRatio > 0.99);
  }, { threshold: [0, 1] }).observe($("topic"));

  const first = $("frames").firstElementChild;
  const kind = $("article").className.replace("kind-", "");
  const wanted = { number: Number(form.dataset.topic), title: $("topic").textContent, description: $("description").textContent, narrative: $("narrative").textContent };
  current = { item: Number(form.dataset.item), kind, title: title.textContent, text: text.textContent, source: first ? first.getAttribute("src") : "", topic: wanted };
  if (first) first.dataset.item = String(current.item);
  queue = [current];
  at = $("bar").value;
  total = $("bar").max;
  last = form.dataset.last ? { item: Number(form.dataset.last) } : null; // its note comes with the next work
  $("noter").hidden = false;
  $("keys").hidden = false;
  openNote(false);
  document.body.classList.add("live");
  topic = wanted.number;
  asked.add(topic);
  age();
  if (waiting.length) {
    queue = queue.filter((doc) => !waiting.some((one) => one.item === doc.item && one.kind !== "undo"));
    if (queue[0] !== current) show(queue[0] || null, true);
    send();
  } else {
    if (at === 0) { asked.clear(); introduce(wanted); }
    refresh();
  }
})();
