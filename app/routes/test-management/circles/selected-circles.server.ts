import type { CircleSummary } from "#contracts/test-registry/circles.ts";
import { type Schedule, scheduleInput } from "#contracts/test-registry/schedules.ts";
import { required } from "~/backend/responses";
import { readRunFrom } from "~/features/locations/read-run-from";
import { planActions } from "~/features/plans/plan-actions.server";
import { readRunKey, startCircles } from "~/features/runs/start-run.server";
import type { PortalContext } from "~/session/context";
import { requireScope, type Viewer } from "~/session/guards";
import { redirectWithToast, type ToastMessage } from "~/session/toast-message";
import { plural } from "~/ui/count/plural";
import { readSelected } from "~/ui/selection/selected-field";

interface Selected {
  viewer: Viewer;
  context: PortalContext;
  form: FormData;
  /** The list to return to. */
  list: string;
}

/** The question before circles are deleted. */
export interface DeletionQuestion {
  ids: string[];
}

const intents = ["run-selected", "pause-selected", "resume-selected", "delete-selected"];

export const isOfSelected = (form: FormData) => intents.includes(String(form.get("intent")));

/** Runs or deletes the ticked circles, or pauses or resumes their schedules. */
export async function handleSelectedCircles(selected: Selected): Promise<Response | { requested: DeletionQuestion }> {
  const { viewer, context, form, list } = selected;
  const intent = String(form.get("intent"));
  requireScope(viewer, intent === "run-selected" ? "tests:run" : "tests:write");
  const ids = readSelected(form);
  const circles = ids.length
    ? required(await viewer.backend.testRegistry.listCircles({ query: { ids: ids.join(","), limit: 200 } })).items
    : [];
  if (circles.length === 0) {
    return redirectWithToast(context, list, { message: "Select circles first.", variant: "warning" });
  }
  if (intent === "run-selected") {
    const { started, refusal } = await startCircles(viewer, circles, readRunKey(form), readRunFrom(form));
    return redirectWithToast(context, list, refusal ?? `${plural(started, "circle")} started.`);
  }
  if (intent === "delete-selected") {
    if (form.get("confirmed") !== "yes") return { requested: { ids: circles.map(({ id }) => id) } };
    for (const { id } of circles) {
      const deleted = await viewer.backend.testRegistry.deleteCircle({ params: { testCircleId: id } });
      if (deleted.ok || deleted.status !== 404) required(deleted);
    }
    return redirectWithToast(context, list, `${plural(circles.length, "circle")} deleted.`);
  }
  return redirectWithToast(context, list, await switchSchedules(viewer, circles, intent === "resume-selected"));
}

/** Schedules that can't be changed are skipped and reported with the reason. */
async function switchSchedules(
  viewer: Viewer,
  circles: readonly CircleSummary[],
  enabled: boolean,
): Promise<string | Omit<ToastMessage, "id">> {
  const { testRegistry } = viewer.backend;
  const refused: string[] = [];
  let changed = 0;
  let isOfPlan = false;
  for (const { id, name } of circles) {
    const params = { testCircleId: id };
    const { items } = required(await testRegistry.listSchedulesOfCircle({ params, query: { limit: 200 } }));
    for (const schedule of items.filter((one) => one.enabled !== enabled)) {
      const result = await testRegistry.changeSchedule({
        params: { scheduleId: schedule.id },
        body: toInput(schedule, enabled),
        headers: { "if-match": `"${schedule.version}"` },
      });
      if (result.ok) changed += 1;
      else if ([402, 404, 409, 412, 422].includes(result.status)) {
        isOfPlan ||= result.status === 402;
        refused.push(`${name}: ${result.problem.detail}`);
      } else required(result);
    }
  }
  const done = `${plural(changed, "schedule")} ${enabled ? "resumed" : "paused"}.`;
  if (refused.length === 0) {
    if (changed > 0) return done;
    return { message: `No schedule of these circles ${enabled ? "is paused" : "is running"}.`, variant: "info" };
  }
  const actions = isOfPlan ? planActions(viewer) : undefined;
  return { title: done, message: refused.slice(0, 3).join(" "), variant: "warning", actions };
}

const toInput = (schedule: Schedule, enabled: boolean) => ({ ...scheduleInput.parse(schedule), enabled });
