import { parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import { problemResponse, required } from "~/backend/responses";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { findOriginError, signOnCookie } from "~/session/single-sign-on.server";
import { redirectWithToast } from "~/session/toast-message";
import { connectForVisitor } from "~/session/visitor";
import { signOnForm, toField, toSettings } from "./sign-on-form";

const here = href("/organization/single-sign-on");

/** Goes to the provider as if signing in, to learn which claims it sends. */
async function startTrial({ backend, session }: Viewer, context: PortalContext) {
  const { id: organizationId } = required(await backend.portalService.getCurrentOrganization());
  const visitor = await connectForVisitor(context);
  const { headers } = visitor;
  const started = await visitor.backend.securityService.startSingleSignOn({ headers, body: { organizationId } });
  const refuse = (message: string) =>
    redirectWithToast(context, here, { title: "The test sign-in failed", message, variant: "danger" });
  if (!started.ok) return refuse(started.problem.detail);
  const error = findOriginError(context, started.value.url);
  if (error) return refuse(error);
  const begun = { ...started.value, redirectTo: here, triedBy: session.id };
  const stored = { "set-cookie": signOnCookie(context, { begun }) };
  return redirect(href("/login/single-sign-on", { continue: true }), { status: 303, headers: stored });
}

/** Saves, tries or deletes the organization's single sign-on. */
export async function handleSignOnForm(viewer: Viewer, context: PortalContext, form: FormData) {
  const { securityService } = viewer.backend;
  const intent = form.get("intent");
  if (intent === "try") return await startTrial(viewer, context);
  if (intent === "delete") {
    const deleted = await securityService.deleteSingleSignOn();
    if (!deleted.ok && deleted.status !== 404) throw problemResponse(deleted.problem);
    return redirectWithToast(
      context,
      href("/organization"),
      "Single sign-on is deleted. Everyone logs in with a password.",
    );
  }
  const submission = parseWithZod(form, { schema: signOnForm });
  if (submission.status !== "success") return rejected(submission);
  const saved = await securityService.setSingleSignOn({ body: toSettings(submission.value) });
  if (!saved.ok) {
    const errors = saved.problem.errors?.map((error) => ({ ...error, path: toField(error.path) }));
    return rejected(submission, { ...saved.problem, ...(errors ? { errors } : {}) });
  }
  return redirectWithToast(context, here, "Single sign-on is saved. Test it before announcing it.");
}
