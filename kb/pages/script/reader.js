/* ---- The execution reader: radio buttons in place of the table of links ---- */

function reader() {
  const grid = document.querySelector(".kb-grid");
  if (!grid) return;
  const cells = [...document.querySelectorAll(".kb-cell")];
  const anchorOf = (cell) => cell.querySelector("h2").id;
  const heads = [...grid.querySelectorAll("thead th")].slice(1).map((head) => head.textContent);
  const rows = [...grid.querySelectorAll("tbody tr")];
  const links = rows.map((row) => [...row.querySelectorAll("a")]);
  const names = rows.map((row) => row.querySelector("td").textContent);
  const choice = { path: 0, stage: 0 };
  const all = make("input", { type: "checkbox", id: "kb-all" });
  const said = make("p", { role: "status", className: "kb-said" });

  function group(title, field, labels) {
    const box = make("fieldset", {}, make("legend", {}, title));
    labels.forEach((label, number) => {
      const button = make("input", { type: "radio", name: `kb-${field}`, value: String(number) });
      button.addEventListener("change", () => {
        choice[field] = number;
        show(true);
      });
      box.append(make("label", {}, button, ` ${label}`));
    });
    return box;
  }

  function show(write) {
    const anchor = links[choice.path][choice.stage].hash.slice(1);
    for (const field of ["path", "stage"])
      document.querySelectorAll(`input[name=kb-${field}]`)[choice[field]].checked = true;
    for (const cell of cells) {
      const chosen = anchorOf(cell) === anchor;
      cell.classList.toggle("kb-chosen", chosen);
      if (chosen || all.checked) cell.removeAttribute("hidden");
      else cell.setAttribute("hidden", "until-found"); // the browser's own search still finds it
    }
    links.forEach((row, path) => row.forEach((link, stage) => {
      if (path === choice.path && stage === choice.stage) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
      link.closest("td").classList.toggle("kb-on-path", path === choice.path);
    }));
    said.textContent = `Shown: ${names[choice.path]}, ${heads[choice.stage]}.`;
    if (write) history.replaceState(null, "", `#${anchor}`);
  }

  function fromAddress() {
    const wanted = location.hash.slice(1);
    const known = links.flatMap((row, path) => row.map((link, stage) => [link, path, stage]));
    const found = known.find(([link]) => link.hash === `#${wanted}`);
    if (found) [, choice.path, choice.stage] = found;
    show(false);
    if (wanted) document.getElementById(wanted)?.scrollIntoView();
  }

  all.addEventListener("change", () => show(false));
  grid.before(make("form", { className: "kb-form", "aria-label": "Path and stage" },
    group("Path", "path", names), group("Stage", "stage", heads),
    make("label", {}, all, " show all nine")));
  grid.after(said);
  addEventListener("hashchange", fromAddress);
  addEventListener("beforeprint", () => cells.forEach((cell) => cell.removeAttribute("hidden")));
  addEventListener("afterprint", () => show(false));
  fromAddress();
}
