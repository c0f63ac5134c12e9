import type { Json } from "#libraries/json/json.ts";
import { getMember, isRecord, type JsonRecord, toTexts } from "#libraries/json/json-value.ts";
import { writeJson } from "#libraries/json/write-json.ts";
import { isHiddenIn } from "#libraries/openapi/sample/sample-source.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import { writePlaceholders } from "../suggestion/body-placeholders.ts";
import type { BrokenRule } from "./broken-rule.ts";
import { listBrokenValues } from "./broken-values.ts";
import { breaksOnly, readPlainSchema } from "./plain-schema.ts";
import { fillSent } from "./sent-body.ts";

type Path = readonly (string | number)[];

const maxDepth = 3;
/** Values of one body that are checked by its whole schema. */
const maxChecks = 400;
const undocumented = "notDocumented";

/**
 * The rules of a JSON body that a request can break one by one.
 * @param sent a valid body, with placeholders
 * @returns none if it isn't valid, or can't be checked
 */
export function listBrokenBodies(schema: unknown, sent: unknown, source: SampleSource): BrokenRule[] {
  const checker = () => new ValueChecker("request", source);
  const filled = fillSent(sent, schema, source);
  if (filled === undefined) return [];
  const rules: BrokenRule[] = [];
  let checks = 0;
  visit(schema, filled.value, [], 0);
  return rules;

  function visit(raw: unknown, value: unknown, path: Path, rank: number, isRequired = false): void {
    const plain = path.length > maxDepth * 2 || checks >= maxChecks ? undefined : readPlainSchema(raw, source);
    if (!plain) return;
    breakValue(plain, path, rank, isRequired);
    if (isRecord(value)) visitMembers(plain, value, path, rank);
    else if (Array.isArray(value) && value.length > 0 && plain.items !== undefined) {
      visit(plain.items, value[0], [...path, 0], rank + 2);
    }
  }

  function breakValue(plain: JsonRecord, path: Path, rank: number, isRequired: boolean): void {
    const broken = new Set<string>();
    for (const one of listBrokenValues(plain)) {
      // Many clients write null for what they leave out.
      if (broken.has(one.rule) || (one.rule === "null" && !isRequired)) continue;
      const name = `${subjectOf(path)} ${one.words}`;
      const change = (before: unknown) => one.change(before);
      if (breaksOnly(change(valueAt(filled!.value, path)), one.keyword, plain, source)) {
        if (offer(name, path, path, one.keyword, rank + one.rank, change)) broken.add(one.rule);
      }
    }
  }

  function visitMembers(plain: JsonRecord, value: JsonRecord, path: Path, rank: number): void {
    const required = new Set(toTexts(plain.required));
    for (const name of required) {
      const schemaOfMember = getMember(plain.properties, name);
      if (!Object.hasOwn(value, name) || isHiddenIn("request", schemaOfMember, source)) continue;
      offer(`${subjectOf([...path, name])} is missing`, path, path, "required", rank, (before) =>
        without(before, name),
      );
    }
    for (const [name, member] of Object.entries(isRecord(plain.properties) ? plain.properties : {})) {
      if (isHiddenIn("request", member, source)) continue;
      const isSent = Object.hasOwn(value, name);
      const isRequired = required.has(name);
      visit(member, isSent ? value[name] : undefined, [...path, name], rank + (isRequired ? 0 : 1), isRequired);
    }
    if (plain.additionalProperties !== false) return;
    const where = path.length === 0 ? "a member" : `a member of ${subjectOf(path)}`;
    offer(
      `${where} that is not documented`,
      path,
      [...path, undocumented],
      "additionalProperties",
      rank + 4,
      (before) => ({
        ...(before as JsonRecord),
        [undocumented]: "a",
      }),
    );
  }

  /** Keeps it if exactly one rule is broken, here and nowhere else. */
  function offer(
    name: string,
    changedAt: Path,
    faultAt: Path,
    keyword: string,
    rank: number,
    change: (before: unknown) => unknown,
  ): boolean {
    checks += 1;
    const faults = checker().listFaults(changeAt(filled!.value, changedAt, change), schema);
    const [fault] = faults;
    if (faults.length !== 1 || fault!.path.join("/") !== faultAt.join("/")) return false;
    const text = toText(changeAt(filled!.sent, changedAt, change));
    rules.push({ name, in: "body", parameter: "", path: faultAt, keyword, text, rank });
    return true;
  }
}

/** A body as it is sent, on one line. */
export function toText(value: unknown): string {
  return writePlaceholders(writeJson(value as Json));
}

function without(value: unknown, name: string): unknown {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)) : value;
}

function changeAt(value: unknown, [step, ...rest]: Path, change: (before: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? changeAt(item, rest, change) : item));
  const record = isRecord(value) ? value : {};
  return { ...record, [step]: changeAt(getMember(record, String(step)), rest, change) };
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (part, step) => (Array.isArray(part) ? part[Number(step)] : getMember(part, String(step))),
    value,
  );
}

/** `author.name`, `tags[0]`; the body itself without a path. */
function subjectOf(path: Path): string {
  if (path.length === 0) return "the body";
  return path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");
}
