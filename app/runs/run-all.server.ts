import { available } from "~/backend/answers";
import type { Viewer } from "~/session/guards";
import type { CallInput } from "../../services/kit/client/client.ts";
import type { startRun } from "../../services/test-executioner/contract/runs.ts";

/** What a run of all tests of an API starts; undefined where this viewer may start nothing, or nobody can say. */
export async function findRunnable(viewer: Viewer, apiId: string) {
  if (!viewer.may("tests:run")) return undefined;
  const counts = await viewer.backend.testRegistry.countEnabledTests({ params: { apiId } }).then(available);
  return counts?.byMethod;
}

const inclusions = { "run-safe": "safe", "run-all": "all" } as const;

/** What the buttons of `RunAll` ask for; undefined for any other button. */
export function wholeApiRun(
  form: FormData,
  apiId: string,
): { what: string; run: CallInput<typeof startRun>["body"] } | undefined {
  const include = inclusions[String(form.get("intent")) as keyof typeof inclusions];
  return include && { what: include, run: { source: { apiId, include } } };
}
