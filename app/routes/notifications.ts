import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { UserNotification } from "#contracts/portal-service/notifications.ts";
import { problemResponse } from "~/backend/responses";
import { getDestination } from "~/features/notifications/destination";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import { requireViewer, type Viewer } from "~/session/guards";
import { ownPath } from "~/session/redirects";
import { redirectWithToast } from "~/session/toast-message";
import type { CallResult } from "../../services/kit/client/client.ts";

const intents = ["skip", "dismiss", "continue"] as const;
type Intent = (typeof intents)[number];

function handleNotification({ backend }: Viewer, intent: Intent, notificationId: string) {
  const params = { notificationId };
  if (intent === "skip") return backend.portalService.skipNotification({ params });
  const state = intent === "dismiss" ? "SKIPPED" : "PENDING";
  return backend.portalService.setNotificationState({ params, body: { state } });
}

/**
 * Handles the viewer's choice for a notification: not now, never again, or follow it. Afterwards the modal opens with
 * the next one, or with the same one when the choice could not be stored.
 */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const form = await readForm(request);
  const returnTo = ownPath(String(form.get("returnTo") ?? ""));
  const intent = intents.find((known) => known === form.get("intent"));
  if (!intent) return redirect(returnTo, 303);
  const requested = form.has("modal");
  const result = await handleNotification(viewer, intent, params.notificationId ?? "");
  if (!result.ok) return refused(context, result, { returnTo, asked: requested });
  if (intent === "continue") return redirect(getDestination(result.value), 303);
  if (requested) context.session.setAnnounce("later");
  return redirect(returnTo, 303);
}

function refused(
  context: PortalContext,
  result: Extract<CallResult<UserNotification>, { ok: false }>,
  { returnTo, asked }: { returnTo: string; asked: boolean },
) {
  const { status, problem } = result;
  if (status === 401) throw problemResponse(problem);
  const settled = status === 404 || status === 409;
  if (asked) context.session.setAnnounce(settled ? "later" : "now");
  if (settled) return redirectWithToast(context, returnTo, { message: "Already handled.", variant: "info" });
  context.log.error(
    { requestId: context.requestId, status, code: problem.code },
    "an answer to a notification could not be kept",
  );
  return redirectWithToast(context, returnTo, {
    title: "Error",
    message: "Your response could not be saved. Try again shortly.",
    variant: "danger",
  });
}

/** An address that only receives forms. */
export function loader(_: LoaderFunctionArgs) {
  return redirect(href("/dashboard"), 303);
}
