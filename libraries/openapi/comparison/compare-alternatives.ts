import { getMember } from "../../json/json-value.ts";
import { capitalize } from "./changes.ts";
import { type Alternative, type Condition, type Discriminator, FlatSchema, type Group } from "./flat-schema.ts";
import { pairAlternatives } from "./pair-alternatives.ts";
import type { Relation, Walk } from "./walk.ts";

/**
 * Compares what combines other schemas: `anyOf`, `oneOf`, `not`, `if` and discriminators.
 * @returns `completely` if the schemas say nothing else
 */
export function compareAlternatives(
  walk: Walk,
  before: FlatSchema,
  after: FlatSchema,
  called: string,
): "completely" | "partly" {
  // One schema that became one of several, or the reverse.
  const [oldGroup, newGroup] = [getOnlyGroup(before), getOnlyGroup(after)];
  if (newGroup && before.groups.length === 0 && before.listConstraints().length > 0) {
    compareGroup(walk, toAlternatives(before), newGroup.alternatives, called);
    return "completely";
  }
  if (oldGroup && after.groups.length === 0 && after.listConstraints().length > 0) {
    compareGroup(walk, oldGroup.alternatives, toAlternatives(after), called);
    return "completely";
  }
  compareGroups(walk, before.groups, after.groups, called);
  compareNots(walk, before, after, called);
  compareConditions(walk, before.conditions, after.conditions, called);
  compareDiscriminators(walk, before, after, called);
  return "partly";
}

function getOnlyGroup(flat: FlatSchema): Group | undefined {
  return flat.groups.length === 1 && flat.is("groups") ? flat.groups[0] : undefined;
}

/** Each of several types is an alternative. */
function toAlternatives(flat: FlatSchema): Alternative[] {
  if (!flat.is("types") || flat.types!.size < 2) return [{ raw: undefined, flat }];
  return [...flat.types!].map((type) => {
    const one = new FlatSchema();
    one.types = new Set([type]);
    return { raw: { type }, flat: one };
  });
}

function compareGroups(walk: Walk, before: Group[], after: Group[], called: string): void {
  const rest = [...after];
  for (const group of before) {
    const same = rest.findIndex((other) => other.word === group.word);
    const [other] = rest.splice(Math.max(same, 0), 1);
    if (other) {
      compareGroup(walk, group.alternatives, other.alternatives, called);
      if (group.word !== other.word) compareExclusion(walk, group, other, called);
    } else {
      walk.report("alternatives", "widened", `${capitalize(called)} no longer needs to be one of ${nameAll(group)}.`);
    }
  }
  for (const group of rest) {
    walk.report("alternatives", "narrowed", `${capitalize(called)} must be one of ${nameAll(group)} now.`);
  }
}

/** Whether a value may match several makes no difference where their types exclude each other. */
function compareExclusion(walk: Walk, before: Group, after: Group, called: string): void {
  const types = after.alternatives.map(({ flat }) => flat.types);
  const areApart = types.every((one, index) =>
    types.slice(index + 1).every((other) => one && other && ![...one].some((type) => other.has(type))),
  );
  if (areApart) return;
  const effect = before.word === "anyOf" ? "narrowed" : "widened";
  const words = effect === "narrowed" ? "must match exactly one" : "may match several";
  walk.report("alternatives", effect, `${capitalize(called)} ${words} of ${nameAll(after)} now.`);
}

function compareGroup(walk: Walk, before: Alternative[], after: Alternative[], called: string): void {
  const { pairs, removed, added } = pairAlternatives(walk, before, after);
  for (const { old, now } of pairs) {
    const label = before.length === 1 && after.length === 1 ? called : `${nameOne(now, after)} of ${called}`;
    walk.visitFlat(old.flat, now.flat, label);
  }
  for (const one of removed) {
    if (walk.isRequest && after.some(({ flat }) => isWithin(walk.relate(one.flat, flat)))) continue;
    walk.report("alternatives", "narrowed", `${capitalize(called)} can no longer be ${nameOne(one, before)}.`);
  }
  for (const one of added) {
    if (!walk.isRequest && before.some(({ flat }) => isWithin(walk.relate(flat, one.flat)))) continue;
    walk.report("alternatives", "widened", `${capitalize(called)} can now be ${nameOne(one, after)} too.`);
  }
}

/** Whether all values of the one are values of the other, from the client's point of view. */
const isWithin = ({ isBreaking, hasNewMember }: Relation) => !isBreaking && !hasNewMember;

