"use strict";
(() => {
  const carried = JSON.parse(document.getElementById("carried").textContent);

  // Large tables: their rows are carried once, as data, and written when somebody opens them.
  const write = (table) => {
    const rows = carried[table.dataset.later];
    if (!rows || table.tBodies[0].rows.length) return;
    const heads = [...table.tHead.rows[0].cells];
    const body = document.createDocumentFragment();
    for (const row of rows) {
      const line = document.createElement("tr");
      row.forEach((cell, place) => {
        const left = heads[place].className === "left";
        const part = document.createElement(place === 0 && left ? "th" : "td");
        if (place === 0 && left) part.scope = "row";
        part.className = heads[place].className;
        if (Array.isArray(cell)) part.dataset.v = cell[0];
        const name = Array.isArray(cell) ? part : part.appendChild(document.createElement("bdi"));
        name.textContent = Array.isArray(cell) ? cell[1] : cell;
        line.append(part);
      });
      body.append(line);
    }
    table.tBodies[0].append(body);
  };
  const writeInside = (part) => part.querySelectorAll("table[data-later]").forEach(write);

  // Tables: sort by a click on a heading, filter by words, copy as text.
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const valueOf = (cell) => {
    if (!("v" in cell.dataset)) return cell.textContent;
    return cell.dataset.v === "" ? null : Number(cell.dataset.v);
  };
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b)));
  const sortBy = (table, heading) => {
    const headings = [...heading.parentElement.children];
    const place = headings.indexOf(heading);
    const direction = heading.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    const sign = direction === "ascending" ? 1 : -1;
    const rows = [...table.tBodies[0].rows].map((row) => ({ row, value: valueOf(row.cells[place]) }));
    rows.sort((a, b) => {
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
      return sign * compare(a.value, b.value);
    });
    table.tBodies[0].append(...rows.map((entry) => entry.row));
    for (const other of headings) other.setAttribute("aria-sort", other === heading ? direction : "none");
  };
  const filterBy = (table, text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let seen = 0;
    for (const row of table.tBodies[0].rows) {
      row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
      seen += !row.hidden;
    }
    return words.length ? `${seen} of ${table.tBodies[0].rows.length} rows` : "";
  };

  // Text for others: CSV with raw numbers, Markdown and LaTeX as shown.
  const quote = (text) => (/[",\n\r]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text);
  const latex = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", $: "\\$", "&": "\\&", "#": "\\#", "%": "\\%", _: "\\_",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}",
    "|": "\\textbar{}", '"': "\\textquotedbl{}", "−": "$-$", "±": "$\\pm$",
  };
  const forms = {
    CSV: (heads, rows) =>
      [heads.map((head) => quote(head.dataset.key)), ...rows.map((row) => row.map((cell) => quote(cell.dataset.v ?? cell.textContent)))]
        .map((line) => line.join(",") + "\n").join(""),
    Markdown: (heads, rows) => {
      const clean = (part) => part.textContent.replace(/([\\`*_<>|#~$]|\](?=[([:]))/g, "\\$1").replaceAll("&", "&amp;");
      const line = (cells) => `| ${cells.join(" | ")} |\n`;
      return line(heads.map(clean)) + line(heads.map((head) => (head.className === "right" ? "---:" : "---"))) +
        rows.map((row) => line(row.map(clean))).join("");
    },
    LaTeX: (heads, rows) => {
      const clean = (part) => [...part.textContent].map((sign) => latex[sign] ?? sign).join("");
      const spec = heads.map((head) => head.className[0]).join("");
      const lines = [heads, ...rows].map((cells) => cells.map(clean).join(" & ") + " \\\\");
      lines.splice(1, 0, "\\midrule");
      return `\\begin{tabular}{${spec}}\n\\toprule\n${lines.join("\n")}\n\\bottomrule\n\\end{tabular}\n`;
    },
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };

  for (const block of document.querySelectorAll("[data-table]")) {
    const table = block.querySelector("table");
    for (const heading of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      heading.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => sortBy(table, heading));
    }
    const tools = document.createElement("div");
    const said = document.createElement("span");
    tools.className = "tools";
    said.setAttribute("role", "status");
    if (table.dataset.later || table.tBodies[0].rows.length > 12) {
      const input = document.createElement("input");
      input.type = "search";
      input.placeholder = "Filter rows";
      input.setAttribute("aria-label", `Filter the rows of: ${table.caption.textContent}`);
      input.addEventListener("input", () => { said.textContent = filterBy(table, input.value); });
      tools.append(input);
    }
    tools.append("Copy");
    for (const [name, make] of Object.entries(forms)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", async () => {
        const rows = [...table.tBodies[0].rows].map((row) => [...row.cells]);
        const done = await copy(make([...table.tHead.rows[0].cells], rows));
        said.textContent = done ? `Copied as ${name}` : "The browser does not allow copying";
      });
      tools.append(button);
    }
    tools.append(said);
    block.append(tools);
  }

  // Folding: a link opens what it points into, paper opens everything.
  document.addEventListener("toggle", (event) => { if (event.target.open) writeInside(event.target); }, true);
  const reach = () => {
    let id = "";
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = id && document.getElementById(id);
    if (!target) return;
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    writeInside(target.closest("details") ?? target);
    target.scrollIntoView();
  };
  addEventListener("hashchange", reach);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && link.getAttribute("href") === location.hash) reach();
  });
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const part of opened) part.open = true;
    writeInside(document);
  });
  addEventListener("afterprint", () => { for (const part of opened) part.open = false; });
  reach();
  document.documentElement.dataset.ready = "yes";
})();
