import { capitalize } from "./changes.ts";
import type { Contained, FlatSchema } from "./flat-schema.ts";
import type { Walk } from "./walk.ts";

const maxPrefix = 100;

export function compareArrays(walk: Walk, before: FlatSchema, after: FlatSchema, called: string): void {
  if (before.isUnique !== after.isUnique) {
    const [effect, words] = after.isUnique ? (["narrowed", "must"] as const) : (["widened", "need not"] as const);
    walk.report("unique-items", effect, `Items of ${called} ${words} be unique now.`);
  }
  const prefix = Math.min(Math.max(getPrefix(before), getPrefix(after)), maxPrefix);
  for (let index = 0; index < prefix; index++) {
    walk.visit(listItemParts(before, index), listItemParts(after, index), `item ${index + 1} of ${called}`);
  }
  if (before.tuples.length > 0 || after.tuples.length > 0) {
    const own = prefix > 0 ? `any further item of ${called}` : `an item of ${called}`;
    walk.visit(listItemParts(before, Infinity), listItemParts(after, Infinity), own);
  }
  compareContained(walk, before, after, called);
}

const getPrefix = ({ tuples }: FlatSchema) => Math.max(0, ...tuples.map(({ prefix }) => prefix.length));

function listItemParts({ tuples }: FlatSchema, index: number): unknown[] {
  return tuples.flatMap(({ prefix, rest }) => {
    const part = index < prefix.length ? prefix[index] : rest;
    return part === undefined ? [] : [part];
  });
}

function compareContained(walk: Walk, before: FlatSchema, after: FlatSchema, called: string): void {
  const [[old, ...oldOthers], [now, ...nowOthers]] = [before.contained, after.contained];
  if (!old && !now) return;
  const own = `what ${called} must contain`;
  if (!old) walk.report("contains", "narrowed", `${capitalize(called)} must contain certain items now.`);
  else if (!now) walk.report("contains", "widened", `${capitalize(called)} no longer needs to contain certain items.`);
  else if (oldOthers.length > 0 || nowOthers.length > 0) {
    if (JSON.stringify(before.contained) === JSON.stringify(after.contained)) return;
    walk.report("contains", "changed", `${capitalize(own)} changed.`);
  } else compareOneContained(walk, old, now, called);
}

function compareOneContained(walk: Walk, old: Contained, now: Contained, called: string): void {
  const [one, other] = [walk.flattenBefore([old.schema]), walk.flattenAfter([now.schema])];
  const isCounted = old.max !== undefined || now.max !== undefined || old.min === 0 || now.min === 0;
  if (!isCounted) walk.visitFlat(one, other, `what ${called} must contain`);
  else if (!walk.relate(one, other).isSame) {
    walk.report("contains", "changed", `What ${called} must contain changed, and how many of it may come is limited.`);
    return;
  }
  const most = (value: number | undefined) => value ?? Infinity;
  const narrows = now.min > old.min || most(now.max) < most(old.max);
  const widens = now.min < old.min || most(now.max) > most(old.max);
  if (!narrows && !widens) return;
  const effect = narrows && widens ? "changed" : narrows ? "narrowed" : "widened";
  const show = ({ min, max }: Contained) => (max === undefined ? `at least ${min}` : `${min} to ${max}`);
  walk.report("contains", effect, `How many items ${called} must contain changed from ${show(old)} to ${show(now)}.`);
}
