import type { Cause } from "#contracts/test-executioner/attempts.ts";
import { isSafe } from "../../openapi/safe-methods.ts";
import { followRow } from "../found-values.ts";
import type { OpenCapture, TestToRun } from "../test-to-run.ts";
import { findChangedResource } from "./changed-resource.ts";
import { changeNotOwn, explainForeignChange, isBound, leadsToSame, type Origin } from "./foreign-change.ts";

/** Holds a test to what its run made, where its requests leave. */
export interface ChangeGuard {
  /** Why the request is not sent to this origin; undefined if it may be. */
  refuse(origin: string): Cause | undefined;
  /** Why a redirect is not followed, as a sentence. */
  refuseRedirect(sent: string, next: { url: URL; method: string }): string | undefined;
}

type Guarded = Pick<TestToRun, "test" | "row" | "captures" | "findVariable" | "onlyOwn">;

/** Undefined for a test that may change anything, or has a method that changes nothing. */
export function createChangeGuard(run: Guarded): ChangeGuard | undefined {
  const { test, onlyOwn } = run;
  if (!onlyOwn || isSafe(test.method) || onlyOwn.effect === "allowed") return undefined;
  return {
    refuse(origin) {
      if (!isBound(test, onlyOwn.effect)) return undefined;
      const detail = explainForeignChange(test, findChangedResource(test), (name) => findOrigin(run, name, origin));
      return detail === undefined ? undefined : { code: changeNotOwn, detail };
    },
    refuseRedirect(sent, next) {
      if (isSafe(next.method) || leadsToSame(sent, next)) return undefined;
      return `The server redirects ${next.method} to another address, and this run may change only what it created.`;
    },
  };
}

/** By the order in which values precede each other: rows, captures, variables. */
function findOrigin({ row, captures, findVariable, onlyOwn }: Guarded, name: string, origin: string): Origin {
  const beyond = followRow(row, name);
  const capture = captures.findLast((one) => one.name === beyond);
  if (capture) return judgeCapture(capture, origin);
  if (row?.[name] !== undefined) return { isMade: false, why: "comes from the test's data." };
  if (findVariable(name) !== undefined) {
    return { isMade: false, why: onlyOwn?.describeVariable?.(name) ?? "comes from a variable." };
  }
  return { isMade: false, why: name.startsWith("$") ? "is generated." : "has no value." };
}

function judgeCapture({ madeAt, value, isUnique }: OpenCapture, origin: string): Origin {
  if (madeAt === undefined && isUnique) return { isMade: false, why: "is generated, and created nothing so far." };
  if (madeAt === undefined)
    return { isMade: false, why: "was not captured from a response that created something new." };
  if (madeAt !== origin) return { isMade: false, why: `was created at ${madeAt}, not at ${origin}.` };
  // In a path, these would address the list that it is in.
  if (/^\s*(null|\[\]|\{\})?\s*$/.test(value)) return { isMade: false, why: "was captured without a value." };
  return { isMade: true };
}
