"use strict";
// The page follows the system's light or dark theme until the button changes it.
const root = document.documentElement;
const themeButton = document.getElementById("theme");
const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches;
const nameTheme = () => { themeButton.textContent = isDark() ? "Light" : "Dark"; };
themeButton.hidden = false;
themeButton.setAttribute("aria-label", "Change between light and dark");
themeButton.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  nameTheme();
});
prefersDark.addEventListener("change", nameTheme);
nameTheme();

// The panel shows the facts about a cell.
const panel = document.getElementById("panel");
const element = (name, text) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
};

// The position of a cell, if it has one.
function positionOf(cell) {
  const position = cell.querySelector("i");
  return cell.dataset.p || (position ? position.textContent : "");
}

// A cell's name is its position, or else its row and column, whose variables the corner of a grid names.
function nameOf(cell) {
  const position = positionOf(cell);
  if (position) return position + " = ";
  const row = cell.parentElement.querySelector("th");
  if (!row || row === cell) return "";
  const head = cell.closest("table").tHead;
  if (!head) return row.textContent + ": ";
  const heads = head.rows[0].cells;
  const corner = heads[0].textContent.split("\\");
  const names = corner.length === 2 ? corner.map((name) => name + " = ") : ["", ""];
  return names[0] + row.textContent + ", " + names[1] + heads[cell.cellIndex].textContent + ": ";
}

function show(grid, cell) {
  const [text, facts, , , picture] = grid.data.values[cell.dataset.v];
  // The cell shows a symbol for its value, or a long notation cut off by an ellipsis.
  const shown = cell.querySelector("b").textContent;
  const symbol = shown === text || shown.endsWith("\u2026") ? "" : shown + " = ";
  const words = element("div");
  words.append(element("strong", nameOf(cell) + symbol + text));
  const list = element("dl");
  list.className = "facts";
  const put = (key, fact) => {
    const pair = element("div");
    pair.append(element("dt", key), element("dd", fact));
    list.append(pair);
  };
  for (const [key, fact] of facts) put(key, fact);
  // A value that is too long for the result, or for the page.
  const isCut = text.startsWith("#") || text.endsWith("\u2026");
  if (isCut && grid.data.whole) put("whole", grid.data.whole + " '" + (positionOf(cell) || "POSITION") + "'");
  words.append(list);
  panel.replaceChildren(words);
  if (picture !== null && grid.pictures) {
    panel.append(grid.pictures.content.children[picture].cloneNode(true));
  }
  panel.hidden = false;
}

// The pointer shows the cell below it, until a click holds one.
let held = false;
function look(grid, cell) {
  if (grid && cell && cell.dataset.v !== undefined) show(grid, cell);
  else panel.hidden = true;
}

// The cell that a link to the page leads to; its pseudo-class is not there yet.
const named = document.getElementById(location.hash.slice(1));
const target = named && named.matches("table.grid td") ? named : null;

// Tab reaches one cell of each table, and the arrow keys move from there.
function prepare(table, grid) {
  const rows = [...table.rows].map((row) => [...row.cells]);
  table.setAttribute("role", "grid");
  const places = new Map();
  rows.forEach((cells, row) => cells.forEach((cell, column) => {
    const scope = cell.getAttribute("scope");
    cell.setAttribute("role", scope === "col" ? "columnheader" : scope === "row" ? "rowheader" : "gridcell");
    cell.tabIndex = -1;
    places.set(cell, [row, column]);
  }));
  for (const row of table.rows) row.setAttribute("role", "row");
  // Tab stops at a table once; Enter follows the link in a cell.
  for (const link of table.querySelectorAll("td a")) link.tabIndex = -1;
  let current = table.contains(target) ? target : table.querySelector("td[data-v]") || table.querySelector("td, th");
  if (!current) return;
  current.tabIndex = 0;
  const go = (cell) => {
    current.tabIndex = -1;
    current = cell;
    current.tabIndex = 0;
    current.focus();
  };
  table.addEventListener("focusin", (event) => look(grid, event.target.closest("td, th")));
  table.addEventListener("pointerover", (event) => {
    if (!held) look(grid, event.target.closest("td, th"));
  });
  table.addEventListener("click", (event) => {
    const cell = event.target.closest("td, th");
    if (!cell) return;
    // What was selected stays selected.
    if (window.getSelection().isCollapsed) go(cell);
    look(grid, cell);
    held = !panel.hidden;
  });
  table.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") {
      panel.hidden = true;
      held = false;
      return;
    }
    if (event.key === "Enter") {
      const link = current.querySelector("a");
      if (link && event.target === current) link.click();
      return;
    }
    let [row, column] = places.get(current);
    const last = rows[row].length - 1;
    switch (event.key) {
      case "ArrowRight": column += 1; break;
      case "ArrowLeft": column -= 1; break;
      case "ArrowDown": row += 1; break;
      case "ArrowUp": row -= 1; break;
      case "PageDown": row += 10; break;
      case "PageUp": row -= 10; break;
      case "Home": column = 0; break;
      case "End": column = last; break;
      default: return;
    }
    event.preventDefault();
    row = Math.max(0, Math.min(rows.length - 1, row));
    column = Math.max(0, Math.min(rows[row].length - 1, column));
    if (rows[row][column]) go(rows[row][column]);
  });
}

// Applies the chosen scale of colours. If it does not colour the values themselves, each cell also shows the
// coloured quantity.
function recolour(grid, section, scale) {
  for (const cell of section.querySelectorAll("[data-v]")) {
    const [text, , classes, texts] = grid.data.values[cell.dataset.v];
    cell.className = classes[scale];
    if (texts[scale] && texts[scale] !== text) cell.dataset.q = texts[scale];
    else delete cell.dataset.q;
  }
  for (const legend of section.querySelectorAll(".legend")) {
    legend.hidden = legend.dataset.scale !== String(scale);
  }
}

for (const section of document.querySelectorAll("main > section")) {
  const values = document.getElementById(section.id + "-values");
  const grid = values && {
    data: JSON.parse(values.textContent),
    pictures: document.getElementById(section.id + "-thermographs"),
  };
  section.querySelectorAll("table.grid").forEach((table) => prepare(table, grid));
  const choice = document.getElementById(section.id + "-scale");
  if (grid && grid.data.scales.length) recolour(grid, section, 0);
  if (choice) choice.addEventListener("change", () => recolour(grid, section, choice.selectedIndex));
}
if (target) target.focus();

// A button copies the rows of a table, with tabs between their cells.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Some browsers refuse this to a file.
    const field = element("textarea", text);
    field.style.position = "fixed";
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

for (const button of document.querySelectorAll("button.copy")) {
  const name = button.textContent;
  button.hidden = false;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    const rows = document.getElementById(button.dataset.copies).querySelectorAll("tr");
    const line = (row) => [...row.cells].map((cell) => cell.textContent).join("\t");
    await copy([...rows].map(line).join("\n") + "\n");
    button.focus();
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = name; }, 2000);
  });
}
