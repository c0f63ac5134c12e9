import type { Cause } from "#contracts/test-executioner/attempts.ts";
import type { Clock } from "../clock/clock.ts";
import { listPlaceholders } from "../template/placeholders.ts";
import type { TestResult, TestToRun } from "./test-to-run.ts";
import { missingVariable } from "./unsendable.ts";
import type { TemplateRenderer } from "./variables.ts";

/** Why a test has nothing to remove; undefined if it failed to be built for another reason. */
export async function explainNothing(
  { test, explainNeverMade }: Pick<TestToRun, "test" | "explainNeverMade">,
  { code }: Cause,
  { missing }: TemplateRenderer,
): Promise<Cause | undefined> {
  if (code !== missingVariable || !explainNeverMade) return undefined;
  const identifying = listIdentifying(test.request).filter((name) => missing.has(name));
  const detail = identifying.length > 0 ? await explainNeverMade(identifying) : undefined;
  return detail === undefined ? undefined : { code: "nothing_to_remove", detail };
}

/** Names in the path, the query and the body: without a header's, something may be there all the same. */
function listIdentifying({ pathParameters, query, body }: TestToRun["test"]["request"]): string[] {
  const pairs = [...pathParameters, ...query].filter(({ enabled }) => enabled);
  return listPlaceholders(JSON.stringify([pairs, body]));
}

/** The result of a test that was not sent, since there is nothing to do. */
export function skip({ clock }: { clock: Clock }, cause: Cause): TestResult {
  return {
    verdict: "skipped",
    cause,
    ...{ attempts: [], attemptCount: 0, verifications: [], captures: [] },
    ...{ statusCode: null, responseMilliseconds: null, sendingMilliseconds: null, finishedAt: clock.now() },
  };
}
