import type { SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import type { Circle } from "#contracts/test-registry/circles.ts";
import type { RecurrenceInput } from "#contracts/test-registry/recurrences.ts";
import type { Schedule, ScheduleInput } from "#contracts/test-registry/schedules.ts";
import { available } from "~/backend/responses";
import { toQuota } from "~/features/plans/plan-quota.server";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import type { CallResult } from "../../../../services/kit/client/client.ts";
import { scheduleForm, toField, toInput, toRecurrence } from "./schedule-form";

/** A schedule's preview: its next times, and its share of the plan's quota. */
export async function previewTimes(
  viewer: Viewer,
  /** Undefined where unknown. */
  circle: Circle | undefined,
  recurrence: RecurrenceInput,
  scheduleId?: string,
) {
  const { backend } = viewer;
  const [preview, usage] = await Promise.all([
    backend.testRegistry.previewSchedule({ body: { ...recurrence, scheduleId } }),
    backend.portalService.getUsage().then(available),
  ]);
  const quota = toQuota(usage, "executionsPerMonth", viewer);
  if (!preview.ok || !circle) return { preview, quota, usage: undefined };
  const { members, order, environments } = circle;
  const variables = circle.variables.map(({ name }) => ({ name }));
  const inspection = available(
    await backend.testRegistry.inspectCircle({ body: { members, order, environments, variables } }),
  );
  const executions = inspection?.members.reduce((sum, member) => sum + member.executions, 0);
  return {
    preview,
    quota,
    usage:
      executions === undefined
        ? undefined
        : { executionsPerMonth: executions * preview.value.runsPerMonth, limit: quota?.limit },
  };
}

/** A preview in the page's format. */
export async function getPreview(...requested: Parameters<typeof previewTimes>) {
  const { preview, ...plan } = await previewTimes(...requested);
  const managesBilling = requested[0].may("billing:manage");
  return preview.ok ? { ...preview.value, ...plan, managesBilling, timeZone: requested[2].timeZone } : undefined;
}
export type DisplayedPreview = NonNullable<Awaited<ReturnType<typeof getPreview>>>;

export interface ScheduleResult {
  result: SubmissionResult;
  preview?: DisplayedPreview;
}

interface ScheduleAction {
  viewer: Viewer;
  context: PortalContext;
  testCircleId: string;
  scheduleId?: string;
  save: (input: ScheduleInput, form: FormData) => Promise<CallResult<Schedule>>;
  savedAddress: string;
}

/** Handles the form of a schedule: previews its next times, or saves it. */
export async function handleScheduleForm(request: Request, action: ScheduleAction) {
  const { viewer, context, testCircleId, scheduleId, save, savedAddress } = action;
  const form = await readForm(request);
  const submission = parseWithZod(form, { schema: scheduleForm });
  if (submission.status !== "success") return data<ScheduleResult>({ result: submission.reply() }, 422);
  const circle = available(await viewer.backend.testRegistry.getCircle({ params: { testCircleId } }));
  const preview = await previewTimes(viewer, circle, toRecurrence(submission.value), scheduleId);
  const refused = async (problem: Parameters<typeof rejected>[1] & object, preview?: DisplayedPreview) => {
    const errors = problem.errors?.map((error) => ({ ...error, path: toField(error.path) }));
    return data<ScheduleResult>({ result: rejected(submission, { ...problem, errors }).data, preview }, problem.status);
  };
  if (!preview.preview.ok) return await refused(preview.preview.problem);
  const displayed: DisplayedPreview = {
    ...preview.preview.value,
    ...{ usage: preview.usage, quota: preview.quota },
    managesBilling: viewer.may("billing:manage"),
    timeZone: submission.value.timeZone,
  };
  if (form.get("intent") === "preview") return data<ScheduleResult>({ result: submission.reply(), preview: displayed });
  const saved = await save(toInput(submission.value), form);
  // A plan's limit is reported at the times it concerns, with the possible remedies.
  if (!saved.ok) return await refused(saved.problem, saved.status === 402 ? displayed : undefined);
  const { next } = saved.value;
  return redirectWithToast(
    context,
    savedAddress,
    next ? "The schedule is saved." : "The schedule is saved, and paused.",
  );
}
