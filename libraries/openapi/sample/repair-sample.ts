import { isRecord, type JsonRecord, toList } from "../../json/json-value.ts";
import { placeholderText } from "../placeholder-text.ts";
import type { MadeSample } from "./maker.ts";
import type { SampleFault, ValuePath } from "./sample-fault.ts";
import type { ValueChecker } from "./value-checker.ts";

const maxRepairs = 10;

/**
 * The sample without optional members that violate their schemas, and with placeholders for required ones; undefined
 * when the rest is not valid either. Several matching alternatives of `oneOf` are accepted: they are the document's.
 */
export function repairSample(made: MadeSample, schema: unknown, checker: ValueChecker): MadeSample | undefined {
  let { value, invented } = made;
  for (let repairs = 0; ; repairs += 1) {
    const missing = invented.filter(({ isMissing }) => isMissing).map(({ path }) => path);
    const isInvented = (path: ValuePath) => invented.some((one) => isSamePath(path, one.path));
    const faults = checker.listFaults(value, schema).filter(({ keyword, path }) => {
      const isTolerated = keyword === "oneOf" || (keyword === "unknownPattern" && !isInvented(path));
      return !isTolerated && !missing.some((other) => isSamePath(path, other));
    });
    const [fault] = faults;
    if (!fault) return { value, invented };
    if (repairs === maxRepairs) return undefined;
    const without = withoutFault(
      value,
      fault,
      faults.length,
      (candidate) => checker.listFaults(candidate, schema).length,
    );
    if (without) {
      value = without.value;
      invented = invented.filter(({ path }) => !startsWith(path, without.path));
      continue;
    }
    const name = fault.path.filter((step) => typeof step === "string").at(-1);
    const wrong = valueAt(value, fault.path);
    if (name === undefined || !(typeof wrong === "string" || typeof wrong === "number")) return undefined;
    const known = invented.find(({ path }) => isSamePath(path, fault.path));
    value = changedAt(value, fault.path, placeholderText(name));
    invented = [
      ...invented.filter((one) => one !== known),
      { path: fault.path, schema: known?.schema ?? { type: typeof wrong }, isMissing: true },
    ];
  }
}

function withoutFault(
  value: unknown,
  { path }: SampleFault,
  count: number,
  countFaults: (value: unknown) => number,
): { value: unknown; path: ValuePath } | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const shorter = path.slice(0, length);
    const candidate = changedAt(value, shorter, undefined);
    if (countFaults(candidate) < count) return { value: candidate, path: shorter };
  }
  return undefined;
}

/** A copy with another value at the path; undefined removes it. */
function changedAt(value: unknown, [step, ...rest]: ValuePath, changed: unknown): unknown {
  if (step === undefined) return changed;
  if (Array.isArray(value)) {
    const inner = changedAt(value[Number(step)], rest, changed);
    return value.flatMap((item, index) => (index !== step ? [item] : inner === undefined ? [] : [inner]));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inner = name === step ? changedAt(member, rest, changed) : member;
      return inner === undefined ? [] : [[name, inner]];
    }),
  );
}

function valueAt(value: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>(
    (found, step) => toList(found)[Number(step)] ?? (found as JsonRecord | undefined)?.[step],
    value,
  );
}

function isSamePath(one: ValuePath, other: ValuePath): boolean {
  return one.length === other.length && startsWith(one, other);
}

function startsWith(path: ValuePath, start: ValuePath): boolean {
  return start.every((step, index) => path[index] === step);
}
