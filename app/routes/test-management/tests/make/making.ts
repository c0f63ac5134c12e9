import type { SubmissionResult } from "@conform-to/dom";
import type { PlannedCircle, PlannedStep } from "#contracts/test-analyzer/suite-plans.ts";
import type { Assertion, CheckName } from "#contracts/test-registry/assertions.ts";
import type { OperationKey } from "~/features/operation/operation-key";

/** A circle of the plan as the page displays it. */
export interface DisplayedCircle extends Pick<PlannedCircle, "key" | "name" | "isSafe" | "leaves" | "leftOut"> {
  /** What it sends in order, in one line. */
  line: string;
  /** What it makes and changes, in a sentence. */
  effect: string;
  stepCount: number;
  /** Number of steps that lack values. */
  lackingSteps: number;
  /** Undefined where they would make the page too long. */
  steps: DisplayedStep[] | undefined;
  isOpen?: boolean;
  isTickedAtFirst: boolean;
  /** Names of values without which it, or a part of it, is not created. */
  lacks: string[];
  /** Whether none of it is created without them. */
  lacksAll: boolean;
  /** The circle's page, if it exists. */
  madeAt: string | undefined;
}

export interface DisplayedStep extends OperationKey, Pick<PlannedStep, "phase" | "why"> {
  /** Name of its test. */
  name: string;
  lacks: string[];
}

/** Circles of invalid requests, which accompany the others. */
export interface DisplayedRefusals {
  circles: { name: string; cases: number; madeAt: string | undefined }[];
  /** Of those that do not exist. */
  cases: number;
}

/** Field that says whether invalid requests are sent, too. */
export const invalidField = "invalid";

/** Query parameter of the page: the key of the circle whose steps are displayed in any case. */
export const openedCircle = "steps";

/** A variable that tests need, and its known values. */
export interface NeededValue {
  name: string;
  /** "" where there is none. */
  value: string;
  /** Number of tests. */
  usedBy: number;
  fromDocument: boolean;
  /** Whether the API has a secret variable of this name, whose value is never displayed. */
  isSecret: boolean;
  /** The value of the active environment, which takes precedence. */
  environment?: string;
}

export function isMissing({ value, environment, isSecret }: NeededValue): boolean {
  return value === "" && environment === undefined && !isSecret;
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

/** Progress of creating circles for all operations that match. */
export interface Making {
  intent: string;
  cursor?: string;
  /** Number of operations processed. */
  looked: number;
  /** Number of circles created. */
  made: number;
  /** Number of circles that lack values. */
  lacking: number;
  /** Number of operations. */
  total: number;
  /** Whether circles of invalid requests are created, too. */
  invalid: boolean;
}

/** The action's response where it does not redirect: the selection is kept. */
export interface MakeReply {
  /** Keys of circles; with `tick` of those before its button was pressed. */
  ticked?: string[];
  /** Whether invalid requests are ticked. */
  invalid?: boolean;
  /** Ticks every safe circle, or none. */
  tick?: "safe" | "none";
  error?: { title: string; message: string; isPlan?: boolean };
  /** Whether to run circles that change what is there. */
  asks?: { changing: { name: string; effect: string }[]; all: number };
  /** Whether to run the test of the only operation, which may change data. */
  asksOne?: boolean;
  making?: Making;
  /** Unsaved input for values. */
  typed?: Record<string, string>;
  /** A refused base URL. */
  baseUrl?: SubmissionResult;
}

/** The path and query of an address. */
export function toOwnPath(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
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
