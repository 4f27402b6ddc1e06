/* ---- Two products: their matrix from the same files, a claim of the one after another ---- */

async function twoProducts() {
  const place = document.querySelector(".kb-two");
  if (!place) return;
  const { claims } = await json("api/chooser.json");
  const owner = (claim) => claim.id.split("/")[0];
  const names = new Map(claims.map((claim) => [owner(claim), claim.product_name]).sort());
  const result = make("div", { "aria-live": "polite" });
  const wanted = new URLSearchParams(location.search);
  const standard = place.dataset.pair.split("..");
  const selects = ["left", "right"].map((field, number) => {
    const options = [...names].map(([value, text]) => make("option", { value }, text));
    const select = make("select", { id: `kb-product-${field}`, name: field }, ...options);
    select.value = names.has(wanted.get(field)) ? wanted.get(field) : standard[number];
    select.addEventListener("change", () => show(true));
    return select;
  });

  let asked = 0;
  async function show(write) {
    const turn = ++asked;
    const [left, right] = selects.map((select) => select.value);
    if (write) history.replaceState(null, "", `?${new URLSearchParams({ left, right })}`);
    // Verdicts lie with the claim whose id sorts first, so that product makes the rows.
    const [first, second] = `${left}/` < `${right}/` ? [left, right] : [right, left];
    const [rows, columns] = [first, second].map((id) => claims.filter((claim) => owner(claim) === id));
    try {
      const parts = left === right ? [make("p", {}, "Choose two different products.")] : await matrices(rows, columns);
      if (turn !== asked) return;
      const told = make("p", {}, `Ratios are ${names.get(first)} over ${names.get(second)}. No row says which product is better.`);
      result.replaceChildren(...(left === right ? parts : [told, ...parts]));
    } catch (error) {
      if (turn === asked) result.replaceChildren(make("p", {}, `No verdict could be read: ${error.message}`));
    }
  }

  const form = make("form", { className: "kb-form kb-wide", "aria-label": "Two products" },
    make("label", { htmlFor: selects[0].id }, "One", selects[0]), make("label", { htmlFor: selects[1].id }, "Other", selects[1]));
  form.addEventListener("submit", (event) => event.preventDefault());
  place.replaceChildren(form, result);
  await show(false);
}

/** One table for each metric and role that both products have. */
async function matrices(rows, columns) {
  const groups = [...new Set(rows.map((claim) => claim.group))].filter((group) => columns.some((claim) => claim.group === group));
  if (!groups.length) return [make("p", {}, "The two have no metric in common: nothing can be set side by side.")];
  return (await Promise.all(groups.map(async (group) => {
    const [down, across] = [rows, columns].map((side) => side.filter((claim) => claim.group === group));
    const found = await Promise.all(down.map((row) => Promise.all(across.map((column) => lookup(row.id, column.id)))));
    return [make("h2", {}, group[0].toUpperCase() + group.slice(1)), matrixOf(down, across, found), reasonsOf(found.flat())];
  }))).flat().filter(Boolean);
}

function matrixOf(down, across, found) {
  const head = (claim) => [make("strong", {}, claim.published), make("br"),
    make("a", { href: new URL(claim.page, ROOT).href }, claim.title)];
  const body = found.map((verdicts, row) => make("tr", {}, make("th", { scope: "row" }, ...head(down[row])),
    ...verdicts.map((verdict) => make("td", {}, ...cell(verdict, across)))));
  return make("div", { className: "kb-scroll", tabIndex: 0, role: "region", "aria-label": "Verdicts" },
    make("table", {}, make("thead", {}, make("tr", {}, make("td"), ...across.map((claim) => make("th", { scope: "col" }, ...head(claim))))),
      make("tbody", {}, ...body)));
}

const settled = (reasons) => [...new Set(reasons.map((reason) => reason.settle).filter(Boolean))].join("; ");

function cell({ first, second, verdict, shown, reasons, cautions, instead }, across) {
  const whole = new URL(`comparisons/choose/?${new URLSearchParams({ left: first, right: second })}`, ROOT).href;
  const axes = [...new Set(reasons.map((reason) => reason.axis.replaceAll("_", " ")))].join(", ");
  const [ratio, ...allowed] = (shown ?? "").split(/ (?=\()/);
  const noted = shown && cautions.length ? ` ${cautions.length} caution${cautions.length > 1 ? "s" : ""}` : "";
  const settle = verdict === "undetermined" ? settled(reasons) : "";
  const other = verdict === "not_comparable" && instead.map(({ id }) => across.find((claim) => claim.id === id)).find(Boolean);
  const remedy = settle ? make("details", {}, make("summary", {}, "to settle it"), make("p", {}, settle))
    : other ? make("div", { className: "kb-remedy" }, `instead: ${other.published}, ${other.title}`) : "";
  return [chip(LABELS[verdict]), " ", make("a", { href: whole }, shown ? make("strong", {}, ratio) : axes),
    ...allowed.map((text) => ` ${text}`), noted, remedy];
}

function reasonsOf(verdicts) {
  const words = (name, text) => `${name.replaceAll("_", " ")}: ${text.replace(/\.$/, "")}.`;
  const why = verdicts.flatMap(({ reasons }) => reasons.map((reason) =>
    words(reason.axis, reason.why) + (reason.settle ? ` What would settle it: ${reason.settle.replace(/\.$/, "")}.` : "")));
  const cautions = verdicts.filter(({ shown }) => shown)
    .flatMap((verdict) => verdict.cautions.map((caution) => words(caution.about, caution.text)));
  return make("div", {}, listed("Why pairs allow no ratio", why), listed("Cautions, which go with the ratios", cautions, true));
}

function listed(title, texts, open = false) {
  if (!texts.length) return "";
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const items = [...counts].sort((a, b) => b[1] - a[1]).map(([text, count]) => make("li", {}, `${text} (${count} pair${count > 1 ? "s" : ""})`));
  return make("details", { open }, make("summary", {}, title), make("ul", {}, ...items));
}
