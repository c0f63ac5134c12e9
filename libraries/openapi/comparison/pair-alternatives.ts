import { getMember } from "../../json/json-value.ts";
import type { Alternative, FlatSchema } from "./flat-schema.ts";
import type { Walk } from "./walk.ts";

export interface PairedAlternatives {
  /** Those that are not the same. */
  pairs: { old: Alternative; now: Alternative }[];
  removed: Alternative[];
  added: Alternative[];
}

/** Larger lists are matched by their names. */
const maxRelated = 400;

/**
 * Matches alternatives by what they say, wherever they are in the list: first those that are the same, then those of the
 * same name, then those that have most in common.
 */
export function pairAlternatives(
  walk: Walk,
  before: readonly Alternative[],
  after: readonly Alternative[],
): PairedAlternatives {
  const rest = { old: [...before], now: [...after] };
  const pairs: PairedAlternatives["pairs"] = [];
  takePairs(rest, (old, now) => haveSameReference(old, now) && isSame(walk, old, now));
  if (rest.old.length * rest.now.length <= maxRelated) takePairs(rest, (old, now) => isSame(walk, old, now));
  pairs.push(...takePairs(rest, (old, now) => haveSameReference(old, now)));
  if (rest.old.length * rest.now.length <= maxRelated) {
    pairs.push(...takePairs(rest, (old, now) => !walk.relate(old.flat, now.flat).isBreaking));
    pairs.push(...takeLikely(rest));
  }
  return { pairs, removed: rest.old, added: rest.now };
}

interface Rest {
  old: Alternative[];
  now: Alternative[];
}

function takePairs(rest: Rest, isPair: (old: Alternative, now: Alternative) => boolean): PairedAlternatives["pairs"] {
  const pairs: PairedAlternatives["pairs"] = [];
  for (const old of [...rest.old]) {
    const now = rest.now.find((one) => isPair(old, one));
    if (!now) continue;
    pairs.push({ old, now });
    rest.old.splice(rest.old.indexOf(old), 1);
    rest.now.splice(rest.now.indexOf(now), 1);
  }
  return pairs;
}

function takeLikely(rest: Rest): PairedAlternatives["pairs"] {
  const scored = rest.old.flatMap((old) =>
    rest.now.map((now) => ({ old, now, score: getLikeness(old.flat, now.flat) })),
  );
  scored.sort((one, other) => other.score - one.score);
  const pairs: PairedAlternatives["pairs"] = [];
  for (const { old, now, score } of scored) {
    if (score < 0.5 || !rest.old.includes(old) || !rest.now.includes(now)) continue;
    pairs.push({ old, now });
    rest.old.splice(rest.old.indexOf(old), 1);
    rest.now.splice(rest.now.indexOf(now), 1);
  }
  return pairs;
}

/** From 0 to 1: types that both allow, and members that both describe. */
function getLikeness(one: FlatSchema, other: FlatSchema): number {
  const shareTypes = !one.types || !other.types || [...one.types].some((type) => other.types!.has(type));
  if (!shareTypes || haveOtherConstants(one, other)) return 0;
  const names = new Set([...one.properties.keys(), ...other.properties.keys()]);
  if (names.size === 0) return 0.6;
  const common = [...names].filter((name) => one.properties.has(name) && other.properties.has(name)).length;
  return common / names.size;
}

/** Members that have one value each, such as `kind: "cat"`, name different things. */
function haveOtherConstants(one: FlatSchema, other: FlatSchema): boolean {
  for (const [name, parts] of one.properties) {
    const [mine, theirs] = [getConstant(parts), getConstant(other.properties.get(name))];
    if (mine !== undefined && theirs !== undefined && mine !== theirs) return true;
  }
  return false;
}

function getConstant(parts: readonly unknown[] | undefined): string | undefined {
  const [part] = parts ?? [];
  const values = getMember(part, "enum");
  const value = Array.isArray(values) && values.length === 1 ? values[0] : getMember(part, "const");
  return value === undefined ? undefined : JSON.stringify(value);
}

/** The same but for texts, which are noted. */
function isSame(walk: Walk, old: Alternative, now: Alternative): boolean {
  const relation = walk.relate(old.flat, now.flat);
  if (relation.isSame && relation.hasOtherTexts) walk.hasOtherTexts = true;
  return relation.isSame;
}

function haveSameReference(old: Alternative, now: Alternative): boolean {
  const reference = getMember(old.raw, "$ref");
  return typeof reference === "string" && reference === getMember(now.raw, "$ref");
}
