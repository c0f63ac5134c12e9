import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import { isAway, required } from "~/backend/responses";
import { dayWords } from "~/features/time-zone/day-words";
import { href } from "~/href";
import { findViewer, requireViewer } from "~/session/guards";
import type { ReturnHints } from "~/session/return-hints";
import { getTimeZone } from "~/session/time-zone";
import { redirectWithToast } from "~/session/toast-message";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { Row } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";

export const meta: MetaFunction = () => [{ title: "Back from PayPal · API Assurance" }];

/** Long enough to sign in again, and to retry after a while. */
const hintSeconds = 3_600;
const hintParameter = "hint";

function readHints(search: URLSearchParams): ReturnHints | undefined {
  const hints = {
    subscriptionId: search.get("subscription_id") ?? undefined,
    approvalToken: search.get("ba_token") ?? undefined,
    token: search.get("token") ?? undefined,
    cancelled: search.has("cancelled"),
  };
  return hints.subscriptionId || hints.approvalToken ? hints : undefined;
}

function getToast(
  { state, serviceName, pendingChange, plannedChange, isOnTrial, trialEndsAt }: Subscription,
  { cancelled }: ReturnHints,
  timeZone: string,
) {
  if (state === "ACTIVE" && pendingChange)
    return {
      message: cancelled
        ? `You did not approve the change to ${pendingChange.serviceName} at PayPal. ${serviceName} continues as it is.`
        : `PayPal has not confirmed the change to ${pendingChange.serviceName} yet. Check this page again in a moment.`,
      variant: "info" as const,
    };
  if (state === "ACTIVE" && plannedChange)
    return `${plannedChange.serviceName} follows on ${dayWords(plannedChange.countsAt, timeZone)}. Until then ${serviceName} stays.`;
  if (state === "ACTIVE" && isOnTrial && trialEndsAt)
    return `${serviceName} is active, and free until ${dayWords(trialEndsAt, timeZone)}. Its limits apply now.`;
  if (state === "ACTIVE") return `${serviceName} is active. Its limits apply now.`;
  if (cancelled)
    return {
      message: `You did not approve ${serviceName} at PayPal, so nothing was charged. You can still do so.`,
      variant: "info" as const,
    };
  if (state === "PENDING_APPROVAL")
    return {
      message:
        "PayPal has not confirmed your approval yet. We keep checking: you don't need to wait here, and you won't be charged twice.",
      variant: "info" as const,
    };
  return { message: `${serviceName} is not active.`, variant: "warning" as const };
}

/**
 * The return address for buyers at PayPal. Its parameters are verified on the server and leave the address at once:
 * sealed while the user has to sign in first or PayPal does not respond. Loading it repeatedly has the same effect as
 * once.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams;
  const brought = readHints(search);
  const sealed = search.get(hintParameter) ?? "";
  const withoutTokens = (hints: ReturnHints) =>
    href("/subscriptions/paypal/return", { [hintParameter]: context.returns.seal(hints, hintSeconds) });
  if (brought && !findViewer(context)) throw redirect(withoutTokens(brought), 303);
  const viewer = await requireViewer(request, context);
  const hints = brought ?? context.returns.open(sealed);
  if (!hints) throw redirect(href("/billing"), 303);

  const result = await viewer.backend.portalService.verifySubscription({
    params: { providerId: hints.subscriptionId || "-" },
    body: { ba_token: hints.approvalToken, token: hints.token },
  });
  if (result.ok) {
    const { id: subscriptionId } = result.value;
    const page = href("/subscriptions/:subscriptionId", { subscriptionId });
    throw redirectWithToast(context, page, getToast(result.value, hints, getTimeZone(request, viewer.session)));
  }
  // Also for values that can't be an id of PayPal's.
  if ([400, 404, 422].includes(result.status))
    throw redirectWithToast(context, href("/billing"), {
      message: "This approval does not belong to any subscription of your organization. Nothing was changed.",
      variant: "warning",
    });
  if (!isAway(result)) required(result);
  if (brought) throw redirect(withoutTokens(brought), 303);
  return { again: href("/subscriptions/paypal/return", { [hintParameter]: sealed }) };
}

export default function PayPalReturn() {
  const { again } = useLoaderData<typeof loader>();
  return (
    <Page>
      <PageHeading title="PayPal is not responding" />
      <Notice tone="warning" title="We could not confirm your approval yet">
        Your approval is not lost, and you won't be charged twice. We keep checking, and the subscription becomes active
        as soon as PayPal confirms it.
      </Notice>
      <Row>
        <LinkButton href={again} variant="primary">
          Check again
        </LinkButton>
        <LinkButton href={href("/billing")}>Billing</LinkButton>
      </Row>
    </Page>
  );
}
