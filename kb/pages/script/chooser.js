/* ---- Two claims, one verdict: looked up, never computed ---- */

const LABELS = {
  comparable: ["yes", "✓ comparable"],
  after_derivation: ["steps", "✓ after derivation"],
  not_comparable: ["no", "✗ not comparable"],
  undetermined: ["open", "? undetermined"],
};

const chip = ([look, label]) => make("span", { className: `kb-chip kb-${look}` }, label);

async function chooser() {
  const place = document.querySelector(".kb-choose");
  if (!place) return;
  const { claims, metrics } = await json("api/chooser.json");
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  const wanted = new URLSearchParams(location.search);
  const selects = {};
  const result = make("div", { className: "kb-result", "aria-live": "polite" });

  function choose(field, label, groups) {
    const select = selects[field] ?? make("select", { id: `kb-${field}`, name: field });
    const options = [...groups].map(([title, items]) => {
      const inner = items.map(([value, text]) => make("option", { value }, text));
      return title ? make("optgroup", { label: title }, ...inner) : inner;
    }).flat();
    const before = select.value;
    select.replaceChildren(...options);
    if ([...select.options].some((option) => option.value === before)) select.value = before;
    if (selects[field]) return null;
    selects[field] = select;
    return make("label", { htmlFor: select.id }, label, select);
  }

  function sides(metric) {
    const groups = new Map();
    for (const claim of claims)
      if (claim.metric === metric) {
        const title = claim.product_name;
        if (!groups.has(title)) groups.set(title, []);
        groups.get(title).push([claim.id, `${title}: ${claim.published}, ${claim.title}`]);
      }
    return groups;
  }

  function refill() {
    const groups = sides(selects.metric.value);
    choose("left", "Left", groups);
    choose("right", "Right", groups);
  }

  /** The right list on a claim of another product, where there is one. */
  function apart() {
    const product = (id) => id.split("/")[0];
    const other = [...selects.right.options].find(({ value }) => product(value) !== product(selects.left.value));
    if (other) selects.right.value = other.value;
  }

  let asked = 0;
  async function show(write) {
    const turn = ++asked;
    const [left, right] = [selects.left.value, selects.right.value];
    if (write) history.replaceState(null, "", `?${new URLSearchParams({ left, right })}`);
    try {
      const found = await lookup(left, right);
      if (turn === asked) result.replaceChildren(...told(found, byId));
    } catch (error) {
      if (turn === asked) result.replaceChildren(make("p", {}, `No verdict could be read: ${error.message}`));
    }
  }

  const form = make("form", { className: "kb-form kb-wide", "aria-label": "Two claims" },
    choose("metric", "Metric", [["", metrics]]),
    choose("left", "Left", []), choose("right", "Right", []));
  form.addEventListener("submit", (event) => event.preventDefault());
  place.replaceChildren(form, result);
  const first = byId.get(wanted.get("left")), second = byId.get(wanted.get("right"));
  const [one, other] = place.dataset.pair.split("..");
  selects.metric.value = (first ?? byId.get(one))?.metric ?? metrics[0][0];
  refill();
  selects.left.value = first?.id ?? one;
  selects.right.value = second?.metric === first?.metric && second ? second.id : other;
  for (const field of ["left", "right"])
    if (selects[field].selectedIndex < 0) selects[field].selectedIndex = 0;
  selects.metric.addEventListener("change", () => {
    refill();
    apart();
    show(true);
  });
  selects.left.addEventListener("change", () => show(true));
  selects.right.addEventListener("change", () => show(true));
  await show(false);
}

/** The verdict of a pair lies in the file of the claim whose id sorts first. */
async function lookup(left, right) {
  const [first, second] = left < right ? [left, right] : [right, left];
  if (first === second) return { same: true, first, second };
  const shard = await json(`api/verdicts/${first}.json`);
  const raw = shard.verdicts[second];
  if (!raw) throw new Error(`${first} and ${second} are not set side by side`);
  const part = (numbers) => (numbers ?? []).map((number) => shard.parts[number]);
  const product = second.split("/")[0];
  const instead = Object.entries(shard.verdicts)
    .filter(([id, other]) => id.startsWith(`${product}/`) && other.shown)
    .map(([id, other]) => ({ id, shown: other.shown }));
  return {
    first, second, verdict: raw.verdict, shown: raw.shown, conditional: raw.conditional ?? [],
    fraction: raw.fraction, reasons: part(raw.reasons), cautions: part(raw.cautions),
    steps: part(raw.derivation), instead,
  };
}

function told(found, claims) {
  const [left, right] = [claims.get(found.first), claims.get(found.second)];
  if (found.same) return [make("p", {}, "A claim against itself is exactly 1. Choose another one.")];
  const parts = [make("p", {}, side(left), " against ", side(right))];
  const answer = make("p", {}, chip(LABELS[found.verdict]));
  if (found.shown) answer.append(" ratio ", make("strong", {}, found.shown));
  parts.push(answer);
  const add = (title, items) => {
    if (items.length) parts.push(make("p", {}, title), make("ul", {}, ...items.map((i) => make("li", {}, i))));
  };
  add("Why:", found.reasons.map((r) =>
    `${r.axis.replaceAll("_", " ")} ${r.state === "open" ? "is open" : "differs"}: ` +
    `${r.left.replaceAll("_", " ")} against ${r.right.replaceAll("_", " ")}. ${r.why}.` +
    (r.settle ? ` What would settle it: ${r.settle}.` : "")));
  add("Steps, each with its licence:", found.steps.map((s) => `${s.step}. Licence: ${s.licence}`));
  add("No ratio may be printed, but these would follow:", found.conditional);
  if (found.fraction) parts.push(make("p", {}, found.fraction));
  add("Cautions, which go wherever this verdict is shown:", found.cautions.map((c) => `${c.about.replaceAll("_", " ")}: ${c.text}`));
  if (!found.shown) {
    const items = found.instead.map(({ id, shown }) => make("span", {},
      `${left.published} against `, side(claims.get(id)), `: ${shown}`));
    add("What may be set beside the left one instead:", items);
  }
  return parts;
}

const side = (claim) => make("span", {}, make("strong", {}, claim.published), ` ${claim.product_name}, `,
  make("a", { href: new URL(claim.page, ROOT).href }, claim.title),
  ` (${claim.qualifiers.join(", ")})`);
