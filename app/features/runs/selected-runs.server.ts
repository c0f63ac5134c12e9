import { redirect } from "@remix-run/node";
import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import { required } from "~/backend/responses";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import { requireScope, type Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { plural } from "~/ui/count/plural";
import { readSelected } from "~/ui/selection/selected-field";
import type { MethodCount } from "./count-unsafe.ts";
import { runAddress } from "./run-address.ts";
import { runTitle } from "./run-words.ts";
import { readRunKey, startEach } from "./start-run.server.ts";

/** The question before runs are repeated that send requests that may change data. */
export interface RepetitionQuestion {
  ids: string[];
  unsafe: MethodCount[];
}

interface Selected {
  viewer: Viewer;
  context: PortalContext;
  /** Undefined in a list of all APIs: each run is looked at in the first of its own. */
  apiId: string | undefined;
  form: FormData;
  /** The list to return to. */
  list: string;
}

/** Compares, cancels or repeats the ticked runs of a list. */
export async function handleSelectedRuns(selected: Selected): Promise<Response | { requested: RepetitionQuestion }> {
  const { viewer, context, form, list } = selected;
  const ids = readSelected(form);
  if (ids.length === 0) {
    return redirectWithToast(context, list, { message: "Select runs first.", variant: "warning" });
  }
  switch (form.get("intent")) {
    case "compare-selected":
      return await compare(selected, ids);
    case "cancel-selected":
      requireScope(viewer, "tests:run");
      return redirectWithToast(context, list, await cancelAll(viewer, ids));
    case "again-selected":
      requireScope(viewer, "tests:run");
      return await repeat(selected, ids);
  }
  throw new Response("No such action.", { status: 400 });
}

async function findRun({ backend }: Viewer, runId: string): Promise<RunSummary> {
  return required(await backend.testExecutioner.getRun({ params: { runId }, query: { limit: 1 } }));
}

async function compare({ viewer, context, apiId, list }: Selected, ids: string[]): Promise<Response> {
  const refuse = (message: string) => redirectWithToast(context, list, { message, variant: "warning" });
  if (ids.length !== 2) return refuse("Select two runs to compare them.");
  const runs = await Promise.all(ids.map((id) => findRun(viewer, id)));
  if (runs.some(({ finishedAt }) => !finishedAt)) return refuse("Runs can be compared once both have ended.");
  const [before, after] = runs.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const address = href("/test-management/:apiId/runs/:runId/comparison", {
    ...{ apiId: apiId ?? after!.apis[0]!.apiId, runId: after!.id },
  });
  return redirect(`${address}?${new URLSearchParams({ with: before!.id })}`, 303);
}

async function cancelAll({ backend }: Viewer, ids: string[]) {
  let ended = 0;
  for (const runId of ids) {
    const result = await backend.testExecutioner.cancelRun({ params: { runId } });
    if (!result.ok && result.status === 409) ended += 1;
    else required(result);
  }
  const cancelled = ids.length - ended;
  const endedWords = ended > 0 ? `${plural(ended, "selected run")} had ended before.` : "";
  if (cancelled === 0) return { message: endedWords, variant: "info" as const };
  return { message: `${plural(cancelled, "run")} cancelled. ${endedWords}`.trim(), variant: "info" as const };
}

async function repeat({ viewer, context, apiId, form, list }: Selected, ids: string[]) {
  if (form.get("confirmed") !== "yes") {
    const unsafe = await countUnsafeOf(viewer, ids);
    if (unsafe.length > 0) return { requested: { ids, unsafe } };
  }
  const runs = await Promise.all(ids.map((id) => findRun(viewer, id)));
  const key = readRunKey(form);
  const outcome = await startEach(
    viewer,
    runs.map((run) => ({
      ...{ name: runTitle(run), idempotencyKey: `${key}:again:${run.id}` },
      run: { source: { runId: run.id, from: 1 }, trigger: "rerun" as const },
    })),
  );
  const [only] = outcome.started;
  if (runs.length === 1 && only) return redirect(runAddress(apiId ?? runs[0]!.apis[0]!.apiId, only), 303);
  return redirectWithToast(context, list, outcome.refusal ?? `${plural(outcome.started.length, "run")} started.`);
}

/** Methods that may change data, with the number of executions that would send each again. */
async function countUnsafeOf({ backend }: Viewer, ids: string[]): Promise<MethodCount[]> {
  const totals = new Map<string, number>();
  for (const runId of ids) {
    const described = await backend.testExecutioner.describeRepetition({ params: { runId }, query: { from: 1 } });
    // A run that can't be described can't be started either, and the start reports why.
    if (!described.ok) continue;
    for (const { method, safe, executions } of described.value.methods) {
      if (!safe) totals.set(method.toUpperCase(), (totals.get(method.toUpperCase()) ?? 0) + executions);
    }
  }
  return [...totals].map(([method, total]) => ({ method, total }));
}
