// What a page is like for everybody: how far it scrolls sideways, what is too small, too pale or without a name.
() => {
  const every = (selector) => [...document.querySelectorAll(selector)].filter(
    (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0);
  const show = (elements) => elements.map((e) => e.outerHTML.slice(0, 80));
  const rgb = (text) => text.match(/[0-9.]+/g).map(Number);
  const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const found = rgb(getComputedStyle(e).backgroundColor);
      if (found.length < 4 || found[3] > 0) return found;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? [19, 22, 25] : [255, 255, 255];
  };
  const contrast = (e, what, on = e) => {
    const both = [light(rgb(getComputedStyle(e)[what])), light(ground(on))];
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
  };
  const small = every("button, a[href], textarea, summary").filter((e) => {
    const box = e.getBoundingClientRect();
    return (box.height < 43.5 || box.width < 43.5) && getComputedStyle(e).display !== "inline";
  });
  const words = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const pale = every("body *").filter((e) => !e.closest(":disabled, title")
    && ((words(e) && contrast(e, e.closest("svg") ? "fill" : "color") < 4.5)
      || (e.matches("button, textarea") && rgb(getComputedStyle(e).borderTopColor)[3] !== 0
        && parseFloat(getComputedStyle(e).borderTopWidth) > 0 && contrast(e, "borderTopColor", e.parentElement) < 3)));
  const steps = every("h1, h2, h3, h4, h5, h6").map((e) => Number(e.tagName[1]));
  const controls = "button, a[href], textarea, progress:not([aria-hidden]), svg[role=img], iframe, dialog, section[tabindex]";
  const nameless = every(controls).filter((e) => !(e.getAttribute("aria-label") || e.getAttribute("aria-labelledby")
    || e.title || e.textContent.trim() || (e.labels && e.labels.length)));
  return {
    wide: document.documentElement.scrollWidth - innerWidth,
    small: show(small), pale: show(pale), nameless: show(nameless),
    jumps: steps.filter((step, place) => step > (steps[place - 1] || 0) + 1).length,
    forced: document.querySelectorAll("[tabindex]:not([tabindex='0'], [tabindex='-1'])").length,
    headings: document.querySelectorAll("h1").length, lang: document.documentElement.lang,
  };
}
