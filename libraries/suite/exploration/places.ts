import type { OperationParameter, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Pair } from "#contracts/test-registry/requests.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { isRecord, type JsonRecord, toTexts } from "#libraries/json/json-value.ts";
import { isDescribedElsewhere, isFraming } from "#libraries/openapi/header-names.ts";
import { toParameterRows } from "#libraries/openapi/parameter-rows.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { preferredContent } from "#libraries/openapi/sample-body.ts";
import { flattenSchema, listObjectMembers } from "#libraries/openapi/schema-parts.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";
import { splitName, toPlain, toReferredThing } from "../names.ts";
import { toText } from "../negative/broken-body.ts";
import type { PlannedCall } from "../plan/calls.ts";
import { marksDeletion } from "../plan/objects.ts";

/** Where a request has a value that can be another one: a parameter, or a member of its JSON body. */
export interface Place {
  /** As `query limit` or `body /price/amount`. */
  key: string;
  /** In sentences. */
  name: string;
  schema: unknown;
  /** Of the valid call; undefined where it sends none. */
  usual: unknown;
  mayBeAbsent: boolean;
  /** It refers to something, or only its server knows which values are good: a refusal says nothing. */
  mayRefuse: boolean;
  parameter?: OperationParameter;
  /** Members that lead to it. */
  path: readonly string[];
}

/** Another value of a place; undefined: not sent. */
export interface Change {
  place: Place;
  value: unknown;
}

const knownByServer =
  /(^|[a-z_-])(ids?|uuid|token|password|secret|code|ur[il]|key|hash|e?mail|phone|country|currency|locale|language|timezone|zone|iban|vat|cursor|after|before|username|login|slug|path|query|expression|cron)$/i;

/** The places of a valid call that are not what a run supplies. */
export function listPlaces(described: OperationWithComponents, call: PlannedCall): Place[] {
  return [...listParameters(described, call), ...listMembers(described, call)];
}

function listParameters({ operation, components, securitySchemes }: OperationWithComponents, { test }: PlannedCall) {
  const proving = new Set(securitySchemes.map((one) => `${one.in} ${one.parameterName?.toLowerCase()}`));
  const source = { find: (reference: string) => components[reference] };
  return operation.parameters.flatMap((parameter): Place[] => {
    const { name, required } = parameter;
    if (parameter.in === "querystring" || proving.has(`${parameter.in} ${name.toLowerCase()}`)) return [];
    if (parameter.in === "header" && (isDescribedElsewhere(name) || isFraming(name) || /^if-/i.test(name))) return [];
    // A path names what is changed.
    if (parameter.in === "path" && !isSafe(operation.method)) return [];
    const row = rowsOf(test, parameter).find((one) => isNamed(one, name) && one.enabled);
    const isSupplied = row?.value.includes("{{") === true;
    if (isSupplied && parameter.in !== "path") return [];
    const usual = row ? (parameter.sample ?? row.value) : undefined;
    const isFree = parameter.in !== "path" && !isOpen(name, flattenSchema(parameter.schema, source));
    return [
      {
        ...{ key: `${parameter.in} ${name}`, name, schema: parameter.schema, usual, path: [], parameter },
        mayBeAbsent: !required && parameter.in !== "path",
        mayRefuse: !isFree,
      },
    ];
  });
}

function listMembers(described: OperationWithComponents, { test, sent, generated }: PlannedCall): Place[] {
  const { operation, components } = described;
  const content = operation.requestBody && preferredContent(operation.requestBody.content);
  if (!content || test.request.body.kind !== "json" || sent === undefined) return [];
  const source = { find: (reference: string) => components[reference] };
  const places: Place[] = [];
  visit(content.schema, sent, []);
  return places;

  function visit(schema: unknown, value: unknown, path: readonly string[]): void {
    if (!isRecord(value)) return;
    const required = new Set(toTexts(flattenSchema(schema, source)?.required));
    for (const [name, member] of listObjectMembers(schema, source)) {
      const usual = Object.hasOwn(value, name) ? value[name] : undefined;
      if (member.readOnly === true || marksDeletion(name)) continue;
      const own = [...path, name];
      if (isRecord(usual) && getSchemaType(member) === "object" && path.length < 3) visit(member, usual, own);
      // What a run supplies stays, in a list, too.
      else if (!isReference(name, usual, generated)) {
        places.push({
          ...{ key: `body /${own.join("/")}`, name: own.join("."), schema: member, usual, path: own },
          mayBeAbsent: !required.has(name),
          mayRefuse: isOpen(name, member),
        });
      }
    }
  }
}

/** Whether a value is that of something else: what a run captured, or a name by which only others are known. */
function isReference(name: string, usual: unknown, generated: PlannedCall["generated"]): boolean {
  const isCaptured = listPlaceholders(JSON.stringify(usual) ?? "").some((one) => !generated.has(one));
  return isCaptured || splitName(name).identifier === "id" || toReferredThing(name) !== undefined;
}

/** Whether a server may know better which texts are good than the document says. */
function isOpen(name: string, schema: JsonRecord | undefined): boolean {
  if (!schema) return true;
  const isListed = schema.enum !== undefined || schema.pattern !== undefined;
  const isDate = schema.format === "date" || schema.format === "date-time";
  return isDate || (!isListed && getSchemaType(schema) === "string" && knownByServer.test(toPlain(name)));
}

const isNamed = (row: Pair, name: string) => row.name.toLowerCase() === name.toLowerCase();

const rowFields = { path: "pathParameters", query: "query", header: "headers", cookie: "cookies" } as const;

function rowsOf({ request }: TestInput, { in: location }: OperationParameter): Pair[] {
  return location === "querystring" ? [] : request[rowFields[location]];
}

/** The valid call with other values, and its JSON body's value. */
export function applyChanges<Sent extends Pick<PlannedCall, "test" | "sent">>(
  { components }: OperationWithComponents,
  { test, sent }: Sent,
  changes: readonly Change[],
): Pick<PlannedCall, "sent"> & { test: TestInput } {
  const request = { ...test.request };
  let body = sent;
  for (const { place, value } of changes) {
    const { parameter, path } = place;
    if (!parameter) body = setAt(body, path, value);
    else if (parameter.in !== "querystring") {
      const field = rowFields[parameter.in];
      const others = request[field].filter((row) => !isNamed(row, parameter.name));
      const rows = value === undefined ? [] : toParameterRows(parameter, value, components);
      request[field] = [...others, ...rows.map((row) => ({ ...row, enabled: true }))];
    }
  }
  if (body !== sent && request.body.kind === "json") request.body = { ...request.body, text: toText(body) };
  return { test: { ...test, request }, sent: body };
}

function setAt(value: unknown, [step, ...rest]: readonly string[], changed: unknown): unknown {
  if (step === undefined) return changed;
  const { [step]: before, ...others } = isRecord(value) ? value : {};
  const after = setAt(before, rest, changed);
  // In the order in which the document has them.
  if (after === undefined) return others;
  return isRecord(value) && Object.hasOwn(value, step) ? { ...value, [step]: after } : { ...others, [step]: after };
}

const longestShown = 60;

/** `title: "Zoë"`, `without pages` */
export function describeChange({ place, value }: Change): string {
  if (value === undefined) return `without \`${place.name}\``;
  const text = JSON.stringify(value) ?? "null";
  if (text.length <= longestShown) return `\`${place.name}: ${text}\``;
  const size = typeof value === "string" ? ` (${[...value].length.toLocaleString("en")} characters)` : "";
  return `\`${place.name}: ${text.slice(0, longestShown - 1)}…\`${size}`;
}
