import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import type { Suggestion } from "#contracts/test-analyzer/suggestions.ts";
import { isRecord } from "#libraries/json/json-value.ts";
import { postpone } from "#libraries/openapi/sample/periods.ts";
import type { InventedValue, MadeSample, SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import { toPlain, toSingular } from "../names.ts";
import { numberPlaceholder } from "./body-placeholders.ts";
import { findIdentified, getLastParameter, getPathThing, isChosenByCaller } from "./member-words.ts";
import { type FindVariable, findNoVariable, toVariableName } from "./needed-value.ts";

import { findTypicalText } from "./typical-texts.ts";
import {
  type BodyMember,
  findChosen,
  findRelatedName,
  findUnique,
  firstAllowed,
  generatedNumbers,
  isProving,
  isText,
  namesOf,
} from "./unique-texts.ts";

type NeededValue = Suggestion["values"][number];

/** A body's value in which what nobody may invent is a placeholder, and the values to ask for. */
export interface NamedBody {
  value: unknown;
  values: NeededValue[];
}

type Operation = Pick<DescribedOperation, "path" | "method">;

/** The variable for a text that is unique in each run, such as `Book {{$uuid}}`: one value for all tests of a run. */
export type NameUnique = (member: readonly string[], template: string) => string;

/** What a run needs of its bodies, in addition to a single valid call. */
export interface RunNames {
  /** Whether the request makes a resource. */
  makes: boolean;
  nameUnique: NameUnique;
  /** Whether a member identifies what is made, and clients choose it. */
  isChosen: (member: readonly string[]) => boolean;
  /** The variable of a resource whose identifier a run can get: instead of a documented one, too. */
  findSupplied: FindVariable;
}

/**
 * Replaces invented members: a reference to another resource and what could not be made become variables, names of new
 * things are unique in each request, an identifier in the body is that of the path. All others stay.
 */
export function nameInvented(
  made: MadeSample,
  operation: Operation,
  source: SampleSource,
  findVariable: FindVariable,
  run?: RunNames & { documented: readonly BodyMember[]; isOptional: boolean },
): NamedBody {
  const values = new Map<string, NeededValue>();
  const checker = new ValueChecker("request", source);
  let { value } = made;
  let isUnique = false;
  const put = (member: InventedValue, replacement: Replacement) => {
    const isNumber = !isText(member);
    if ("variable" in replacement) {
      const { variable } = replacement;
      values.set(variable, { name: variable, parameter: memberName(member), in: "body" });
      value = changedAt(value, member.path, isNumber ? numberPlaceholder(variable) : `{{${variable}}}`);
      return;
    }
    const { template } = replacement;
    isUnique ||= template.includes("{{");
    const named = run && template.includes("{{") ? `{{${run.nameUnique(namesOf(member), template)}}}` : template;
    value = changedAt(value, member.path, isNumber ? numberPlaceholder(named.slice(2, -2)) : named);
  };
  const choose = (member: BodyMember): Replacement | undefined => {
    const template = run?.isChosen(namesOf(member)) ? findChosen(member, operation.path, checker) : undefined;
    return template === undefined ? undefined : { template };
  };
  for (const invented of made.invented) {
    const pointer = toPointer(invented);
    const known = findVariable("body", pointer);
    const replacement =
      choose(invented) ?? (known ? { variable: known } : replace(invented, operation, checker, findVariable));
    if (!replacement) continue;
    // What a run can do without is not asked for.
    const isLeftOut = run?.isOptional && "variable" in replacement && !run.findSupplied("body", pointer);
    if (isLeftOut) value = withoutMember(value, invented.path[0]);
    else put(invented, replacement);
  }
  for (const documented of run?.documented ?? []) {
    const supplied = run!.findSupplied("body", toPointer(documented));
    const replacement =
      choose(documented) ?? (supplied ? { variable: supplied } : replaceDocumented(documented, operation, checker));
    if (replacement) put(documented, replacement);
  }
  if (run && operation.method === "post" && !isUnique) {
    // Made twice, it would be refused or be the same: one of its names is unique.
    const members = [...made.invented, ...run.documented];
    const template = members.map((member) => [member, findRelatedName(member, operation.path, checker)] as const);
    const [named, text] = template.find(([, one]) => one !== undefined) ?? [];
    if (named && text !== undefined) put(named, { template: text });
  }
  return { value, values: [...values.values()] };
}

/** A documented name or identifier of a new thing would be that of an older one the second time. */
function replaceDocumented(member: BodyMember, operation: Operation, checker: ValueChecker): Replacement | undefined {
  const template = findUnique(member, operation.path, checker);
  if (template !== undefined) return { template };
  const { example } = member;
  const later = typeof example === "string" ? postpone(String(member.path.at(-1)), example) : example;
  if (typeof later === "string" && later !== example) return { template: later };
  const isMade = operation.method === "post" && getLastParameter(operation.path) === undefined;
  const thing = member.path.length === 1 ? findIdentified(String(member.path[0]))?.thing : undefined;
  const isOwn = thing !== undefined && (thing === "" || toPlain(thing) === toPlain(getPathThing(operation.path)));
  return isMade && isOwn ? identify(thing, member, operation, checker, findNoVariable) : undefined;
}

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

/** `template` is a value with generated parts, or without any. */
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
  if (isProving(name, path) || /(^|[a-z_-])token$/i.test(name)) return { variable: toVariable(name, "", resource) };
  const identified = findIdentified(name) ?? (invented.schema.format === "uuid" ? { thing: name } : undefined);
  if (identified) return identify(identified.thing || owner, invented, { path, method }, checker, findVariable);
  const isPlain = isText(invented) && invented.schema.format === undefined && invented.schema.pattern === undefined;
  const typical = isPlain ? findTypicalText(name) : undefined;
  const template =
    findUnique(invented, path, checker) ??
    (typical === undefined ? undefined : firstAllowed([typical], invented, checker));
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
    : generatedNumbers;
  const template = firstAllowed(templates, invented, checker);
  return template === undefined ? undefined : { template };
}

/** `customerId`, `categoryId` for `category.id` and for an item of `categoryIds`. */
function toVariable(name: string, owner: string, resource: string): string {
  const isGeneric = /^_?(id|ids|uuid|guid|key|code|value)$/i.test(name);
  const singular = toSingular(name.replace(/^_/, ""));
  const words = isGeneric ? [owner || resource, singular] : [singular];
  return toVariableName({ name: words.filter(Boolean).join(" "), in: "body" }, "");
}

function withoutMember(value: unknown, name: string | number | undefined): unknown {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)) : value;
}

function changedAt(value: unknown, [step, ...rest]: InventedValue["path"], changed: string): unknown {
  if (step === undefined) return changed;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? changedAt(item, rest, changed) : item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === step ? changedAt(member, rest, changed) : member]),
  );
}
