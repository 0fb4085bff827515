// Keys and marking. Every page works without: a key presses a button or follows a link that is there.
(() => {
  "use strict";
  const by = (id) => document.getElementById(id);
  let sent = false;
  const press = (what) => {
    const button = document.querySelector(`#decide button[value="${what}"]`);
    if (button) button.click();
  };
  const follow = (...ids) => {
    const link = ids.map(by).find(Boolean);
    if (link) link.click();
  };
  for (const form of document.querySelectorAll("form[method=post]")) {
    form.addEventListener("submit", (event) => {
      // a second press of a key is not a second decision
      if (sent) event.preventDefault();
      sent = true;
    });
  }
  window.addEventListener("pageshow", () => { sent = false; });

  // what is selected within one text, as turn:start:end, counted as the browser counts what it shows
  const selected = () => {
    const chosen = window.getSelection();
    if (!chosen || chosen.rangeCount === 0 || chosen.isCollapsed) return null;
    const range = chosen.getRangeAt(0);
    const near = range.commonAncestorContainer;
    const said = (near.nodeType === 1 ? near : near.parentElement).closest(".said[data-turn]");
    if (!said) return null;
    const before = document.createRange();
    before.selectNodeContents(said);
    before.setEnd(range.startContainer, range.startOffset);
    const start = before.toString().length;
    const words = range.toString();
    return { place: `${said.dataset.turn}:${start}:${start + words.length}`, words };
  };
  const take = () => {
    const found = selected();
    if (!found || !by("miss")) return false;
    by("place").value = found.place;
    by("words").value = found.words.trim();
    return true;
  };
  document.addEventListener("mouseup", () => { take(); });
  if (by("words")) by("words").addEventListener("input", () => { by("place").value = ""; });
  if (by("field")) {
    by("field").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && by("field").value) { event.preventDefault(); press("field"); }
    });
  }
  if (by("missed")) {
    by("missed").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && by("missed").value) { event.preventDefault(); by("miss").requestSubmit(); }
    });
  }
  const keys = {
    a: () => press("accept"),
    r: () => press("reject"),
    u: () => press("undo"),
    f: () => by("field") && by("field").focus(),
    c: () => by("why") && by("why").focus(),
    s: () => { if (by("final")) by("final").checked = !by("final").checked; },
    m: () => { if (by("miss")) { if (take()) by("missed").focus(); else by("words").focus(); } },
    n: () => follow("forth", "next", "start"),
    j: () => follow("forth", "next", "start"),
    p: () => follow("back"),
    k: () => follow("back"),
    l: () => follow("list"),
    "/": () => by("search") && by("search").focus(),
    "[": () => follow("back"),
    "]": () => follow("forth"),
  };
  if (by("search")) keys.n = keys.j = () => follow("next");
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { document.activeElement.blur(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "checkbox") return;
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  document.documentElement.dataset.keys = "on";
  if (by("here")) by("here").scrollIntoView({ block: "center" });
})();
