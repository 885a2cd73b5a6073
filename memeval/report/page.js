"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const PAGE = 50, FILES = 5, ALPHA = 0.05;
  const by = id => document.getElementById(id);

  // Everything measured enters the page as text, never as markup.
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
      else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter(child => child !== null));
    return element;
  }

  // ---- variants against a base

  function write(value) { return (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toFixed(2); }
  function fillDuels(base) {
    for (const row of document.querySelectorAll("tr[data-suite]")) {
      const duels = data.suites[row.dataset.suite].duels[base] || {};
      const duel = duels[row.dataset.variant];
      const cells = row.querySelectorAll("td[data-duel]");
      const isBase = row.dataset.variant === base;
      const values = ["", "", ""];
      let kind = "";
      if (isBase) values[0] = "base";
      else if (duel) {
        const [won, lost, difference, low, high, p] = duel;
        const clear = p <= ALPHA;
        kind = !clear ? "" : difference > 0 ? "better" : "worse";
        values[0] = `${write(difference)} [${write(low)},\u00a0${write(high)}]`;
        values[1] = `${won}\u00a0won, ${lost}\u00a0lost`;
        values[2] = (kind === "better" ? "▲\u00a0better" : kind === "worse" ? "▼\u00a0worse" : "not\u00a0told\u00a0apart") +
          `, p\u00a0${p < 0.001 ? "<0.001" : p.toFixed(3)}`;
      } else values[0] = "–";
      cells.forEach((cell, place) => { cell.textContent = values[place]; cell.className = place === 2 ? kind : ""; });
    }
  }
  const chooser = by("base");
  if (chooser) {
    chooser.addEventListener("change", () => fillDuels(chooser.value));
    fillDuels(chooser.value);
  }

  // ---- folded parts open when a link leads to them, and for paper

  function reveal() {
    const target = location.hash.length > 1 && by(decodeURIComponent(location.hash.slice(1)));
    for (let element = target; element; element = element.parentElement)
      if (element.tagName === "DETAILS") element.open = true;
    if (target) target.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => document.querySelectorAll("details.print").forEach(part => { part.open = true; }));
  reveal();

  // ---- needs

  const box = by("needs-app");
  if (!box || !data.suites.length) return;
  const state = { suite: 0, text: "", needs: "all", scope: "some", found: "", missed: "", kind: "", lang: "", tag: "", sort: "hits", up: true, page: 0 };
  const prepared = new Map();

  function prepare(place) {
    if (prepared.has(place)) return prepared.get(place);
    const suite = data.suites[place];
    let start = 0;
    const systems = suite.variants.map((variant, v) => v).filter(v => !suite.variants[v].control);
    const needs = suite.needs.map(([id, count, expected, tags, must], row) => {
      const wordings = Array.from({ length: count }, (_, w) => start + w);
      start += count;
      const hits = suite.variants.map(variant => wordings.filter(w => variant.verdicts[w] === "h").length);
      const best = suite.variants.map(variant => wordings.some(w => "hmu".includes(variant.verdicts[w])));
      const promise = must || wordings.some(w => suite.wordings[w][5]);
      const broken = wordings.some(w => suite.variants.some(variant => variant.verdicts[w] === "u"));
      const total = systems.reduce((sum, v) => sum + hits[v], 0);
      return { id, row, expected, tags, must: !!promise, wordings, hits, asked: best, broken, total,
        haystack: [id, ...wordings.map(w => suite.wordings[w][0]), ...expected.map(d => suite.documents[d])].join("\n").toLowerCase() };
    });
    const used = (column) => [...new Set(suite.wordings.map(wording => wording[column]))].filter(l => l >= 0).map(l => suite.labels[l]).sort();
    const tags = [...new Set(suite.needs.flatMap(need => need[3]))].map(l => suite.labels[l]).sort();
    const ready = { suite, needs, systems, langs: used(2), kinds: used(3), tags };
    prepared.set(place, ready);
    return ready;
  }

  function select(name, label, options, filter = true) {
    const input = make("select", { id: `f-${name}`, on: { change: () => { state[name] = input.value; state.page = 0; if (filter) draw(); else build(); } } },
      ...options.map(([value, text]) => make("option", { value, selected: String(state[name]) === String(value) }, text)));
    return make("label", { for: `f-${name}` }, label, input);
  }

  function build() {
    const { suite, systems, langs, kinds, tags } = prepare(Number(state.suite));
    Object.assign(state, { found: "", missed: "", kind: "", lang: "", tag: "", page: 0 });
    const names = systems.map(v => [String(v), suite.variants[v].name]);
    const pick = (values) => [["", "any"], ...values.map(value => [value, value])];
    let timer = 0;
    const search = make("input", { id: "f-text", type: "search", value: state.text, on: { input: () => {
      clearTimeout(timer);
      timer = setTimeout(() => { state.text = search.value; state.page = 0; draw(); }, 120);
    } } });
    box.replaceChildren(
      make("form", { class: "filters", role: "search", "aria-label": "Filter needs", on: { submit: event => event.preventDefault() } },
        ...(data.suites.length > 1 ? [select("suite", "Suite", data.suites.map((one, place) => [place, one.name]), false)] : []),
        make("label", { for: "f-text" }, "Words in need, wording or file", search),
        select("needs", "Needs", [["all", "all"], ["stored", "with something stored"], ["unstored", "with nothing stored"], ["must", "must find"], ["broken", "ungradable"]]),
        select("found", "Found by", [["", "–"], ...names]),
        select("missed", "Missed by", [["", "–"], ["all", "every variant"], ...names]),
        select("scope", "In", [["some", "some wording"], ["first", "the first wording"], ["every", "every wording"]]),
        ...(langs.length > 1 ? [select("lang", "Language", pick(langs))] : []),
        ...(kinds.length > 1 ? [select("kind", "Kind of wording", pick(kinds))] : []),
        ...(tags.length > 1 ? [select("tag", "Tag", pick(tags))] : []),
        make("button", { type: "button", on: { click: () => { state.text = ""; state.needs = "all"; state.scope = "some"; build(); } } }, "Reset")),
      make("p", { id: "needs-count", role: "status", "aria-live": "polite" }),
      make("div", { class: "scroll", role: "region", "aria-label": "Needs", tabindex: "0" }, make("table", { id: "needs-table" })),
      make("div", { class: "pager" },
        make("button", { type: "button", id: "page-back", on: { click: () => turn(-1) } }, "Previous page"),
        make("span", { id: "page-number" }),
        make("button", { type: "button", id: "page-on", on: { click: () => turn(1) } }, "Next page")));
    draw();
  }

  function turn(step) {
    state.page += step;
    draw();
    by("needs-count").scrollIntoView({ block: "nearest" });
  }

  function choose() {
    const { suite, needs, systems } = prepare(Number(state.suite));
    const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
    const is = (v, w, letter) => suite.variants[v].verdicts[w] === letter;
    const label = (w, column, value) => !value || suite.labels[suite.wordings[w][column]] === value;
    const fits = w => label(w, 2, state.lang) && label(w, 3, state.kind)
      && (state.found === "" || is(Number(state.found), w, "h"))
      && (state.missed === "" || (state.missed === "all" ? systems.every(v => is(v, w, "m")) : is(Number(state.missed), w, "m")));
    const chosen = needs.filter(need =>
      words.every(word => need.haystack.includes(word))
      && (state.needs === "all" || (state.needs === "stored" && need.expected.length) || (state.needs === "unstored" && !need.expected.length)
        || (state.needs === "must" && need.must) || (state.needs === "broken" && need.broken))
      && (!state.tag || need.tags.some(tag => suite.labels[tag] === state.tag))
      && (state.scope === "first" ? fits(need.wordings[0]) : state.scope === "every" ? need.wordings.every(fits) : need.wordings.some(fits)));
    const sign = state.up ? 1 : -1;
    const key = state.sort === "need" ? need => need.id
      : state.sort === "wordings" ? need => need.wordings.length
      : state.sort === "hits" ? need => need.total / need.wordings.length
      : state.sort === "text" ? need => suite.wordings[need.wordings[0]][0]
      : need => need.hits[Number(state.sort)] / need.wordings.length;
    const keyed = chosen.map(need => [key(need), need]);
    keyed.sort(([a, one], [b, other]) => (a < b ? -sign : a > b ? sign : one.row - other.row));
    return keyed.map(([, need]) => need);
  }

  function draw() {
    const { suite, needs, systems } = prepare(Number(state.suite));
    const chosen = choose();
    const pages = Math.max(1, Math.ceil(chosen.length / PAGE));
    state.page = Math.min(Math.max(state.page, 0), pages - 1);
    const columns = [["need", "Need"], ["text", "First wording"], ["wordings", "Wordings"], ["hits", "Hits of variants"],
      ...suite.variants.map((variant, v) => [String(v), variant.name + (variant.control ? " (control)" : "")])];
    const head = make("tr", {}, ...columns.map(([key, title]) => make("th",
      { scope: "col", "aria-sort": state.sort === key ? (state.up ? "ascending" : "descending") : "none" },
      make("button", { type: "button", "data-sort": key, on: { click: () => sortBy(key) } }, title + (state.sort === key ? (state.up ? " ▲" : " ▼") : "")))));
    const body = make("tbody");
    for (const need of chosen.slice(state.page * PAGE, (state.page + 1) * PAGE)) body.append(drawRow(suite, need, systems, columns.length));
    by("needs-table").replaceChildren(make("caption", {}, `${suite.name}: a cell counts the wordings that are hits. A need opens on its name.`), make("thead", {}, head), body);
    by("needs-count").textContent = `${chosen.length.toLocaleString("en")} of ${needs.length.toLocaleString("en")} needs`;
    by("page-number").textContent = `page ${state.page + 1} of ${pages}`;
    by("page-back").disabled = state.page === 0;
    by("page-on").disabled = state.page === pages - 1;
  }

  function sortBy(key) {
    state.up = state.sort === key ? !state.up : true;
    state.sort = key;
    state.page = 0;
    draw();
    document.querySelector(`#needs-table button[data-sort="${key}"]`).focus();
  }

  function drawRow(suite, need, systems, width) {
    const terms = searched();
    const id = `need-${need.row}`;
    const total = need.wordings.length;
    const opener = make("button", { type: "button", "aria-expanded": "false", on: { click: () => {
      const next = row.nextElementSibling;
      const isOpen = next && next.classList.contains("detail");
      if (isOpen) next.remove();
      else row.after(make("tr", { class: "detail", id }, make("td", { colspan: width }, ...drawDetail(suite, need))));
      opener.setAttribute("aria-expanded", String(!isOpen));
      if (isOpen) opener.removeAttribute("aria-controls"); else opener.setAttribute("aria-controls", id);
    } } }, ...marked(need.id, terms));
    const row = make("tr", {},
      make("th", { scope: "row" }, opener, need.must ? make("small", {}, " must find") : null, need.expected.length ? null : make("small", {}, " nothing stored")),
      make("td", { class: "text" }, make("bdi", {}, ...marked(suite.wordings[need.wordings[0]][0], terms))),
      make("td", { class: "n" }, String(total)),
      make("td", { class: "n" }, `${need.total}/${total * systems.length}`),
      ...suite.variants.map((variant, v) => make("td", { class: `n ${need.hits[v] === total ? "hit" : need.hits[v] ? "" : "miss"}` },
        need.asked[v] ? `${need.hits[v]}/${total}` : "–")));
    return row;
  }

  function drawDetail(suite, need) {
    const expected = need.expected.map(d => suite.documents[d]);
    const parts = [make("p", {}, expected.length ? "Expected: " : "Nothing is stored: a search should stay silent.",
      ...expected.flatMap((path, place) => [place ? ", " : "", make("code", {}, ...marked(path, searched()))]))];
    if (need.tags.length) parts.push(make("p", { class: "soft" }, "Tags: " + need.tags.map(tag => suite.labels[tag]).join(", ")));
    need.wordings.forEach(w => parts.push(...drawWording(suite, need, w)));
    return parts;
  }

  const OUTCOMES = { h: ["hit", "hit"], m: ["miss", "miss"], u: ["ungradable", "miss"], "-": ["not asked", ""] };

  function drawWording(suite, need, w) {
    const [text, id, lang, kind, elicited, must] = suite.wordings[w];
    const expected = new Set(need.expected);
    const terms = termsOf(text);
    const shared = terms.filter(term => need.expected.some(d => suite.documents[d].toLowerCase().includes(term)));
    const notes = [lang, kind, elicited].filter(l => l >= 0).map(l => suite.labels[l]);
    const file = (d, at = null) => make("li", { value: at }, expected.has(d) ? make("strong", {}, make("code", {}, ...marked(suite.documents[d], terms)), " (expected)") : make("code", {}, ...marked(suite.documents[d], terms)));
    const rows = suite.variants.map(variant => {
      const [word, kind] = OUTCOMES[variant.verdicts[w]];
      const shown = variant.shown[w], rest = variant.files[w] - shown.length;
      const ranks = need.expected.map((d, place) => [variant.ranks[w][place] || 0, d]).sort((a, b) => (a[0] || Infinity) - (b[0] || Infinity) || a[1] - b[1]);
      const told = ranks.slice(0, FILES).flatMap(([rank, d], place) => [place ? make("br") : "", rank ? `${rank}` : "no candidate", ranks.length > 1 ? make("small", {}, ` ${suite.documents[d]}`) : ""]);
      const evidence = { "1": "evidence shown", "0": "evidence not shown" }[variant.evidence[w]];
      const reason = variant.reasons[w] >= 0 ? suite.reasons[variant.reasons[w]] : "";
      const more = variant.diagnoses && variant.diagnoses[w] >= 0 ? suite.reasons[variant.diagnoses[w]] : "";
      const late = need.expected.map((d, place) => [variant.places[w][place] || 0, d]).filter(([at]) => at > FILES).sort((a, b) => a[0] - b[0]);
      const fold = shown.length > FILES ? make("details", {}, make("summary", {}, `${variant.files[w] - FILES} more`),
        make("ol", { start: FILES + 1 }, ...shown.slice(FILES).map(d => file(d))), rest ? make("small", {}, `and ${rest} more, in evaluation.json`) : null)
        : rest ? make("small", {}, `and ${rest} more, in evaluation.json`) : null;
      return make("tr", {},
        make("th", { scope: "row" }, variant.name),
        make("td", { class: kind }, word),
        make("td", {}, ...(expected.size ? told : ["–"]), ranks.length > FILES ? make("small", {}, ` and ${ranks.length - FILES} more`) : null),
        make("td", { class: "n" }, `${variant.files[w]} of ${variant.matched[w]}, ${(variant.bytes[w] / 1024).toFixed(1)} KiB`),
        make("td", {}, make("ol", {}, ...shown.slice(0, FILES).map(d => file(d)), ...late.slice(0, FILES).map(([at, d]) => file(d, at))), fold),
        make("td", {}, reason, more ? make("p", {}, more) : null, evidence ? make("p", { class: "soft" }, evidence) : null));
    });
    const titles = ["Variant", "Outcome", "Rank of the expected", "Files shown of matched", "Shown", "Why"];
    return [
      make("h3", {}, make("bdi", {}, ...marked(text, [...shared, ...searched()])), " ", make("small", {}, [...notes, ...(must ? ["must find"] : []), id].join(" · "))),
      make("div", { class: "scroll" }, make("table", {}, make("caption", { class: "hidden" }, `What each variant showed for: ${text}`),
        make("thead", {}, make("tr", {}, ...titles.map(title => make("th", { scope: "col" }, title)))), make("tbody", {}, ...rows)))];
  }

  function searched() { return state.text.toLowerCase().split(/\s+/).filter(Boolean); }

  // Words of three letters or more; of scripts without spaces, every two characters.
  function termsOf(text) {
    const terms = new Set();
    for (const [run] of text.toLowerCase().matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,}|[\p{L}\p{N}]{3,}/gu)) {
      if (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(run)) {
        const letters = [...run];
        for (let place = 1; place < letters.length; place++) terms.add(letters[place - 1] + letters[place]);
      } else terms.add(run);
    }
    return [...terms];
  }

  function marked(text, terms) {
    const lower = text.toLowerCase();
    if (!terms.length || lower.length !== text.length) return [text];
    const covered = new Uint8Array(text.length);
    for (const term of terms) for (let at = lower.indexOf(term); at >= 0; at = lower.indexOf(term, at + 1)) covered.fill(1, at, at + term.length);
    const parts = [];
    for (let start = 0, end = 0; start < text.length; start = end) {
      while (end < text.length && covered[end] === covered[start]) end++;
      const part = text.slice(start, end);
      parts.push(covered[start] ? make("mark", {}, part) : part);
    }
    return parts;
  }

  build();
})();
