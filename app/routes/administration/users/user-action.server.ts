import { parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { changeUser } from "#contracts/security-service/users.ts";
import { problemResponse } from "~/backend/responses";
import { aRole, givenRoles } from "~/features/people/role-words";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import type { CallResult } from "../../../../services/kit/client/client.ts";

const accountForm = z.object({
  fullName: changeUser.body!.shape.fullName.unwrap(),
  // An empty field leaves it empty.
  email: changeUser.body!.shape.email,
});
const roleIntents = z.object({ intent: z.enum(["give", "take"]), role: z.enum(givenRoles) });

interface ActionRequest {
  viewer: Viewer;
  context: PortalContext;
  userId: string;
  form: FormData;
}

/** Handles one of the page's forms. */
export async function handleUserForm({ viewer, context, userId, form }: ActionRequest) {
  const { securityService } = viewer.backend;
  const params = { userId };
  const isOwn = viewer.session.id === userId;
  const here = href("/administration/user-management/users/:userId/edit", params);
  const intent = form.get("intent");

  /** A refused change is reported on the page that requested it. */
  const toReply = (result: CallResult<unknown>, done: string, next = here) => {
    if (result.ok) return redirectWithToast(context, next, done);
    if (result.status !== 409 && result.problem.code !== "forbidden") throw problemResponse(result.problem);
    return redirectWithToast(context, here, { title: "Error", message: result.problem.detail, variant: "danger" });
  };

  if (intent === "save") {
    const submission = parseWithZod(form, { schema: accountForm });
    if (submission.status !== "success") return rejected(submission);
    const saved = await securityService.changeUser({ params, body: submission.value });
    if (!saved.ok) return rejected(submission, saved.problem);
    return redirectWithToast(context, here, `${saved.value.fullName} is saved.`);
  }
  if (intent === "disable") {
    const result = await securityService.changeUser({ params, body: { disabled: true } });
    return toReply(result, "The account is disabled and signed out everywhere.");
  }
  if (intent === "enable") {
    return toReply(await securityService.changeUser({ params, body: { disabled: false } }), "The account is enabled.");
  }
  if (intent === "signOut") {
    const ended = await securityService.endUserSessions({ params });
    if (ended.ok && isOwn) {
      context.session.clear();
      return redirect(href("/login"), 303);
    }
    return toReply(ended, "Signed out everywhere.");
  }
  if (intent === "secondFactor") {
    const result = await securityService.resetSecondFactor({ params });
    return toReply(result, "The second factor is switched off. Signing in asks for the password only.");
  }
  const change = roleIntents.safeParse({ intent, role: form.get("role") });
  if (!change.success) throw new Response("No such action.", { status: 400 });
  const { role } = change.data;
  if (change.data.intent === "give") {
    return toReply(await securityService.addUserRoles({ params, body: [role] }), `Now also ${aRole(role)}.`);
  }
  const taken = await securityService.removeUserRoles({ params, body: [role] });
  // Users who gave up administration lose access to this page.
  const next = isOwn && role === "ADMIN" ? href("/administration") : here;
  return toReply(taken, `No longer ${aRole(role)}.`, next);
}
