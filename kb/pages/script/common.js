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
