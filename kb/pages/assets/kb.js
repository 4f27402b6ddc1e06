// What the pages gain from a script. Without it every word is there; nothing is judged here.
"use strict";

const ROOT = new URL("../", document.currentScript.src);

/** An element with properties and children; text stays text. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const held = new Map();

/** A file of this site, read once however often it is asked for. */
function json(path) {
  if (!held.has(path)) held.set(path, read(path));
  return held.get(path);
}

async function read(path) {
  const answer = await fetch(new URL(path, ROOT));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

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

/* ---- Search: Pagefind's index where the build made one ---- */

const VALUE = /^[\d.,]+\s+\S+$/;
const GLUED = /^([\d.,]*\d)([kmgtp]?i?(?:[bwf]|ops|hz).*)$/i;

/** The results of one kind for some words; a value and its unit belong together. */
async function answers(engine, words, filters) {
  const ways = VALUE.test(words) ? [`"${words}"`, words.replace(/\s+/g, "")] : [words];
  const found = (await Promise.all(ways.map((way) => engine.search(way, { filters })))).flatMap((answer) => answer.results);
  return [...new Map(found.map((item) => [item.id, item])).values()];
}

const data = (results, most) => Promise.all(results.slice(0, most).map((item) => item.data()));

/** Claims whose printed value holds the words. */
async function claimsOf(engine, words) {
  if (!/^\d/.test(words)) return [];
  const read = await data(await answers(engine, words, { kind: "claim" }), 40);
  const named = whole(words);
  return read.filter((item) => named(item.meta.value))
    .map((item) => ({ url: item.url, excerpt: item.excerpt, title: item.meta.title }));
}

/** Whether a text holds these words as they are, blanks aside: 180 GB is in no 1180 GB. */
function whole(words) {
  const escaped = words.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\w.,])${escaped.join("\\s*")}(?!\\w)`, "i");
  return (text) => pattern.test(text);
}

/** The parts of a page that were found, those first whose heading holds the words. */
function partsOf(item, named) {
  const parts = item.sub_results.length ? item.sub_results : [item];
  return parts.map((part) => {
    const own = part.title ?? item.meta.title;
    const title = own !== item.meta.title ? `${item.meta.title}: ${own}` : own;
    return { url: part.url, excerpt: part.excerpt, title, named: Number(named(own)) };
  }).sort((a, b) => b.named - a.named);
}

async function search() {
  const place = document.querySelector(".kb-search");
  if (!place) return;
  let engine;
  try {
    engine = await import(new URL("pagefind/pagefind.js", ROOT).href);
    await engine.init();
  } catch {
    return; // the page says what to do without it
  }
  const field = make("input", { type: "search", id: "kb-query", autocomplete: "off" });
  const said = make("p", { role: "status", className: "kb-said" });
  const list = make("ol", { className: "kb-found" });
  let asked = 0;

  async function show(write) {
    const turn = ++asked;
    const typed = field.value.trim(), words = typed.replace(GLUED, "$1 $2");
    if (write) history.replaceState(null, "", typed ? `?${new URLSearchParams({ find: typed })}` : location.pathname);
    const claims = words ? await claimsOf(engine, words) : [];
    const results = words ? await answers(engine, words, { not: { kind: "claim" } }) : [];
    const read = await data(results, 20);
    if (turn !== asked) return;
    // Pagefind shortens an unknown word until something fits: what shares no beginning is not found.
    const starts = words.toLowerCase().split(/\s+/).map((word) => word.slice(0, 4));
    const holds = (item) => {
      const text = `${item.meta.title} ${item.content}`.toLowerCase();
      return starts.some((start) => text.includes(start));
    };
    const named = whole(words);
    const parts = read.filter(holds).map((item) => partsOf(item, named));
    parts.sort((a, b) => b[0].named - a[0].named);
    const shown = [...claims, ...parts.flatMap((found) => found.slice(0, 4))];
    const places = shown.map((part) => part.url);
    const seen = shown.filter((part, at) => places.indexOf(part.url) === at);
    const more = results.length > read.length ? `, on the first ${read.length} of ${results.length} pages` : "";
    list.replaceChildren(...seen.map(entry));
    said.textContent = words ? `${seen.length} results for “${typed}”${more}.` : "";
  }

  const entry = ({ url, title, excerpt }) => {
    // Of what Pagefind returns as HTML its marks are kept, and text.
    const parts = [...new DOMParser().parseFromString(excerpt, "text/html").body.childNodes];
    const text = parts.map((part) => (part.nodeName === "MARK" ? make("mark", {}, part.textContent) : part.textContent));
    return make("li", {}, make("a", { href: url }, title), make("p", {}, ...text));
  };

  place.replaceChildren(make("form", { className: "kb-form kb-wide", role: "search" },
    make("label", { htmlFor: field.id }, "Words, values, aliases, rules", field)), said, list);
  place.firstChild.addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("input", () => show(true));
  field.value = new URLSearchParams(location.search).get("find") ?? "";
  await show(false);
}

/* ---- The search of the theme: a value is one thing, not a number and any word like GB200 ---- */

function themeSearch() {
  const field = document.querySelector(".md-search__input");
  if (!field) return;
  const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  Object.defineProperty(field, "value", {
    set(text) { own.set.call(this, text); },
    get() {
      const text = own.get.call(this);
      const apart = text.replace(GLUED, "$1 $2"); // as the separator in mkdocs.yml cuts what is indexed
      return VALUE.test(apart) ? `"${apart}"` : text; // the theme requires all words of what is quoted
    },
  });
}

themeSearch();
reader();
decisions();
chooser();
twoProducts();
search();
