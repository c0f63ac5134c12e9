import type { startRun } from "#contracts/test-executioner/run-starts.ts";
import { available } from "~/backend/responses";
import type { Viewer } from "~/session/guards";
import type { CallInput } from "../../../services/kit/client/client.ts";
import { countUnsafe, type MethodCount } from "./count-unsafe.ts";
import { findFailingTests } from "./failing-tests.server.ts";

export interface Runnable {
  /** Enabled tests with methods that change nothing. */
  safe: number;
  all: number;
  unsafe: MethodCount[];
}

/**
 * The tests that a run of all tests of an API starts; undefined if this viewer may not start runs, or it is unknown.
 */
export async function findRunnable(viewer: Viewer, apiId: string): Promise<Runnable | undefined> {
  if (!viewer.may("tests:run")) return undefined;
  const counts = await viewer.backend.testRegistry.countEnabledTests({ params: { apiId } }).then(available);
  if (!counts) return undefined;
  const unsafe = counts.byMethod.filter(({ isSafe }) => !isSafe);
  const sum = (ones: readonly MethodCount[]) => ones.reduce((total, one) => total + one.total, 0);
  const all = sum(counts.byMethod);
  const named = unsafe.map(({ method, total }) => ({ method: method.toUpperCase(), total }));
  return { safe: all - sum(unsafe), all, unsafe: named };
}

/** The confirmation before tests run that may change data. */
export interface RunQuestion {
  intent: "run-all" | "run-failed";
  total: number;
  unsafe: MethodCount[];
}

/** The dialog requested by the address, if there is something to confirm. */
export async function findRunQuestion(
  request: Request,
  viewer: Viewer,
  apiId: string,
  runnable: Runnable | undefined,
): Promise<RunQuestion | undefined> {
  const intent = new URL(request.url).searchParams.get("dialog");
  if (intent === "run-all" && runnable && runnable.unsafe.length > 0) {
    return { intent, total: runnable.all, unsafe: runnable.unsafe };
  }
  if (intent !== "run-failed" || !runnable) return undefined;
  const failing = await findFailingTests(viewer, apiId);
  const unsafe = countUnsafe(failing);
  return unsafe.length > 0 ? { intent, total: failing.length, unsafe } : undefined;
}

const inclusions = { "run-safe": "safe", "run-all": "all" } as const;

/** The run requested by the header's buttons; undefined for any other button. */
export function wholeApiRun(
  form: FormData,
  apiId: string,
): { subject: string; run: CallInput<typeof startRun>["body"] } | undefined {
  const include = inclusions[String(form.get("intent")) as keyof typeof inclusions];
  return include && { subject: include, run: { source: { apiId, include } } };
}
