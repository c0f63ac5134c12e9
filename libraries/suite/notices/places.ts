import { isJsonObject, type Json } from "../../json/json.ts";
import type { Steps } from "./change.ts";

const maxDepth = 5;
const maxMembers = 60;
const maxPlaces = 300;
const maxNameLength = 200;

const indexIn = (steps: Steps) => steps.findIndex((step) => typeof step === "number");

/** Whether a place is in an item of a list. */
export const isInItem = (steps: Steps) => indexIn(steps) >= 0;

/** How many lists a place is in items of. */
export const countLists = (steps: Steps) => steps.filter((step) => typeof step === "number").length;

/** The outermost list that a place is in an item of; the place itself if it is in none. */
export const getList = (steps: Steps) => (isInItem(steps) ? steps.slice(0, indexIn(steps)) : steps);

/** Names, and lists within lists. */
export const getDepth = (steps: Steps) => steps.length - Math.min(1, countLists(steps));

/** The places of a body, outermost first; of a list's items the first. */
export function listPlaces(root: Json): Steps[] {
  const places: Steps[] = [];
  const waiting: { steps: Steps; value: Json }[] = [{ steps: [], value: root }];
  for (let place = waiting.shift(); place && places.length < maxPlaces; place = waiting.shift()) {
    const { steps, value } = place;
    places.push(steps);
    if (Array.isArray(value)) {
      const [first] = value;
      if (first === undefined || getDepth(steps) >= maxDepth) continue;
      if (isJsonObject(first)) listMembers(first, [...steps, 0], waiting);
      else waiting.push({ steps: [...steps, 0], value: first });
    } else if (isJsonObject(value)) listMembers(value, steps, waiting);
  }
  return places;
}

function listMembers(value: Json, steps: Steps, waiting: { steps: Steps; value: Json }[]): void {
  if (getDepth(steps) >= maxDepth) return;
  for (const [name, member] of Object.entries(value as { [name: string]: Json }).slice(0, maxMembers)) {
    if (name.length <= maxNameLength) waiting.push({ steps: [...steps, name], value: member });
  }
}
