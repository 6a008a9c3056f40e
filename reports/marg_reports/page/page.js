"use strict";
(() => {
  const { reds, cells, traces } = JSON.parse(document.getElementById("data").textContent);
  const texts = reds.map((red) => `${red.id} ${red.name} ${red.says} ${red.got || ""}`.toLowerCase());
  const byId = (id) => document.getElementById(id);
  const main = document.querySelector("main"), detail = byId("detail"), search = byId("search"), owner = byId("owner");
  const STEP = 50;
  const columns = [...document.querySelectorAll(".column")].map((section) => ({
    section, name: section.dataset.class, list: section.querySelector(".cards"), more: section.querySelector(".more"),
    fold: section.querySelector(".fold"), found: [], shown: 0, open: true,
  }));
  let order = [], current = -1;

  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  const card = (number) => {
    const red = reds[number], item = make("li"), button = make("button", "card");
    button.type = "button";
    button.dataset.red = number;
    button.append(make("span", "name", red.name), make("span", "where", red.id), make("span", "says", red.says));
    button.addEventListener("click", () => open(number));
    item.append(button);
    return item;
  };

  const grow = (column) => {
    const upTo = Math.min(column.found.length, column.shown + STEP);
    for (; column.shown < upTo; column.shown++) column.list.append(card(column.found[column.shown]));
    column.more.hidden = !column.open || column.shown >= column.found.length;
    column.more.textContent = `Show more (${column.found.length - column.shown} left)`;
  };

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const column of columns) { column.found = []; column.shown = 0; column.list.textContent = ""; }
    const places = Object.fromEntries(columns.map((column) => [column.name, column]));
    reds.forEach((red, number) => {
      if (owner.value && red.owner !== owner.value) return;
      if (!words.every((word) => texts[number].includes(word))) return;
      places[red.class].found.push(number);
    });
    order = [];
    for (const column of columns) {
      order.push(...column.found);
      column.section.querySelector(".number").textContent = column.found.length.toLocaleString("en");
      column.list.hidden = !column.open;
      grow(column);
    }
    byId("found").textContent = `${order.length.toLocaleString("en")} of ${reds.length.toLocaleString("en")} reds`;
    mark();
  };

  const mark = () => {
    for (const button of document.querySelectorAll(".card")) {
      button.setAttribute("aria-current", String(Number(button.dataset.red) === current));
    }
  };

  const copy = async (text, button) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
  };

  const command = (text) => {
    const box = make("div", "command"), button = make("button", "copy", "Copy");
    button.type = "button";
    button.addEventListener("click", () => copy(text, button));
    box.append(make("code", "", text), button);
    return box;
  };

  const table = (rows, className) => {
    const element = make("table"), body = make("tbody");
    for (const row of rows) {
      const line = make("tr", className ? className(row) : "");
      row.forEach((text, place) => line.append(make(place ? "td" : "th", place ? "value" : "", text)));
      body.append(line);
    }
    element.append(body);
    return element;
  };

  const matrix = (squares) => {
    const list = make("ul", "matrix");
    for (const [cell, says, commit, replay] of squares) {
      const square = make("li", `square ${says.split(" ")[0]}`);
      square.append(make("b", "", cell.replaceAll("_", " ")), make("span", "", says));
      square.title = [commit && `at ${commit}`, replay].filter(Boolean).join("\n");
      list.append(square);
    }
    return list;
  };

  const talk = (lines) => {
    const list = make("ol", "talk"), last = lines.length ? lines[lines.length - 1][0] : 0;
    for (const [turn, by, text] of lines) {
      const item = make("li", turn === last ? "last" : "");
      item.append(make("span", "", String(turn)), make("span", "by", by), make("span", "text", text));
      list.append(item);
    }
    return list;
  };

  const section = (title, element) => detail.append(make("h3", "", title), element);

  const open = (number) => {
    const red = reds[number];
    current = number;
    detail.textContent = "";
    const close = make("button", "close", "Close");
    close.type = "button";
    close.addEventListener("click", shut);
    detail.append(close, make("h2", "", red.headline || red.name), make("p", "", red.id), make("p", "", red.where));
    if (red.command) section("What would decide it", command(red.command));
    const differs = [["expected", red.expected || ""], ["got", red.got || ""]];
    for (const one of red.differences || []) differs.push(["difference", one]);
    section("Difference", table(differs));
    const squares = cells[red.cells] || [], trace = traces[red.trace] || [];
    if (squares.length) section("Evidence", matrix(squares));
    if (red.note) section("Note", make("p", "", red.note));
    if (red.nearest) section("Nearest", make("p", "", red.nearest));
    if ((red.also || []).length) section("Also", make("p", "", red.also.join(", ")));
    if ((red.talk || []).length) section("Talk up to here", talk(red.talk));
    if (trace.length) section("Rules", table(trace, (row) => (row[2] === "holds" ? "holds" : "")));
    detail.hidden = false;
    main.classList.add("open");
    location.hash = encodeURIComponent(red.id);
    mark();
    detail.focus({ preventScroll: false });
  };

  const shut = () => {
    detail.hidden = true;
    main.classList.remove("open");
    const button = document.querySelector(`.card[data-red="${current}"]`);
    current = -1;
    mark();
    if (button) button.focus();
  };

  const move = (step) => {
    if (!order.length) return;
    const place = order.indexOf(current);
    open(order[place < 0 ? 0 : Math.min(order.length - 1, Math.max(0, place + step))]);
  };

  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "Escape") { if (typing) event.target.blur(); else shut(); return; }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") { event.preventDefault(); search.focus(); }
    if (event.key === "j") move(1);
    if (event.key === "k") move(-1);
    if (event.key === "c") { const button = detail.querySelector(".copy"); if (button) button.click(); }
  });
  for (const column of columns) {
    column.more.addEventListener("click", () => { grow(column); mark(); });
    column.fold.addEventListener("click", () => {
      column.open = !column.open;
      column.fold.setAttribute("aria-expanded", String(column.open));
      column.list.hidden = !column.open;
      grow(column);
    });
  }
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  search.addEventListener("input", filter);
  owner.addEventListener("change", filter);
  byId("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  filter();
  const asked = reds.findIndex((red) => `#${encodeURIComponent(red.id)}` === location.hash);
  if (asked >= 0) open(asked);
})();
