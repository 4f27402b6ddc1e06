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
    .map((item) => ({ url: new URL(item.meta.place, ROOT).href, excerpt: item.excerpt, title: item.meta.title }));
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
