import type { Block } from "../../kit/mail/letter.ts";
import { entitledUntil, type SubscriptionState } from "./subscription.ts";

export interface Told {
  serviceId: string;
  state: SubscriptionState;
  stateChangedAt: Date;
  paidUntil: Date | null;
  next: { serviceId: string; at: Date } | null;
}

export interface BillingNews {
  subject: string;
  paragraphs: string[];
}

/** In UTC, since a letter does not know its reader's zone; said beside it. */
function dayOf(moment: Date): string {
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return `${day.format(moment)} (UTC)`;
}

const nothingLost =
  "Nothing you made is deleted: what is beyond the limits of Free stays readable, and schedules pause.";

function ofState(before: Told, after: Told, plan: string): BillingNews | undefined {
  const until = entitledUntil(after);
  switch (after.state) {
    case "ACTIVE":
      if (before.state === "SUSPENDED")
        return {
          subject: `Payments for ${plan} go through again`,
          paragraphs: [`All that ${plan} allows is yours again.`],
        };
      return {
        subject: `Your subscription to ${plan} has started`,
        paragraphs: [
          `All that ${plan} allows is yours now. PayPal sends a receipt of each payment; invoices are in billing.`,
        ],
      };
    case "SUSPENDED":
      return {
        subject: `A payment for ${plan} failed`,
        paragraphs: [
          `PayPal could not collect what ${plan} costs.${until ? ` The plan stays until ${dayOf(until)}.` : ""}`,
          "See to it in your PayPal account that the next payment goes through. After that press “Ask PayPal” on the subscription's page.",
          nothingLost,
        ],
      };
    case "CANCELLED":
      return {
        subject: `Your subscription to ${plan} is cancelled`,
        paragraphs: [
          until
            ? `${plan} stays until ${dayOf(until)}, since it is paid for. After that you have Free, and nothing more is charged.`
            : "Nothing more is charged.",
          nothingLost,
        ],
      };
    case "EXPIRED":
      return { subject: `Your subscription to ${plan} is over`, paragraphs: ["Nothing more is charged.", nothingLost] };
    case "PENDING_APPROVAL":
      return undefined;
  }
}

/** What those who manage billing are told of a change; undefined: of this one nothing. */
export function newsOf(before: Told, after: Told, nameOf: (serviceId: string) => string): BillingNews | undefined {
  const plan = nameOf(after.serviceId);
  if (before.state !== after.state) {
    // What nobody approved has cost nobody anything.
    const wasNeverThere = before.state === "PENDING_APPROVAL" && after.state !== "ACTIVE";
    return wasNeverThere ? undefined : ofState(before, after, plan);
  }
  if (before.serviceId !== after.serviceId)
    return {
      subject: `Your plan is ${plan} now`,
      paragraphs: [`It was ${nameOf(before.serviceId)} before. The next payment is at the price of ${plan}.`],
    };
  if (after.next && after.next.serviceId !== before.next?.serviceId)
    return {
      subject: `Your plan changes to ${nameOf(after.next.serviceId)}`,
      paragraphs: [
        `${plan} stays until ${dayOf(after.next.at)}, since it is paid for. From then on you have ${nameOf(after.next.serviceId)}.`,
        "Until then the change can be taken back in billing.",
      ],
    };
  if (before.next && !after.next)
    return { subject: `Your plan stays ${plan}`, paragraphs: ["The change that was planned is taken back."] };
  return undefined;
}

/**
 * What they are told when the clock ends a plan: what was paid for before it was cancelled, or the days that a plan stays
 * after payments failed.
 */
export function endedNews(state: SubscriptionState, plan: string, next: string | null): BillingNews {
  const why =
    state === "CANCELLED"
      ? `You cancelled ${plan}, and what was paid for is over. Nothing more is charged.`
      : `Payments for ${plan} did not go through in time. See to it in your PayPal account that they do, and ${plan} is yours again.`;
  return {
    subject: `Your plan ${plan} has ended`,
    paragraphs: next ? [`${why} You have ${next} now.`, nothingLost] : [why],
  };
}

export function blocksOf({ paragraphs }: BillingNews, href: string): Block[] {
  return [
    ...paragraphs.map((text): Block => ({ kind: "paragraph", text })),
    { kind: "button", name: "Show the subscription", href },
    { kind: "note", text: "You get this letter because you manage billing of your organization." },
  ];
}
