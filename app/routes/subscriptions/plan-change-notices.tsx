import { Form } from "@remix-run/react";
import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import { moneyWords } from "~/features/plans/plan-words";
import { useDayWords } from "~/features/time-zone/day-words";
import { href } from "~/href";
import { Button, LinkButton } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";

/** Pending changes of a subscription's plan, and the possible actions. */
export function PlanChangeNotices({ subscription }: { subscription: Subscription }) {
  const day = useDayWords();
  const { id: subscriptionId, serviceId, serviceName, state, plannedChange, pendingChange, isOnTrial } = subscription;
  return (
    <>
      {state === "SUSPENDED" && (
        <Notice tone="danger" title="PayPal could not collect the payment">
          Update your payment method or pay the outstanding balance at PayPal, then press “Check with PayPal” below. You
          can't change the plan until the payment succeeds.
        </Notice>
      )}
      {pendingChange && (
        <Notice
          tone="warning"
          title={
            pendingChange.approveUrl
              ? `The change to ${pendingChange.serviceName} is waiting for your approval`
              : `PayPal has not confirmed the change to ${pendingChange.serviceName} yet`
          }
          actions={
            <>
              {pendingChange.approveUrl ? (
                <LinkButton href={pendingChange.approveUrl} variant="primary">
                  Approve the change at PayPal
                </LinkButton>
              ) : (
                <Form method="post">
                  <Button name="intent" value="ask">
                    Try again
                  </Button>
                </Form>
              )}
              <Form method="post">
                <Button name="intent" value="withdraw">
                  Withdraw the change
                </Button>
              </Form>
            </>
          }
        >
          {pendingChange.approveUrl
            ? `Once approved, it costs ${moneyWords(pendingChange.price)} a month from the next payment. Until then, nothing changes and nothing is charged for it.`
            : "PayPal did not respond. We will try again automatically; you won't be charged twice."}
        </Notice>
      )}
      {plannedChange && (
        <Notice
          tone="info"
          title={`${plannedChange.serviceName} follows on ${day(plannedChange.countsAt)}`}
          actions={
            <LinkButton href={href("/subscriptions/:subscriptionId/plan", { subscriptionId }, { serviceId })}>
              Keep {serviceName}
            </LinkButton>
          }
        >
          You keep {serviceName} until then, {isOnTrial ? "when your trial ends" : "because it is paid for"}. After
          that, you pay {moneyWords(plannedChange.price)} a month.
        </Notice>
      )}
    </>
  );
}
