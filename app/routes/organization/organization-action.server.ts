import { parseWithZod } from "@conform-to/zod/v4";
import { changeOrganization } from "#contracts/security-service/organizations.ts";
import { problemResponse } from "~/backend/responses";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";

const here = href("/organization");

/** Renames the organization, or sets whether all members need a second factor. */
export async function handleOrganizationForm({ backend }: Viewer, context: PortalContext, form: FormData) {
  const { securityService } = backend;
  const intent = form.get("intent");
  if (intent === "require-second-factor" || intent === "allow-password-only") {
    const required = intent === "require-second-factor";
    const changed = await securityService.requireSecondFactors({ body: { required } });
    if (changed.ok) {
      const done = required ? "A second factor is now required for everyone." : "Second factors are now optional.";
      return redirectWithToast(context, here, done);
    }
    if (changed.status !== 409) throw problemResponse(changed.problem);
    return redirectWithToast(context, here, { title: "Error", message: changed.problem.detail, variant: "danger" });
  }
  const submission = parseWithZod(form, { schema: changeOrganization.body! });
  if (submission.status !== "success") return rejected(submission);
  const changed = await securityService.changeOrganization({ body: submission.value });
  if (!changed.ok) return rejected(submission, changed.problem);
  return redirectWithToast(context, here, `The organization is now called ${changed.value.name}.`);
}
