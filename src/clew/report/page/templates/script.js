"use strict";
(function () {
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const all = (selector, from) => Array.from((from || document).querySelectorAll(selector));

  // Light or dark: what the system says, until the reader chooses.
  const stored = (() => { try { return localStorage.getItem("clew-theme"); } catch (error) { return null; } })();
  if (stored) root.dataset.theme = stored;
  function switchTheme() {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("clew-theme", root.dataset.theme); } catch (error) { /* a page from disk may keep nothing */ }
  }
  byId("theme").addEventListener("click", switchTheme);

  // A link into something that is folded away opens it.
  function reveal() {
    const target = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    let folded = false;
    for (let at = target; at; at = at.parentElement)
      if (at.tagName === "DETAILS" && !at.open) { at.open = true; folded = true; }
    if (folded || target.classList.contains("l")) target.scrollIntoView({ block: "center" });
  }
  addEventListener("hashchange", reveal);

  // Filters hide the rows that do not have the text.
  for (const input of all("input[data-filters]")) {
    const place = byId(input.dataset.filters);
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase();
      for (const row of all("tbody tr:not(.file)", place)) row.hidden = !row.textContent.toLowerCase().includes(wanted);
      for (const group of all("details.group", place)) {
        group.hidden = !all("tbody tr", group).some((row) => !row.hidden);
        if (wanted && !group.hidden) group.open = true;
      }
    });
  }

  // Columns of numbers sort the rows of each part of a table.
  for (const head of all("th[data-sort]")) {
    head.tabIndex = 0;
    const sort = () => {
      const column = head.cellIndex, down = head.dataset.down !== "1";
      head.dataset.down = down ? "1" : "";
      for (const body of all("tbody", head.closest("table"))) {
        const rows = all("tr:not(.file)", body);
        const key = (row) => parseFloat((row.cells[column] || {}).textContent.replace(/,/g, "")) || 0;
        rows.sort((one, other) => (down ? key(other) - key(one) : key(one) - key(other)));
        body.append(...rows);
      }
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
  }

  // The lines that a test runs.
  const data = byId("test-lines");
  const linesOf = data ? JSON.parse(data.textContent) : {};
  let shown = "";
  function showTest(number) {
    for (const line of all(".l.shown")) line.classList.remove("shown");
    const label = byId("shown-test");
    shown = shown === number ? "" : number;
    label.hidden = !shown;
    if (!shown) return;
    let first = null;
    for (const [file, spans] of Object.entries(linesOf[number] || {}))
      for (const [from, to] of spans)
        for (let at = from; at <= to; at++) {
          const line = byId("f" + file + "L" + at);
          if (line) { line.classList.add("shown"); first = first || line; }
        }
    label.replaceChildren("Lines of test " + number + " are marked. ");
    const away = document.createElement("button");
    away.type = "button"; away.textContent = "take the marks away";
    away.addEventListener("click", () => showTest(number));
    label.append(away);
    if (first) { for (let at = first; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true; byId("source").scrollIntoView(); }
  }
  for (const button of all(".show-test")) button.addEventListener("click", () => showTest(button.dataset.test));

  // Colours for C, put in when a part of the source comes into view.
  const token = /(\/\*.*?(?:\*\/|$)|\/\/.*$)|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(^\s*#\s*\w+)|\b(auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|_Bool)\b/g;
  function colour(code, inside) {
    const text = code.textContent, parts = [];
    let last = 0;
    if (inside) {
      const end = text.indexOf("*/");
      const span = document.createElement("span");
      span.className = "tok-c";
      span.textContent = end < 0 ? text : text.slice(0, end + 2);
      code.replaceChildren(span, text.slice(span.textContent.length));
      return end < 0;
    }
    for (const match of text.matchAll(token)) {
      parts.push(text.slice(last, match.index));
      const span = document.createElement("span");
      span.className = match[1] ? "tok-c" : match[2] ? "tok-s" : match[3] ? "tok-p" : "tok-k";
      span.textContent = match[0];
      parts.push(span);
      last = match.index + match[0].length;
    }
    if (parts.length) code.replaceChildren(...parts, text.slice(last));
    const open = text.lastIndexOf("/*");
    return open >= 0 && text.indexOf("*/", open) < 0;
  }
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries)
      if (entry.isIntersecting) {
        seen.unobserve(entry.target);
        let inside = false;
        for (const code of all("code", entry.target)) inside = colour(code, inside);
      }
  });
  for (const chunk of all(".chunk")) seen.observe(chunk);

  // Keys.
  let current = null;
  function step(forward) {
    const lines = all(".l.not, .l.part, .l.bug-line").filter((line) => {
      const before = line.previousElementSibling;
      return !(before && line.classList.contains("not") && before.classList.contains("not"));
    });
    if (!lines.length) return;
    const at = lines.indexOf(current);
    const next = lines[at < 0 ? (forward ? 0 : lines.length - 1) : (at + (forward ? 1 : -1) + lines.length) % lines.length];
    if (current) current.classList.remove("current");
    current = next;
    current.classList.add("current");
    for (let up = current; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    current.scrollIntoView({ block: "center" });
  }
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "n") step(true);
    else if (event.key === "p") step(false);
    else if (event.key === "t") switchTheme();
    else if (event.key === "o") { location.hash = "#overview"; scrollTo(0, 0); }
    else if (event.key === "/") {
      const input = all("input[data-filters]").find((one) => one.getBoundingClientRect().bottom > 60);
      if (input) { event.preventDefault(); input.focus(); }
    }
  });
  addEventListener("beforeprint", () => { for (const part of all("details")) part.open = true; });
  reveal();
})();
