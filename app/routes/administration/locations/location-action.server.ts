import { parseWithZod } from "@conform-to/zod/v4";
import { required } from "~/backend/responses";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { locationForm } from "./location-form";

interface ActionRequest {
  viewer: Viewer;
  context: Parameters<typeof redirectWithToast>[0];
  locationId: string;
}

/** Saves or deletes a location, or revokes one of its agents. */
export async function actOnLocation(form: FormData, { viewer, context, locationId }: ActionRequest) {
  const { testExecutioner } = viewer.backend;
  const params = { locationId };
  const here = href("/administration/locations/:locationId", params);
  const intent = form.get("intent");
  if (intent === "revoke") {
    const agentId = String(form.get("agentId") ?? "");
    const { name } = required(await testExecutioner.revokeAgent({ params: { agentId } }));
    return redirectWithToast(context, here, `${name} is revoked.`);
  }
  if (intent === "delete") {
    const { name } = required(await testExecutioner.getLocation({ params }));
    required(await testExecutioner.deleteLocation({ params }));
    return redirectWithToast(context, href("/administration/locations"), `${name} is deleted.`);
  }
  const submission = parseWithZod(form, { schema: locationForm });
  if (submission.status !== "success") return rejected(submission);
  const changed = await testExecutioner.changeLocation({
    params,
    body: submission.value,
    headers: { "if-match": `"${Number(form.get("version"))}"` },
  });
  if (!changed.ok) return rejected(submission, changed.problem);
  return redirectWithToast(context, here, `${changed.value.name} is saved.`);
}
