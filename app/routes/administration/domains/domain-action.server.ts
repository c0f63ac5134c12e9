import { parseWithZod } from "@conform-to/zod/v4";
import { problemResponse, required } from "~/backend/responses";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { domainSettingsForm } from "./domain-form";
import { checkedToast } from "./domain-words";

interface ActionRequest {
  viewer: Viewer;
  context: Parameters<typeof redirectWithToast>[0];
  /** The name of the page's domain. */
  name: string;
}

/** Checks, saves or deletes a domain. */
export async function actOnDomain(form: FormData, { viewer, context, name }: ActionRequest) {
  const { securityService } = viewer.backend;
  const { id } = required(await securityService.getDomain({ params: { domain: name } }));
  const params = { domain: id };
  const here = href("/administration/domain/:domain/edit", { domain: name });
  const intent = form.get("intent");
  if (intent === "check") {
    const checked = required(await securityService.checkDomain({ params }));
    return redirectWithToast(context, here, checkedToast(checked));
  }
  if (intent === "delete") {
    const deleted = await securityService.deleteDomain({ params });
    if (deleted.ok) return redirectWithToast(context, href("/administration/domain"), `${name} is deleted.`);
    // A credential was stored for it in the meantime.
    if (deleted.status !== 409) throw problemResponse(deleted.problem);
    return redirectWithToast(context, here, { message: deleted.problem.detail, variant: "warning" });
  }
  const submission = parseWithZod(form, { schema: domainSettingsForm });
  if (submission.status !== "success") return rejected(submission);
  const changed = await securityService.changeDomain({ params, body: { ...submission.value, name } });
  if (!changed.ok) return rejected(submission, changed.problem);
  return redirectWithToast(context, here, `${name} is saved.`);
}
