import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { RequestBody } from "#contracts/test-registry/requests.ts";
import { type JsonRecord, toList } from "#libraries/json/json-value.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import { splitName, toPlain, toReferredThing, toVariable, toWords } from "../names.ts";
import { numberPlaceholder, writePlaceholders } from "../suggestion/body-placeholders.ts";
import { getPathThing } from "../suggestion/member-words.ts";
import { findUnique } from "../suggestion/unique-texts.ts";
import { type Calls, type PlannedCall, toNewName } from "./calls.ts";
import { findReturnedObject, findSentObject, getObject, marksDeletion } from "./objects.ts";

/** A request that changes one member of what a run made. */
export interface Change {
  member: string;
  /** The whole value, as it is sent. */
  sent: unknown;
  body: RequestBody;
  generated: ReadonlyMap<string, string>;
}

interface Surroundings {
  /** The body that created it. */
  created: unknown;
  reader: OperationWithComponents | undefined;
  calls: Calls;
  /** Members that identify it, and so stay. */
  kept: readonly string[];
  /** For a request whose body says what it changes: names of the member that may do it, the best first. */
  identities?: { names: string[]; variable: string } | undefined;
}

interface Candidate {
  name: string;
  value: unknown;
  template?: string;
  rank: number;
}

const secret = /password|secret|token|pin|cvv|credential/;

/**
 * What to send so that something changes: the best member to see it by, with another value than before. A partial
 * change has only what it requires beside it; a replacement what the creation sent, too.
 * @returns undefined for a body that isn't JSON, or has no member with another valid value
 */
export function findChange(
  described: OperationWithComponents,
  call: PlannedCall,
  { created, reader, calls, kept, identities }: Surroundings,
): Change | undefined {
  const object = findSentObject(described);
  if (!object) return undefined;
  const { operation } = described;
  const isWhole = operation.method === "put";
  const usual = getObject(call.sent, object.steps) ?? {};
  const before = getObject(created, object.steps) ?? {};
  const returned = reader && findReturnedObject(reader, [...object.members.keys()]);
  const checker = new ValueChecker("request", { find: (name) => described.components[name] });
  const [best] = [...object.members]
    .flatMap(([name, schema]) => {
      // What identifies it stays, and so does it itself.
      if (kept.includes(name) || marksDeletion(name)) return [];
      const found = findOther(name, schema, before[name] ?? usual[name], { path: operation.path, checker });
      const isSeen = returned?.members.has(name) ? 0 : 10;
      return found ? [{ ...found, name, rank: found.rank + isSeen }] : [];
    })
    .sort((one, other) => one.rank - other.rank);
  if (!best) return undefined;
  const generated = new Map(call.generated);
  let { value } = best;
  if (best.template !== undefined) {
    const proposed = toVariable(["changed", ...toWords(toNewName(getPathThing(operation.path), [best.name]))]);
    const variable = calls.nameVariable(proposed, best.template);
    generated.set(variable, best.template);
    value = `{{${variable}}}`;
  }
  const needed = Object.entries(usual).filter(
    ([name]) => object.required.has(name) || (isWhole && !marksDeletion(name)),
  );
  const known = Object.entries(before).filter(([name]) => isWhole && isSendable(object.members.get(name)));
  const inner: JsonRecord = { ...Object.fromEntries(needed), ...Object.fromEntries(known), [best.name]: value };
  const identity = identities?.names.find((name) => object.members.has(name));
  if (identities && identity === undefined) return undefined;
  if (identities && identity !== undefined) {
    const isText = getSchemaType(object.members.get(identity) ?? {}) === "string";
    inner[identity] = isText ? `{{${identities.variable}}}` : numberPlaceholder(identities.variable);
  }
  const sent = object.steps.reduceRight<unknown>((content, step) => ({ [step]: content }), inner);
  const { mediaType } = object;
  const text = writePlaceholders(JSON.stringify(sent, null, 2));
  const named = mediaType === "application/json" ? {} : { mediaType };
  return { member: best.name, sent, body: { kind: "json", text, ...named }, generated };
}

const isSendable = (schema: JsonRecord | undefined) => schema !== undefined && schema.readOnly !== true;

/** Another valid value of a member, and how well it shows a change: 0 is best. */
function findOther(
  name: string,
  schema: JsonRecord,
  before: unknown,
  { path, checker }: { path: string; checker: ValueChecker },
): Omit<Candidate, "name"> | undefined {
  const isReference = splitName(name).identifier === "id" || toReferredThing(name) !== undefined;
  if (schema.readOnly === true || schema.const !== undefined || isReference || secret.test(toPlain(name))) {
    return undefined;
  }
  const isOther = (value: unknown) => value !== before && checker.isValid(value, schema);
  const listed = toList(schema.enum).find((value) => value !== null && isOther(value));
  if (schema.enum !== undefined) return listed === undefined ? undefined : { value: listed, rank: 4 };
  switch (getSchemaType(schema)) {
    case "string": {
      const template = findUnique({ path: [name], schema, isMissing: false }, path, checker);
      // A name by which others know it is changed last.
      if (template !== undefined)
        return { value: template, template, rank: /mail|login|user|slug|key/i.test(name) ? 3 : 0 };
      if (schema.format !== undefined) return undefined;
      const value = ["Changed by a test", "Changed", "changed", "b"].find(isOther);
      // A text with a form of its own may be refused with another.
      const example = String(schema.example ?? "");
      const rank = schema.pattern !== undefined || /[.:/@]/.test(example) ? 6 : /^\S+$/.test(example) ? 5 : 1;
      return value === undefined ? undefined : { value, rank };
    }
    case "boolean":
      return { value: before !== true, rank: 2 };
    case "integer": {
      const first = typeof before === "number" ? before : Number(schema.minimum ?? 1);
      const value = [first + 1, first - 1, first].find(isOther);
      return value === undefined ? undefined : { value, rank: 2 };
    }
    default:
      return undefined;
  }
}
