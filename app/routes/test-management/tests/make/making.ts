import type { SubmissionResult } from "@conform-to/dom";
import type { Assertion, CheckName } from "#contracts/test-registry/assertions.ts";
import { getPathGroup } from "#libraries/openapi/path-group.ts";
import type { OperationKey } from "~/features/operation/operation-key";
import type { TakenValue } from "./taken-values";
import type { ValueSource } from "./value-sources";

/** An operation on the page of tests to create. */
export interface MakeableOperation extends OperationKey {
  summary: string;
  deprecated: boolean;
  group: string;
  effect: "safe" | "changes" | "deletes";
  testCount: number;
  /** The checks of its test, e.g. "200, schema, content type". */
  checks: string;
  /** Variables that its test needs, by name. */
  needs: string[];
  /** Why its test has to be written by hand. */
  gap: string | undefined;
}

/** A variable that tests need, and its known values. */
export interface NeededValue {
  name: string;
  /** "" where there is none. */
  value: string;
  usedBy: number;
  fromDocument: boolean;
  /** The value of the active environment, which takes precedence. */
  environment?: string;
  /** Operations that probably return one. */
  sources: ValueSource[];
}

export function isMissing({ value, environment }: Pick<NeededValue, "value" | "environment">): boolean {
  return value === "" && environment === undefined;
}

/** The response of a GET for a value, or why it has none. */
export interface Taking extends ValueSource {
  values: TakenValue[];
  refusal?: string;
}

export const valueField = (name: string) => `value:${name}`;

const valueFieldName = /^value:([A-Za-z_][\w-]{0,99})$/;

/** The form's input for values; empty fields are ignored. */
export function typedValues(form: FormData): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([field, text]): [string, string][] => {
      const [, name] = valueFieldName.exec(field) ?? [];
      return name && typeof text === "string" && text !== "" ? [[name, text]] : [];
    }),
  );
}

/** Progress of creating tests for all operations that match. */
export interface Making {
  intent: string;
  cursor?: string;
  /** Number of operations processed. */
  looked: number;
  made: number;
  total: number;
}

/** The action's response where it does not redirect: the selection is kept. */
export interface MakeReply {
  ticked?: string[];
  /** Selects all of this group, or none. */
  group?: { name: string; on: boolean };
  error?: { title: string; message: string; isPlan?: boolean };
  /** Whether to run these too. */
  asks?: { methods: string[]; safe: number; all: number };
  making?: Making;
  /** Unsaved input for values. */
  typed?: Record<string, string>;
  taking?: Taking;
  /** A refused base URL. */
  baseUrl?: SubmissionResult;
}

/** A form's value for an operation. */
export function operationValue({ method, path }: OperationKey): string {
  return `${method} ${path}`;
}

/** Undefined where it identifies none. */
export function readOperation(value: string): OperationKey | undefined {
  const [, method, path] = /^(\S{1,40}) (.{1,4000})$/s.exec(value) ?? [];
  return method && path ? { method, path } : undefined;
}

export function isMakeable({ testCount, gap }: MakeableOperation): boolean {
  return testCount === 0 && gap === undefined;
}

/** Safe operations without a test. */
export function isTickedAtFirst(operation: MakeableOperation): boolean {
  return isMakeable(operation) && operation.effect === "safe";
}

/** By tag like the reference, or without tags by the first part of the path. */
export function getGroup({ tag, path }: { tag: string; path: string }): string {
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
