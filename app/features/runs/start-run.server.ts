import { randomUUID } from "node:crypto";
import { redirect } from "@remix-run/node";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import type { startRun } from "#contracts/test-executioner/run-starts.ts";
import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import { problemResponse } from "~/backend/responses";
import { planActions } from "~/features/plans/plan-actions.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast, type ToastMessage } from "~/session/toast-message";
import type { CallInput } from "../../../services/kit/client/client.ts";
import { findEnvironmentInUse } from "./environment-in-use.server.ts";
import { runKeyField } from "./run-key.tsx";

type RunInput = CallInput<typeof startRun>["body"];

interface Start {
  viewer: Viewer;
  context: PortalContext;
  /** The run's page: among an API's runs, or at its own address. */
  runPage: { apiId: string } | ((runId: string) => string);
  runKey: string;
  /** The tests to run, so that one form may offer several runs. */
  subject: string;
  run: RunInput;
  /** The page that shows why nothing was started. */
  otherwise: string;
  /** Starts even while the same run is in progress, since its tests have just changed. */
  alwaysNew?: boolean;
}

/** Long enough for most single responses, so that without script the run's page usually shows the verdict. */
const waitSeconds = 1;

export const newRunKey = randomUUID;

/** The key of the form, or a new one for a form that has none. */
export function readRunKey(form: FormData): string {
  const key = String(form.get(runKeyField) ?? "");
  return /^[\w-]{8,100}$/.test(key) ? key : newRunKey();
}

/** The environment in the API's header, for tests of that API; circles and repeated runs have their own. */
async function environmentsFor({ viewer, runPage, run: { source } }: Start) {
  if (typeof runPage === "function" || !("tests" in source || "include" in source)) return undefined;
  const chosen = await findEnvironmentInUse(viewer, runPage.apiId);
  return chosen && { [runPage.apiId]: chosen.name };
}

/** Starts a run and redirects to its page, or to the same run already in progress, for example from another tab. */
export async function startAndShow(start: Start): Promise<Response> {
  const { viewer, context, runPage, runKey, subject, run, otherwise } = start;
  const getAddress = (runId: string) =>
    typeof runPage === "function"
      ? runPage(runId)
      : href("/test-management/:apiId/runs/:runId", { apiId: runPage.apiId, runId });
  const show = ({ id }: RunSummary) => redirect(getAddress(id), 303);
  const environments = await environmentsFor(start);
  const result = await viewer.backend.testExecutioner.startRun({
    query: { wait: waitSeconds },
    headers: { "idempotency-key": `${runKey}:${subject}` },
    body: { trigger: "manual", joinUnfinished: !start.alwaysNew, environments, ...run },
  });
  if (result.ok) return show(result.value);
  return redirectWithToast(context, otherwise, toRefusal(viewer, "Nothing was started", result));
}

/** The toast of a refused start; without access the whole page is refused. */
function toRefusal(
  viewer: Viewer,
  title: string,
  { status, problem }: { status: number; problem: ProblemDetails },
): Omit<ToastMessage, "id"> {
  if (status === 401 || status === 403 || status === 404) throw problemResponse(problem);
  const message = problem.errors?.map((error) => error.message).join(". ") || problem.detail;
  return { title, message, variant: "warning", actions: status === 402 ? planActions(viewer) : undefined };
}

const maxNamed = 5;

export interface NamedStart {
  /** For a refusal. */
  name: string;
  idempotencyKey: string;
  run: Pick<RunInput, "source" | "trigger" | "environments">;
}

/**
 * Starts several runs, without waiting for any.
 * @returns the started ones, and a toast that names those that were refused
 */
export async function startEach(
  viewer: Viewer,
  starts: readonly NamedStart[],
): Promise<{ started: RunSummary[]; refusal?: Omit<ToastMessage, "id"> }> {
  const started: RunSummary[] = [];
  const refused: string[] = [];
  let refusal: Omit<ToastMessage, "id"> | undefined;
  for (const { name, idempotencyKey, run } of starts) {
    const result = await viewer.backend.testExecutioner.startRun({
      headers: { "idempotency-key": idempotencyKey },
      body: { trigger: "manual", ...run },
    });
    if (result.ok) {
      started.push(result.value);
      continue;
    }
    refused.push(name);
    const more = refused.length > maxNamed ? [`${refused.length - maxNamed} more`] : [];
    const names = new Intl.ListFormat("en").format([...refused.slice(0, maxNamed), ...more]);
    refusal = toRefusal(viewer, `Not started: ${names}`, result);
  }
  return { started, refusal };
}

/** Starts a run of each of these circles. */
export async function startCircles(
  viewer: Viewer,
  circles: readonly { id: string; name: string }[],
  runKey: string,
  from: { locationId?: string } = {},
): Promise<{ started: number; refusal?: Omit<ToastMessage, "id"> }> {
  const { started, refusal } = await startEach(
    viewer,
    circles.map(({ id, name }) => ({
      ...{ name, idempotencyKey: `${runKey}:circle:${id}` },
      run: { source: { testCircleId: id }, ...from },
    })),
  );
  return { started: started.length, refusal };
}
