import { parseWithZod } from "@conform-to/zod/v4";
import { z } from "zod";
import { required } from "~/backend/responses";
import { stateNames } from "~/features/subscriptions/state-words";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { findAction } from "./action-form";
import { toResultToast } from "./result-toast";

const reasonForm = z.object({
  reason: z.string({ error: "Enter a reason" }).trim().min(1, "Enter a reason").max(100, "At most 100 characters"),
});

/** Queries PayPal for a subscription, or suspends, resumes or cancels it. */
export async function handleSubscriptionAction(
  request: Request,
  { viewer, context, subscriptionId }: { viewer: Viewer; context: PortalContext; subscriptionId: string },
) {
  const { portalService } = viewer.backend;
  const params = { subscriptionId };
  const here = href("/administration/system/subscriptions/:subscriptionId", params);
  const form = await readForm(request);
  const intent = String(form.get("intent"));
  if (intent === "ask")
    return redirectWithToast(context, here, toResultToast(required(await portalService.askAboutAny({ params }))));
  const { state } = required(await portalService.getAnySubscription({ params }));
  const action = findAction(intent, state);
  if (!action) return redirectWithToast(context, here, { message: "Its state has changed since.", variant: "warning" });
  const submission = parseWithZod(form, { schema: reasonForm });
  if (submission.status !== "success") return rejected(submission);
  const act = {
    suspend: portalService.suspendAny,
    activate: portalService.activateAny,
    cancel: portalService.cancelAny,
  };
  const done = await act[action]({ params, body: submission.value });
  if (!done.ok) return rejected(submission, done.problem);
  return redirectWithToast(context, here, `Done. PayPal says: ${stateNames[done.value.state].toLowerCase()}.`);
}
