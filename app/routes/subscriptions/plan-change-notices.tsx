import { Form } from "@remix-run/react";
import { href } from "~/href";
import { moneyWords } from "~/plans/plan-words";
import { useDayWords } from "~/time-zone/day-words";
import { Button, LinkButton } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";
import type { Subscription } from "../../../services/portal-service/contract/subscriptions.ts";

/** What is to become of a subscription's plan, and what to do about it. */
export function PlanChangeNotices({ subscription }: { subscription: Subscription }) {
  const day = useDayWords();
  const { id: subscriptionId, serviceId, serviceName, state, plannedChange, pendingChange } = subscription;
  return (
    <>
      {state === "SUSPENDED" && (
        <Notice tone="danger" title="PayPal could not collect the payment">
          Look into your PayPal account which way to pay was declined, and set another one or pay what is open. Then
          press “Ask PayPal” below. Until then the plan can't be changed.
        </Notice>
      )}
      {pendingChange && (
        <Notice
          tone="warning"
          title={
            pendingChange.approveUrl
              ? `The change to ${pendingChange.serviceName} waits for your approval`
              : `PayPal has not taken the change to ${pendingChange.serviceName} yet`
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
                  Take the change back
                </Button>
              </Form>
            </>
          }
        >
          {pendingChange.approveUrl
            ? `Then it is ${moneyWords(pendingChange.price)} a month from the next payment on. Until then everything stays as it is, and nothing is charged for it.`
            : "It did not answer when it was asked. We ask again by ourselves; nothing is charged twice."}
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
          Until then {serviceName} stays, since it is paid for. From then on it is {moneyWords(plannedChange.price)} a
          month.
        </Notice>
      )}
    </>
  );
}
