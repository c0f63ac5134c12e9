import type { SubmissionResult } from "@conform-to/dom";
import type { Assertion, CheckName } from "#contracts/test-registry/assertions.ts";
import { getPathGroup } from "#libraries/openapi/path-group.ts";
import type { OperationKey } from "~/features/operation/operation-key";
import type { TakenValue } from "./taken-values";
import type { ValueSource } from "./value-sources";

/** An operation as the page of tests to make shows it. */
export interface MakeableOperation extends OperationKey {
  summary: string;
  deprecated: boolean;
  group: string;
  effect: "safe" | "changes" | "deletes";
  testCount: number;
  /** What its test will check, as in "200, schema, content type". */
  checks: string;
  /** Variables that its test needs, by name. */
  needs: string[];
  /** Why no test can be made of it without a person. */
  gap: string | undefined;
}

/** A variable that tests need, and what is known of it. */
export interface NeededValue {
  name: string;
  /** "" where there is none. */
  value: string;
  usedBy: number;
  fromDocument: boolean;
  /** Of the environment in use, where it gives a value of its own, which goes before this one. */
  environment?: string;
  /** Operations that probably answer with one. */
  sources: ValueSource[];
}

export function isMissing({ value, environment }: Pick<NeededValue, "value" | "environment">): boolean {
  return value === "" && environment === undefined;
}

/** What a GET answered with for a value, or why it has none. */
export interface Taking extends ValueSource {
  values: TakenValue[];
  refusal?: string;
}

export const valueField = (name: string) => `value:${name}`;

const valueFieldName = /^value:([A-Za-z_][\w-]{0,99})$/;

/** What the form says for values; an empty field says nothing. */
export function typedValues(form: FormData): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([field, text]): [string, string][] => {
      const [, name] = valueFieldName.exec(field) ?? [];
      return name && typeof text === "string" && text !== "" ? [[name, text]] : [];
    }),
  );
}

/** How far tests of all operations that match have come. */
export interface Making {
  intent: string;
  cursor?: string;
  /** Operations that were looked at. */
  looked: number;
  made: number;
  total: number;
}

/** What the page is answered with where nothing leads on: what was ticked stays. */
export interface MakeReply {
  ticked?: string[];
  /** All of this group are to be ticked, or none. */
  group?: { name: string; on: boolean };
  fault?: { title: string; message: string; isPlan?: boolean };
  /** Whether to run these too. */
  asks?: { methods: string[]; safe: number; all: number };
  making?: Making;
  /** What was typed for values, and is not saved. */
  typed?: Record<string, string>;
  taking?: Taking;
  /** A base URL that was refused. */
  baseUrl?: SubmissionResult;
}

/** What a form calls an operation. */
export function operationValue({ method, path }: OperationKey): string {
  return `${method} ${path}`;
}

/** Undefined for what names none. */
export function readOperation(value: string): OperationKey | undefined {
  const [, method, path] = /^(\S{1,40}) (.{1,4000})$/s.exec(value) ?? [];
  return method && path ? { method, path } : undefined;
}

export function isMakeable({ testCount, gap }: MakeableOperation): boolean {
  return testCount === 0 && gap === undefined;
}

/** Safe ones, unless they have a test already. */
export function isTickedAtFirst(operation: MakeableOperation): boolean {
  return isMakeable(operation) && operation.effect === "safe";
}

/** By tag as the reference, or where there is none by the first part of the path. */
export function groupOf({ tag, path }: { tag: string; path: string }): string {
  return tag || getPathGroup(path);
}

const words: Partial<Record<CheckName, string>> = {
  response_schema_conformance: "schema",
  content_type_conformance: "content type",
};

/** "200 or 201, schema, content type" */
export function checksInWords({ assertions, checks }: { assertions: Assertion[]; checks: CheckName[] }): string {
  const [status] = assertions;
  const target = [status?.target].flat();
  const statuses = status?.comparison === "between" ? `${String(target[0])[0]}XX` : target.join(" or ");
  return [
    statuses,
    ...Object.entries(words).flatMap(([name, word]) => (checks.includes(name as CheckName) ? word : [])),
  ]
    .filter(Boolean)
    .join(", ");
}
