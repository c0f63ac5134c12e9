import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import type { Suggestion } from "#contracts/test-analyzer/suggestions.ts";
import { isRecord } from "#libraries/json/json-value.ts";
import type { InventedValue, MadeSample, SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import { toPlain, toSingular } from "../names.ts";
import { listInstances, numberPlaceholder } from "./body-placeholders.ts";
import { findIdentified, getLastParameter, getPathThing, isChosenByCaller, isNaming } from "./member-words.ts";
import { type FindVariable, toVariableName } from "./needed-value.ts";

type NeededValue = Suggestion["values"][number];

/** A body's value in which what nobody may invent is a placeholder, and the values to ask for. */
export interface NamedBody {
  value: unknown;
  values: NeededValue[];
}

type Operation = Pick<DescribedOperation, "path" | "method">;

/** Operations that prove who somebody is: a name that nobody has is refused. */
const signsIn = /^(login|log-?in|sign-?in|signin|authenticate|authentication|token|sessions?)$/i;
const proving = /^(email|emailaddress|mail|user|username|login|password|identifier)$/;

/**
 * Replaces invented members: a reference to another resource and what could not be made become variables, names of new
 * things are unique in each request, an identifier in the body is that of the path. All others stay.
 */
export function nameInvented(
  made: MadeSample,
  operation: Operation,
  source: SampleSource,
  findVariable: FindVariable,
): NamedBody {
  const values = new Map<string, NeededValue>();
  const checker = new ValueChecker("request", source);
  let { value } = made;
  for (const invented of made.invented) {
    const known = findVariable("body", toPointer(invented));
    const replacement = known ? { variable: known } : replace(invented, operation, checker, findVariable);
    if (!replacement) continue;
    const isNumber = !isText(invented);
    if ("variable" in replacement) {
      const { variable } = replacement;
      values.set(variable, { name: variable, parameter: memberName(invented), in: "body" });
      value = changedAt(value, invented.path, isNumber ? numberPlaceholder(variable) : `{{${variable}}}`);
    } else
      value = changedAt(
        value,
        invented.path,
        isNumber ? numberPlaceholder(replacement.template.slice(2, -2)) : replacement.template,
      );
  }
  return { value, values: [...values.values()] };
}

const isText = ({ schema }: InventedValue) => !["integer", "number"].includes(getSchemaType(schema) ?? "string");

const namesOf = ({ path }: InventedValue) => path.filter((step): step is string => typeof step === "string");

/** As the graph writes it: RFC 6901, with `-` for any item of a list. */
function toPointer({ path }: InventedValue): string {
  return path
    .map((step) => (typeof step === "number" ? "/-" : `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`))
    .join("");
}

/** `category.id` */
function memberName(invented: InventedValue): string {
  return namesOf(invented).join(".").slice(0, 500) || "body";
}

type Replacement = { variable: string } | { template: string };

function replace(
  invented: InventedValue,
  { path, method }: Operation,
  checker: ValueChecker,
  findVariable: FindVariable,
): Replacement | undefined {
  const names = namesOf(invented);
  const name = names.at(-1) ?? "";
  const owner = toSingular(names.at(-2) ?? "");
  const resource = getPathThing(path);
  if (invented.isMissing) return { variable: toVariable(name, owner, resource) };
  const isProving = signsIn.test(path.split("/").at(-1) ?? "") && proving.test(toPlain(name));
  if (isProving || /(^|[a-z_-])token$/i.test(name)) return { variable: toVariable(name, "", resource) };
  const identified = findIdentified(name) ?? (invented.schema.format === "uuid" ? { thing: name } : undefined);
  if (identified) return identify(identified.thing || owner, invented, { path, method }, checker, findVariable);
  // The same text would be sent for each of several items.
  const isRepeated = invented.path.some((step) => typeof step === "number" && step > 0);
  if (!isNaming(name, resource) || isRepeated || !isText(invented)) return undefined;
  const template = listUnique(name, owner || resource).find((text) => isAllowed(text, invented, checker));
  return template === undefined ? undefined : { template };
}

/** The identifier of this resource is in the path, or chosen here; that of another one is asked for. */
function identify(
  thing: string,
  invented: InventedValue,
  { path, method }: Operation,
  checker: ValueChecker,
  findVariable: FindVariable,
): Replacement | undefined {
  const resource = getPathThing(path);
  const isOwn = thing === "" || toPlain(thing) === toPlain(resource);
  const last = getLastParameter(path);
  if (isOwn && last !== undefined) {
    return { variable: findVariable("path", last) ?? toVariableName({ name: last, in: "path" }, path) };
  }
  const isChosen = isChosenByCaller(thing) || (isOwn && (method === "post" || method === "put"));
  if (!isChosen)
    return {
      variable: toVariable(namesOf(invented).at(-1) ?? "", toSingular(namesOf(invented).at(-2) ?? ""), resource),
    };
  const templates = isText(invented)
    ? ["{{$uuid}}", `${toPlain(resource) || "id"}-{{$uuid}}`, "{{$timestamp}}", "{{$randomInt}}"]
    : ["{{$timestamp}}", "{{$randomInt}}"];
  const template = templates.find((text) => isAllowed(text, invented, checker));
  return template === undefined ? undefined : { template };
}

/** `customerId`, `categoryId` for `category.id` and for an item of `categoryIds`. */
function toVariable(name: string, owner: string, resource: string): string {
  const isGeneric = /^_?(id|ids|uuid|guid|key|code|value)$/i.test(name);
  const singular = toSingular(name.replace(/^_/, ""));
  const words = isGeneric ? [owner || resource, singular] : [singular];
  return toVariableName({ name: words.filter(Boolean).join(" "), in: "body" }, "");
}

function listUnique(name: string, thing: string): string[] {
  const plain = toPlain(name);
  const word = toPlain(thing) || "test";
  if (plain.includes("email")) return ["user-{{$uuid}}@example.com", "u{{$timestamp}}@example.com"];
  const compact = [`${word}-{{$uuid}}`, "{{$uuid}}", `${word}{{$timestamp}}`, "{{$timestamp}}", "{{$randomInt}}"];
  if (/username|login|slug|handle|code|key/.test(plain)) return compact;
  const capital = word[0]!.toUpperCase() + word.slice(1);
  return [`${capital} {{$uuid}}`, ...compact];
}

function isAllowed(template: string, invented: InventedValue, checker: ValueChecker): boolean {
  const isNumber = !isText(invented);
  return listInstances(template).every((text) => checker.isValid(isNumber ? Number(text) : text, invented.schema));
}

function changedAt(value: unknown, [step, ...rest]: InventedValue["path"], changed: string): unknown {
  if (step === undefined) return changed;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? changedAt(item, rest, changed) : item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === step ? changedAt(member, rest, changed) : member]),
  );
}
