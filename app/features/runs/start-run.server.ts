import { randomUUID } from "node:crypto";
import { redirect } from "@remix-run/node";
import type { RunSummary, startRun } from "#contracts/test-executioner/runs.ts";
import { problemResponse } from "~/backend/responses";
import { planActions } from "~/features/plans/plan-actions.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
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
  anew?: boolean;
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
    body: { trigger: "manual", joinUnfinished: !start.anew, environments, ...run },
  });
  if (result.ok) return show(result.value);
  if (result.status === 401 || result.status === 403 || result.status === 404) throw problemResponse(result.problem);
  const { errors = [], detail } = result.problem;
  const message = errors.map((error) => error.message).join(". ") || detail;
  const actions = result.status === 402 ? planActions(viewer) : undefined;
  return redirectWithToast(context, otherwise, { title: "Nothing was started", message, variant: "warning", actions });
}