/** By its reference or title, else by what it is. */
function nameOne({ raw, flat }: Alternative, all: readonly Alternative[]): string {
  const reference = getMember(raw, "$ref");
  if (typeof reference === "string") return reference.slice(reference.lastIndexOf("/") + 1) || reference;
  const title = getMember(raw, "title");
  if (typeof title === "string" && title !== "") return title;
  const types = [...(flat.types ?? [])].join(" or ");
  if (types === "null") return "null";
  if (types && all.filter((other) => other.flat.types?.has(types)).length === 1) return `the ${types}`;
  const index = all.findIndex((other) => other.flat === flat);
  return index < 0 ? types || "anything" : `alternative ${index + 1}`;
}

function nameAll({ alternatives }: Group): string {
  const names = alternatives.slice(0, 5).map((one) => nameOne(one, alternatives));
  return names.join(", ") + (alternatives.length > 5 ? ", …" : "");
}

function compareNots(walk: Walk, before: FlatSchema, after: FlatSchema, called: string): void {
  const old = before.nots.map((schema) => walk.flattenBefore([schema]));
  const now = after.nots.map((schema) => walk.flattenAfter([schema]));
  const removed = old.filter((one) => !now.some((other) => walk.relate(one, other).isSame));
  const added = now.filter((one) => !old.some((other) => walk.relate(other, one).isSame));
  if (removed.length === 0 && added.length === 0) return;
  const own = `What ${called} must not be`;
  if (removed.length === 0) walk.report("not", "narrowed", `${own} is described now.`);
  else if (added.length === 0) walk.report("not", "widened", `${own} is no longer described.`);
  else {
    const inner = removed.length === 1 && added.length === 1 ? walk.getEffect(removed[0]!, added[0]!) : "changed";
    // The more is excluded, the less is allowed.
    const effect = inner === "narrowed" ? "widened" : inner === "widened" ? "narrowed" : "changed";
    walk.report("not", effect, `${own} changed.`);
  }
}

function compareConditions(walk: Walk, before: Condition[], after: Condition[], called: string): void {
  const rest = [...after];
  for (const condition of before) {
    const [old] = [walk.flattenBefore([condition.if])];
    const index = rest.findIndex((other) => walk.relate(old, walk.flattenAfter([other.if])).isSame);
    if (index >= 0) {
      const [other] = rest.splice(index, 1);
      const toParts = (schema: unknown) => (schema === undefined ? [] : [schema]);
      walk.visit(toParts(condition.then), toParts(other!.then), `${called}, where its condition holds,`);
      walk.visit(toParts(condition.else), toParts(other!.else), `${called}, where its condition does not hold,`);
    } else if (rest.length > before.length - 1 || before.length === after.length) {
      rest.pop();
      walk.report("condition", "changed", `The condition ("if") of ${called} changed; what it allows is not decided.`);
    } else walk.report("condition", "widened", `A condition ("if") of ${called} was removed.`);
  }
  for (const _ of rest) walk.report("condition", "narrowed", `${capitalize(called)} has a condition ("if") now.`);
}

function compareDiscriminators(walk: Walk, before: FlatSchema, after: FlatSchema, called: string): void {
  const [[old], [now]] = [before.discriminators, after.discriminators];
  if (!old && !now) return;
  const of = `The discriminator of ${called}`;
  if (!old) walk.report("discriminator", "narrowed", `"${now!.propertyName}" says now which kind ${called} is.`);
  else if (!now) walk.report("discriminator", "widened", `${of}, "${old.propertyName}", was removed.`);
  else if (old.propertyName !== now.propertyName) {
    walk.report("discriminator", "changed", `${of} changed from "${old.propertyName}" to "${now.propertyName}".`);
  } else compareMappings(walk, old, now, of);
}

function compareMappings(walk: Walk, old: Discriminator, now: Discriminator, of: string): void {
  for (const [value, target] of old.mapping) {
    const other = now.mapping.get(value);
    if (other === undefined) walk.report("discriminator", "narrowed", `${of} no longer maps "${value}".`);
    else if (other !== target) {
      const [one, two] = [walk.flattenBefore([{ $ref: target }]), walk.flattenAfter([{ $ref: other }])];
      if (walk.relate(one, two).isSame) continue;
      walk.report("discriminator", "changed", `${of} maps "${value}" to another schema now.`);
    }
  }
  for (const value of now.mapping.keys()) {
    if (!old.mapping.has(value)) walk.report("discriminator", "widened", `${of} maps "${value}" now, too.`);
  }
}
