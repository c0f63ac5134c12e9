import { redirect } from "@remix-run/node";
import { required } from "~/backend/responses";
import { runAddress } from "~/features/runs/run-address";
import { readRunKey, startEach } from "~/features/runs/start-run.server";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { plural } from "~/ui/count/plural";
import { readSelected } from "~/ui/selection/selected-field";

interface Selected {
  viewer: Viewer;
  context: PortalContext;
  apiId: string;
  testId: string;
  form: FormData;
  /** The list to return to. */
  list: string;
}

const intents = ["again-selected", "cancel-selected"];

export const isOfSelected = (form: FormData) => intents.includes(String(form.get("intent")));

/** Cancels the ticked executions, or runs their test again: once in each environment that they ran in. */
export async function handleSelectedExecutions(selected: Selected): Promise<Response> {
  const { viewer, context, apiId, testId, form, list } = selected;
  const ids = readSelected(form);
  if (ids.length === 0) {
    return redirectWithToast(context, list, { message: "Select executions first.", variant: "warning" });
  }
  if (form.get("intent") === "cancel-selected") return redirectWithToast(context, list, await cancelAll(viewer, ids));
  const environments = await findEnvironments(viewer, apiId, ids);
  const key = readRunKey(form);
  const { started, refusal } = await startEach(
    viewer,
    environments.map((environment) => ({
      name: environment ?? "the run",
      idempotencyKey: `${key}:again:${testId}:${environment ?? ""}`,
      run: { source: { tests: [testId] }, ...(environment === null ? {} : { environments: { [apiId]: environment } }) },
    })),
  );
  const [only] = started;
  if (environments.length === 1 && only) return redirect(runAddress(apiId, only), 303);
  return redirectWithToast(context, list, refusal ?? `${plural(started.length, "run")} started, one per environment.`);
}

/** Null is the API's own base URL. */
async function findEnvironments({ backend }: Viewer, apiId: string, ids: string[]): Promise<(string | null)[]> {
  const { getExecution, getRun } = backend.testExecutioner;
  const runIds = new Set<string>();
  for (const executionId of ids) runIds.add(required(await getExecution({ params: { executionId } })).runId);
  const environments = new Set<string | null>();
  for (const runId of runIds) {
    const { apis } = required(await getRun({ params: { runId }, query: { limit: 1 } }));
    environments.add(apis.find((api) => api.apiId === apiId)?.environment ?? null);
  }
  return [...environments];
}

async function cancelAll({ backend }: Viewer, ids: string[]) {
  let cancelled = 0;
  for (const executionId of ids) {
    const result = await backend.testExecutioner.cancelExecution({ params: { executionId } });
    if (result.ok) cancelled += 1;
    else if (result.status !== 409) required(result);
  }
  const rest = ids.length - cancelled;
  const restWords = rest > 0 ? `${plural(rest, "selected execution")} had started or ended before.` : "";
  const words = cancelled > 0 ? `${plural(cancelled, "execution")} cancelled. ${restWords}`.trim() : restWords;
  return { message: words, variant: "info" as const };
}
