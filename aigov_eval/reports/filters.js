// Filters of the one-file report: rows and conversations are shown or hidden, nothing is fetched or written.
(() => {
  "use strict";
  const form = document.getElementById("filters");
  const rows = [...document.querySelectorAll("tr[data-case]")];
  const cases = new Map([...document.querySelectorAll("details.case")].map((one) => [one.id, one]));
  const texts = new Map([...cases].map(([id, one]) => [id, one.textContent.toLowerCase()]));
  const show = () => {
    const wanted = new FormData(form);
    const words = String(wanted.get("text") || "").toLowerCase();
    const kept = new Set();
    let shown = 0;
    for (const row of rows) {
      const id = `case-${row.dataset.case}`;
      let fits = !words || (texts.get(id) || "").includes(words);
      for (const [name, value] of wanted) {
        if (name === "text" || !value) continue;
        fits = fits && (row.getAttribute(`data-${name}`) || "").split("\n").includes(value);
      }
      row.hidden = !fits;
      if (fits) { kept.add(id); shown += 1; }
    }
    for (const [id, one] of cases) one.hidden = !kept.has(id);
    document.getElementById("shown").textContent = `${shown} of ${rows.length} verdicts, ${kept.size} of ${cases.size} conversations`;
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(show));
  form.hidden = false;
  show();
})();
