import type { SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import type { MaintenanceWindow, MaintenanceWindowInput } from "#contracts/test-registry/maintenance-windows.ts";
import { available } from "~/backend/responses";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import type { SelectOption } from "~/ui/select/select";
import type { CallResult } from "../../../../services/kit/client/client.ts";
import { toField, toInput, type WindowFormFields, windowForm } from "./window-form";

/** Choices for a window's scope: the first two hundred circles and APIs by name, and the chosen one. */
export interface WindowChoices {
  apis: SelectOption[];
  circles: SelectOption[];
}

export async function readChoices({ backend }: Viewer, chosen: Partial<WindowFormFields>): Promise<WindowChoices> {
  const [apis, circles] = await Promise.all([
    backend.apiRegistry.listApis({ query: { limit: 200 } }).then(available),
    backend.testRegistry.listCircles({ query: { limit: 200 } }).then(available),
  ]);
  const { apiId, testCircleId } = chosen;
  const otherApi =
    apiId && !apis?.items.some(({ id }) => id === apiId)
      ? await backend.apiRegistry.summarizeApi({ params: { apiId } })
      : undefined;
  const otherCircle =
    testCircleId && !circles?.items.some(({ id }) => id === testCircleId)
      ? await backend.testRegistry.getCircle({ params: { testCircleId } })
      : undefined;
  const getOption = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  return {
    apis: [...(apis?.items ?? []), ...(otherApi?.ok ? [otherApi.value] : [])].map(getOption),
    circles: [...(circles?.items ?? []), ...(otherCircle?.ok ? [otherCircle.value] : [])].map(getOption),
  };
}

export interface DisplayedSpans {
  items: { from: string; to: string }[];
  timeZone: string;
}

export interface WindowResult {
  result: SubmissionResult;
  preview?: DisplayedSpans;
}

interface WindowAction {
  viewer: Viewer;
  context: PortalContext;
  save: (input: MaintenanceWindowInput, form: FormData) => Promise<CallResult<MaintenanceWindow>>;
}

/** Handles the form of a window: previews its times, or saves it. */
export async function handleWindowForm(request: Request, { viewer, context, save }: WindowAction) {
  const form = await readForm(request);
  const submission = parseWithZod(form, { schema: windowForm });
  if (submission.status !== "success") return data<WindowResult>({ result: submission.reply() }, 422);
  const input = toInput(submission.value);
  const { timeZone } = submission.value;
  const isPreview = form.get("intent") === "preview";
  const result = isPreview
    ? await viewer.backend.testRegistry.previewMaintenanceWindow({ body: { times: input.times } })
    : await save(input, form);
  if (!result.ok) {
    const errors = result.problem.errors?.map((error) => ({ ...error, path: toField(error.path) }));
    return data<WindowResult>({ result: rejected(submission, { ...result.problem, errors }).data }, result.status);
  }
  if ("items" in result.value) {
    return data<WindowResult>({ result: submission.reply(), preview: { items: result.value.items, timeZone } });
  }
  return redirectWithToast(context, href("/test-management/maintenance-windows"), `${input.name} is saved.`);
}
