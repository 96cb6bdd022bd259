// The pages of a site share the theme that the reader chose, where the browser lets files keep it.
try {
  const chosen = localStorage.getItem("seedbank-theme");
  if (chosen) root.dataset.theme = chosen;
  nameTheme();
  themeButton.addEventListener("click", () => localStorage.setItem("seedbank-theme", root.dataset.theme));
} catch {
  // Then each page follows the system.
}

// The search of the index: its rows are the data. What is, begins with or contains the words in its name comes first.
const field = document.getElementById("search");
if (field) {
  const status = document.getElementById("found");
  const plain = (text) => text.toLowerCase().replaceAll("\u00b1", "+-").replaceAll("\u2191", "^").replaceAll("\u2193", "v")
    .replaceAll(/\s+/g, " ").trim();
  const lists = [...document.querySelectorAll("table.index")].map((table) => ({
    body: table.tBodies[0],
    noun: table.dataset.noun,
    entries: [...table.tBodies[0].rows].map((row) => {
      const name = plain(row.dataset.name || row.cells[0].textContent);
      return { row, name, text: name + " " + plain([...row.cells].map((cell) => cell.textContent).join(" ")) };
    }),
  }));
  const rank = ({ name, text }, sought) => {
    if (name === sought) return 0;
    if (name.startsWith(sought)) return 1;
    const words = sought.split(" ");
    if (words.every((word) => name.includes(word))) return 2;
    return words.every((word) => text.includes(word)) ? 3 : 4;
  };
  const find = () => {
    const sought = plain(field.value);
    const counts = lists.map(({ body, noun, entries }) => {
      const ranked = entries.map((entry) => [rank(entry, sought), entry]);
      ranked.sort((a, b) => a[0] - b[0]);
      for (const [place, entry] of ranked) entry.row.hidden = place === 4;
      body.append(...ranked.map(([, entry]) => entry.row));
      const found = ranked.filter(([place]) => place < 4).length;
      return found + " " + noun + (found === 1 ? "" : "s");
    });
    status.textContent = sought ? counts.join(", ") : "";
  };
  const links = () => {
    const shown = [...document.querySelectorAll("table.index tbody tr:not([hidden]) a")];
    // The value or job of this very name is the first answer, in whichever list it is.
    const sought = plain(field.value);
    const exact = shown.find((link) => plain(link.closest("tr").dataset.name || link.textContent) === sought);
    return { shown, first: exact || shown[0] };
  };
  field.addEventListener("input", find);
  // A browser that goes back fills the field in again.
  window.addEventListener("pageshow", find);
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { shown, first } = links();
    const at = shown.indexOf(document.activeElement);
    const isInField = document.activeElement === field;
    switch (event.key) {
      case "/":
        if (isInField) return;
        field.focus();
        field.select();
        break;
      case "Escape":
        if (isInField) {
          field.value = "";
          find();
        } else field.focus();
        break;
      case "Enter":
        if (!isInField || !first) return;
        first.click();
        break;
      case "ArrowDown":
        if (isInField && first) first.focus();
        else if (at >= 0 && at + 1 < shown.length) shown[at + 1].focus();
        else return;
        break;
      case "ArrowUp":
        if (at > 0) shown[at - 1].focus();
        else if (at === 0) field.focus();
        else return;
        break;
      default: return;
    }
    event.preventDefault();
  });
}
