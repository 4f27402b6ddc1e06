/* ---- Decisions: filters over the table, and what is overdue today ---- */

function decisions() {
  const table = document.querySelector(".kb-decisions table");
  if (!table) return;
  const today = new Date().toISOString().slice(0, 10);
  const rows = [...table.querySelectorAll("tbody tr")].map((row) => {
    const [title, status, , review] = row.children;
    const open = ["draft", "hypothesis", "accepted"].includes(status.textContent.split(" ")[0]);
    const overdue = open && /^\d{4}-\d\d-\d\d/.test(review.textContent) && review.textContent.slice(0, 10) < today;
    if (overdue) review.append(" ", chip(["no", "✗ overdue"]));
    const words = `${title.textContent} ${status.textContent}`.toLowerCase();
    return { row, status: status.textContent.split(" ")[0], suspect: /suspect/.test(status.textContent), overdue, words };
  });
  const states = [...new Set(rows.map((item) => item.status))];
  const text = make("input", { type: "search", id: "kb-text" });
  const state = make("select", { id: "kb-state" }, make("option", { value: "" }, "any"),
    ...states.map((word) => make("option", { value: word }, word)));
  const doubt = make("input", { type: "checkbox", id: "kb-doubt" });
  const said = make("p", { role: "status", className: "kb-said" });
  const wanted = new URLSearchParams(location.search);

  function filter(write) {
    const needle = text.value.trim().toLowerCase();
    let shown = 0;
    for (const item of rows) {
      const fits = (!state.value || item.status === state.value)
        && (!doubt.checked || item.suspect || item.overdue)
        && needle.split(/\s+/).every((word) => item.words.includes(word));
      item.row.hidden = !fits;
      shown += fits;
    }
    said.textContent = `${shown} of ${rows.length} shown.`;
    if (!write) return;
    const query = new URLSearchParams();
    if (text.value) query.set("text", text.value);
    if (state.value) query.set("status", state.value);
    if (doubt.checked) query.set("doubt", "1");
    history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
  }

  text.value = wanted.get("text") ?? "";
  state.value = wanted.get("status") ?? "";
  doubt.checked = wanted.has("doubt");
  const form = make("form", { className: "kb-form", "aria-label": "Filter decisions" },
    make("label", { htmlFor: text.id }, "Words", text), make("label", { htmlFor: state.id }, "Status", state),
    make("label", {}, doubt, " suspect or overdue"));
  form.addEventListener("input", () => filter(true));
  form.addEventListener("submit", (event) => event.preventDefault());
  table.closest(".kb-decisions").before(form, said);
  filter(false);
}
