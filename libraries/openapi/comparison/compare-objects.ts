import { patternChecker } from "../sample/sample-patterns.ts";
import { capitalize } from "./changes.ts";
import type { FlatSchema } from "./flat-schema.ts";
import type { Walk } from "./walk.ts";

export function compareObjects(walk: Walk, before: FlatSchema, after: FlatSchema, called: string): void {
  const names = new Set([
    ...before.properties.keys(),
    ...after.properties.keys(),
    ...before.required,
    ...after.required,
  ]);
  for (const name of names) compareMember(walk, before, after, name, called);
  compareAdditional(walk, before, after, called);
  comparePatterns(walk, before, after, called);
  if (before.propertyNames.length > 0 || after.propertyNames.length > 0) {
    const [old, now] = [before, after].map(({ propertyNames }) => [...propertyNames, nameSchema]);
    walk.visit(old!, now!, `a member's name of ${called}`);
  }
  compareDependents(walk, before, after, called);
  for (const name of new Set([...before.dependentSchemas.keys(), ...after.dependentSchemas.keys()])) {
    const [old, now] = [before.dependentSchemas.get(name) ?? [], after.dependentSchemas.get(name) ?? []];
    walk.visit(old, now, `${called}, where it has "${name}",`);
  }
}

const nameSchema = { type: "string" };

/** All that applies to a member of this name. */
function listMemberParts(flat: FlatSchema, name: string): unknown[] {
  const parts = [...(flat.properties.get(name) ?? [])];
  if (flat.patternProperties.size === 0 && flat.closures.length === 0) return parts;
  for (const [pattern, schemas] of flat.patternProperties) if (patternChecker(pattern)?.(name)) parts.push(...schemas);
  for (const { names, patterns, schema } of flat.closures) {
    if (!names.has(name) && !patterns.some((pattern) => patternChecker(pattern)?.(name))) parts.push(schema);
  }
  return parts;
}

const getRest = ({ closures }: FlatSchema): unknown[] => closures.map(({ schema }) => schema);
const isClosed = ({ closures }: FlatSchema): boolean => closures.some(({ schema }) => schema === false);

function compareMember(walk: Walk, before: FlatSchema, after: FlatSchema, name: string, called: string): void {
  const old = walk.flattenBefore(listMemberParts(before, name));
  const now = walk.flattenAfter(listMemberParts(after, name));
  const isHidden = ({ isReadOnly, isWriteOnly }: FlatSchema) => (walk.isRequest ? isReadOnly : isWriteOnly);
  const [wasDescribed, isDescribed] = [before.properties.has(name), after.properties.has(name)];
  const [wasHidden, nowHidden] = [isHidden(old), isHidden(now)];
  const own = `"${name}" of ${called}`;
  const required = { was: before.required.has(name), is: after.required.has(name) };
  if (wasHidden && nowHidden) return;
  if (!isDescribed && !wasDescribed) compareRequired(walk, required, own);
  else if (!wasDescribed || wasHidden) addMember(walk, old, now, required, own);
  else if (nowHidden) {
    if (walk.isRequest) walk.add("request.property.read-only", `${capitalize(own)} is read-only now.`);
    else walk.add("response.property.write-only", `${capitalize(own)} is now write-only: it is no longer returned.`);
  } else if (!isDescribed) removeMember(walk, old, now, required, own);
  else {
    walk.visitFlat(old, now, own);
    compareRequired(walk, required, own);
  }
}

interface Required {
  was: boolean;
  is: boolean;
}

function compareRequired(walk: Walk, { was, is }: Required, own: string): void {
  if (is && !was) walk.report("required", "narrowed", `${capitalize(own)} is required now.`);
  if (was && !is) walk.report("required", "widened", `${capitalize(own)} is no longer required.`);
}

function addMember(walk: Walk, old: FlatSchema, now: FlatSchema, required: Required, own: string): void {
  const isRequired = required.is && !required.was;
  const words = `${capitalize(own)} is new${isRequired ? " and required" : ""}`;
  if (!isRequired) compareRequired(walk, required, own);
  if (walk.isRequest) walk.add(isRequired ? "request.property.added-required" : "request.property.added", `${words}.`);
  else if (old.isNever) {
    walk.add("response.property.added-closed", `${words}, though no other members were allowed.`);
  } else walk.add("response.property.added", `${words}.`);
  if (!old.isNever && old.listConstraints().length > 0 && !old.isReadOnly && !old.isWriteOnly) {
    walk.visitFlat(old, now, own);
  }
}

function removeMember(walk: Walk, old: FlatSchema, now: FlatSchema, required: Required, own: string): void {
  if (required.is) compareRequired(walk, required, own);
  if (!walk.isRequest) walk.add("response.property.removed", `${capitalize(own)} was removed.`);
  else if (now.isNever) {
    const sentence = `${capitalize(own)} was removed, and undocumented members are refused.`;
    walk.add("request.property.removed-closed", sentence);
  } else {
    walk.add("request.property.removed-open", `${capitalize(own)} is no longer described; it is not refused.`);
    if (now.listConstraints().length > 0) walk.visitFlat(old, now, own);
  }
}

function compareAdditional(walk: Walk, before: FlatSchema, after: FlatSchema, called: string): void {
  const [wasClosed, nowClosed] = [isClosed(before), isClosed(after)];
  const subject = capitalize(called);
  if (!wasClosed && nowClosed) {
    walk.report("additional-properties", "narrowed", `${subject} no longer allows members that are not described.`);
  } else if (wasClosed && !nowClosed) {
    walk.report("additional-properties", "widened", `${subject} allows members that are not described now.`);
  } else if (!wasClosed && (before.closures.length > 0 || after.closures.length > 0)) {
    walk.visit(getRest(before), getRest(after), `any other member of ${called}`);
  }
}

function comparePatterns(walk: Walk, before: FlatSchema, after: FlatSchema, called: string): void {
  for (const [pattern, schemas] of before.patternProperties) {
    const others = after.patternProperties.get(pattern);
    const own = `members of ${called} that match ${pattern}`;
    if (others) walk.visit(schemas, others, own);
    else {
      const effect = isClosed(after) ? "narrowed" : getRest(after).length > 0 ? "changed" : "widened";
      walk.report("pattern-properties", effect, `${capitalize(own)} are no longer described.`);
    }
  }
  for (const pattern of after.patternProperties.keys()) {
    if (before.patternProperties.has(pattern)) continue;
    const effect = isClosed(before) ? "widened" : getRest(before).length > 0 ? "changed" : "narrowed";
    const sentence = `Members of ${called} that match ${pattern} are described now.`;
    walk.report("pattern-properties", effect, sentence);
  }
}

function compareDependents(walk: Walk, before: FlatSchema, after: FlatSchema, called: string): void {
  const listMissing = (from: FlatSchema, to: FlatSchema) =>
    [...from.dependentRequired].flatMap(([name, needed]) =>
      [...needed].filter((one) => !to.dependentRequired.get(name)?.has(one)).map((one) => [name, one] as const),
    );
  for (const [name, needed] of listMissing(after, before)) {
    walk.report("dependent-required", "narrowed", `"${needed}" of ${called} is required now where it has "${name}".`);
  }
  for (const [name, needed] of listMissing(before, after)) {
    const sentence = `"${needed}" of ${called} is no longer required where it has "${name}".`;
    walk.report("dependent-required", "widened", sentence);
  }
}
