"use strict";
(() => {
  const carried = JSON.parse(document.getElementById("carried").textContent);

  // Tables: sort by a click on a heading, filter by words, copy as text.
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

  const valueOf = (cell) => {
    if (!cell.hasAttribute("data-v")) return cell.textContent;
    const value = cell.getAttribute("data-v");
    return value === "" ? null : Number(value);
  };

  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return collator.compare(String(a), String(b));
  };

  const sortBy = (table, heading) => {
    const headings = [...heading.parentElement.children];
    const place = headings.indexOf(heading);
    const direction = heading.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    const sign = direction === "ascending" ? 1 : -1;
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, value: valueOf(row.cells[place]) }));
    rows.sort((a, b) => {
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
      return sign * compare(a.value, b.value);
    });
    body.append(...rows.map((entry) => entry.row));
    for (const other of headings) other.setAttribute("aria-sort", other === heading ? direction : "none");
  };

  const filterBy = (table, text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let seen = 0;
    for (const row of table.tBodies[0].rows) {
      const content = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => content.includes(word));
      seen += !row.hidden;
    }
    return words.length ? `${seen} of ${table.tBodies[0].rows.length} rows` : "";
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      area.className = "unseen";
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };

  for (const block of document.querySelectorAll("[data-table]")) {
    const table = block.querySelector("table");
    const said = block.querySelector(".said");
    for (const heading of table.tHead.rows[0].cells) {
      heading.querySelector("button").addEventListener("click", () => sortBy(table, heading));
    }
    block.querySelector("input")?.addEventListener("input", (event) => {
      said.textContent = filterBy(table, event.target.value);
    });
    for (const button of block.querySelectorAll("[data-copy]")) {
      button.addEventListener("click", async () => {
        const done = await copy(carried.copies[block.dataset.table][button.dataset.copy]);
        said.textContent = done ? `Copied as ${button.textContent}` : "The browser does not allow copying";
      });
    }
  }

  // Figures: drawn for the width there is, and anew when it changes. Colours come from the style sheet.
  const fitted = (original, width) => {
    const spec = structuredClone(original);
    const narrow = width < 560;
    if (spec.spec) {
      const columns = narrow ? 1 : spec.columns;
      spec.columns = columns;
      spec.spec.width = Math.max(Math.floor((width - 64) / columns) - 18, 120);
    } else {
      spec.width = width;
    }
    const { entries, each } = spec.usermeta.legend;
    const columns = Math.max(Math.min(entries, Math.floor((width - 50) / each)), 1);
    spec.config.legend.columns = columns;
    spec.config.legend.labelLimit = Math.max(Math.floor((width - 50) / columns) - 44, 60);
    if (narrow) {
      spec.config.axis.labelLimit = Math.floor(width * 0.28);
      spec.config.axis.labelFontSize = 11;
    }
    return spec;
  };

  const options = {
    actions: false,
    ast: true,
    renderer: "svg",
    tooltip: { disableDefaultStyle: true },
  };
  const drawn = new Map();

  const draw = async (place) => {
    const width = Math.floor(place.clientWidth);
    if (!width || drawn.get(place)?.width === width) return;
    const earlier = drawn.get(place);
    drawn.set(place, { ...earlier, width });
    const result = await vegaEmbed(place, fitted(carried.figures[place.dataset.figure], width), options);
    earlier?.finalize?.();
    drawn.set(place, { width, finalize: result.finalize });
    place.dataset.drawn = String(width);
  };

  const drawAll = async () => {
    for (const place of document.querySelectorAll("[data-figure]")) await draw(place);
    document.documentElement.dataset.ready = "yes";
  };

  let waiting;
  addEventListener("resize", () => {
    if (matchMedia("print").matches) return;
    clearTimeout(waiting);
    waiting = setTimeout(drawAll, 120);
  });
  drawAll();
})();
