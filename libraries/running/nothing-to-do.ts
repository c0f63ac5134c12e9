import type { Cause } from "#contracts/test-executioner/attempts.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import type { Clock } from "../clock/clock.ts";
import { listPlaceholders } from "../template/placeholders.ts";
import type { OpenCapture, TestResult, TestToRun } from "./test-to-run.ts";
import { missingVariable } from "./unsendable.ts";
import type { TemplateRenderer } from "./variables.ts";

/** Why a test has nothing to do; undefined if it failed to be built for another reason. */
export async function explainNothing(
  { test, row, explainNothingToDo }: Pick<TestToRun, "test" | "row" | "explainNothingToDo">,
  { code }: Cause,
  { missing }: TemplateRenderer,
): Promise<Cause | undefined> {
  if (code !== missingVariable || missing.size === 0) return undefined;
  const names = listIdentifying(test.request).flatMap((name) => [name, ...listPlaceholders(row?.[name] ?? "")]);
  const identifying = [...new Set(names)].filter((name) => missing.has(name));
  return await explainNothingToDo?.({ all: [...missing], identifying });
}

function listIdentifying({ pathParameters, query, body }: TestToRun["test"]["request"]): string[] {
  const pairs = [...pathParameters, ...query].filter(({ enabled }) => enabled);
  return listPlaceholders(JSON.stringify([pairs, body]));
}

/** The result of a test that was not sent, since there is nothing to do. Its own optional captures have no value. */
export function skip({ clock }: { clock: Clock }, { captures }: Pick<Test, "captures">, cause: Cause): TestResult {
  return {
    verdict: "skipped",
    cause,
    ...{ attempts: [], attemptCount: 0, verifications: [], captures: listAbsent(captures, {}) },
    ...{ statusCode: null, responseMilliseconds: null, sendingMilliseconds: null, finishedAt: clock.now() },
  };
}

/** Optional captures that found nothing: their names have no value from then on, even if an earlier member captured one. */
export function listAbsent(captures: Test["captures"], captured: Record<string, string>): OpenCapture[] {
  return captures.flatMap(({ name, optional }) =>
    optional && captured[name] === undefined ? [{ name, isSecret: false, value: "", isAbsent: true }] : [],
  );
}
