import type { InventedValue } from "#libraries/openapi/sample/sampler.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import type { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import { isSameThing, toPlain, toWords } from "../names.ts";
import { listInstances } from "./body-placeholders.ts";
import { getPathThing, isNaming } from "./member-words.ts";

/** A member of a body, with the document's value for it, if it gives one. */
export interface BodyMember extends InventedValue {
  example?: string | number;
}

export const isText = ({ schema }: InventedValue) => !["integer", "number"].includes(getSchemaType(schema) ?? "string");

export const namesOf = ({ path }: InventedValue) => path.filter((step): step is string => typeof step === "string");

export const generatedNumbers = ["{{$timestamp}}", "{{$randomInt}}"];

/** Operations that sign in: an unknown name is refused. */
const signsIn = /^(login|log-?in|sign-?in|signin|authenticate|authentication|token|sessions?)$/i;
const provingName = /^(email|emailaddress|mail|user|username|login|password|identifier)$/;

export const isProving = (name: string, path: string) =>
  signsIn.test(path.split("/").at(-1) ?? "") && provingName.test(toPlain(name));

/** A text that names a new thing and is unique; undefined for a member that names none, or allows no such text. */
export function findUnique(member: BodyMember, path: string, checker: ValueChecker): string | undefined {
  const name = namesOf(member).at(-1) ?? "";
  const resource = getPathThing(path);
  if (!isText(member) || isProving(name, path)) return undefined;
  if (/password|passphrase/i.test(name)) {
    // Servers ask for more than documents say and their examples have: length, letters and digits.
    return firstAllowed(["Pa55-{{$uuid}}"], member, checker);
  }
  if (!isOfNewThing(member, resource) || !isNaming(name, resource)) return undefined;
  return firstAllowed([...listAlike(member.example), ...listUnique(name, resource)], member, checker);
}

const telling = /^(name|title|slug|label|value|text|content|message|subject|summary|description|comment|note)$/;

/** A unique text for a member that names or describes something in what is made: `schemeName`. */
export function findRelatedName(member: BodyMember, path: string, checker: ValueChecker): string | undefined {
  const [name, ...others] = namesOf(member);
  const isName = others.length === 0 && telling.test(toWords(name ?? "").at(-1) ?? "");
  if (!isName || !isText(member)) return undefined;
  return firstAllowed([...listAlike(member.example), ...listUnique(name ?? "", getPathThing(path))], member, checker);
}

/** A text for a member that clients choose as identifier. */
export function findChosen(member: BodyMember, path: string, checker: ValueChecker): string | undefined {
  const texts = listUnique(namesOf(member).at(-1) ?? "", getPathThing(path));
  return firstAllowed(isText(member) ? [...listAlike(member.example), ...texts] : generatedNumbers, member, checker);
}

export function firstAllowed(
  templates: readonly string[],
  member: InventedValue,
  checker: ValueChecker,
): string | undefined {
  const isNumber = !isText(member);
  return templates.find((template) =>
    listInstances(template).every((text) => checker.isValid(isNumber ? Number(text) : text, member.schema)),
  );
}

const wrappers = new Set(["data", "attributes", "item", "payload", "body", "input", "resource"]);

/** Whether a member belongs to what the request makes, rather than to something in it: no item, no author of a book. */
function isOfNewThing({ path }: InventedValue, resource: string): boolean {
  const [first, ...others] = path;
  const steps = typeof first === "number" ? others : path;
  if (typeof first === "number" && first > 0) return false;
  return steps
    .slice(0, -1)
    .every((step) => typeof step === "string" && (wrappers.has(step) || isSameThing(toPlain(step), toPlain(resource))));
}

/** Like a documented name, so that it is one where others would be refused: a domain, a slug. */
function listAlike(example: string | number | undefined): string[] {
  if (typeof example !== "string" || example === "") return [];
  if (example.includes("@")) return [`user-{{$uuid}}@${example.split("@").at(-1)}`];
  if (/^https?:\/\//i.test(example)) return [`${example.replace(/\/$/, "")}/{{$uuid}}`];
  if (/^[\w-]+(\.[\w-]+)+$/.test(example)) return [`{{$uuid}}.${example.split(".").slice(-2).join(".")}`];
  return /^[\w-]+$/.test(example) ? [`${example}-{{$uuid}}`] : [`${example} {{$uuid}}`];
}

function listUnique(name: string, thing: string): string[] {
  const plain = toPlain(name);
  const words = toWords(thing).length > 0 ? toWords(thing) : ["test"];
  const word = words.join("");
  if (plain.includes("email")) return ["user-{{$uuid}}@example.com", "u{{$timestamp}}@example.com"];
  const compact = [`${word}-{{$uuid}}`, "{{$uuid}}", `${word}{{$timestamp}}`, "{{$timestamp}}", "{{$randomInt}}"];
  if (/username|login|slug|handle|code|key/.test(plain)) return compact;
  const capital = words.join(" ").replace(/^./u, (letter) => letter.toUpperCase());
  return [`${capital} {{$uuid}}`, ...compact];
}
