import type { Block } from "../../kit/mail/email.ts";
import { type Money, moneyText } from "./money.ts";
import { entitledUntil, type SubscriptionState } from "./subscription.ts";

export interface ReportedSubscription {
  serviceId: string;
  price: Money;
  state: SubscriptionState;
  stateChangedAt: Date;
  paidUntil: Date | null;
  /** When the first payment after a trial is due, or was. */
  trialEndsAt: Date | null;
  next: { serviceId: string; at: Date } | null;
  /** The operator's reason for the current suspension; null when there is none. */
  heldBecause: string | null;
}

export interface BillingNews {
  subject: string;
  paragraphs: string[];
}

/** In UTC, since an email does not know its reader's time zone; the text says UTC. */
function getDay(moment: Date): string {
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return `${day.format(moment)} (UTC)`;
}

const nothingLost =
  "Nothing you created is deleted: anything beyond the limits of Free stays readable, and schedules pause.";

/** How long a plan that is not renewed remains, and why. */
function unchangedWords(plan: string, until: Date, { trialEndsAt }: ReportedSubscription): string {
  const isTrial = trialEndsAt !== null && until <= trialEndsAt;
  return isTrial
    ? `You keep ${plan} until your trial ends on ${getDay(until)}.`
    : `You keep ${plan} until ${getDay(until)}, because it is paid for.`;
}

function startNews({ trialEndsAt, price, stateChangedAt }: ReportedSubscription, plan: string): BillingNews {
  const receipts = "PayPal sends you a receipt for each payment, and your invoices are on the billing page.";
  if (!trialEndsAt || trialEndsAt <= stateChangedAt)
    return {
      subject: `Your subscription to ${plan} has started`,
      paragraphs: [`The limits of ${plan} apply now. ${receipts}`],
    };
  return {
    subject: `Your trial of ${plan} has started`,
    paragraphs: [
      `The limits of ${plan} apply now. Nothing is charged until the trial ends on ${getDay(trialEndsAt)}; from then on, it costs ${moneyText(price)} a month.`,
      `Cancel before that day, and you pay nothing. ${receipts}`,
    ],
  };
}

function suspensionNews({ heldBecause, ...after }: ReportedSubscription, plan: string): BillingNews {
  const until = entitledUntil(after);
  const stored = until ? ` You keep the plan until ${getDay(until)}.` : "";
  if (heldBecause !== null)
    return {
      subject: `Your subscription to ${plan} is suspended`,
      paragraphs: [
        `The portal's operator suspended it: ${heldBecause}`,
        `Nothing is charged in the meantime.${stored}`,
        nothingLost,
      ],
    };
  return {
    subject: `A payment for ${plan} failed`,
    paragraphs: [
      `PayPal could not collect the payment for ${plan}.${stored}`,
      "Make sure in your PayPal account that the next payment goes through, then press “Check with PayPal” on the subscription's page.",
      nothingLost,
    ],
  };
}

function ofState(before: ReportedSubscription, after: ReportedSubscription, plan: string): BillingNews | undefined {
  const until = entitledUntil(after);
  switch (after.state) {
    case "ACTIVE":
      if (before.state === "SUSPENDED")
        return {
          subject:
            before.heldBecause === null
              ? `Payments for ${plan} go through again`
              : `Your subscription to ${plan} is active again`,
          paragraphs: [`The limits of ${plan} apply again.`],
        };
      return startNews(after, plan);
    case "SUSPENDED":
      return suspensionNews(after, plan);
    case "CANCELLED":
      return {
        subject: `Your subscription to ${plan} is cancelled`,
        paragraphs: [
          until
            ? `${unchangedWords(plan, until, after)} After that, you have Free, and nothing more is charged.`
            : "Nothing more is charged.",
          nothingLost,
        ],
      };
    case "EXPIRED":
      return {
        subject: `Your subscription to ${plan} has ended`,
        paragraphs: ["Nothing more is charged.", nothingLost],
      };
    case "PENDING_APPROVAL":
      return undefined;
  }
}

/** The email to billing managers about a change; undefined when the change needs none. */
export function getNews(
  before: ReportedSubscription,
  after: ReportedSubscription,
  getName: (serviceId: string) => string,
): BillingNews | undefined {
  const plan = getName(after.serviceId);
  if (before.state !== after.state) {
    // A subscription that was never approved has cost nothing.
    const wasNeverThere = before.state === "PENDING_APPROVAL" && after.state !== "ACTIVE";
    return wasNeverThere ? undefined : ofState(before, after, plan);
  }
  if (before.serviceId !== after.serviceId)
    return {
      subject: `Your plan is ${plan} now`,
      paragraphs: [`It was ${getName(before.serviceId)} before. Your next payment is at the price of ${plan}.`],
    };
  if (after.next && after.next.serviceId !== before.next?.serviceId)
    return {
      subject: `Your plan changes to ${getName(after.next.serviceId)}`,
      paragraphs: [
        `${unchangedWords(plan, after.next.at, after)} After that, you have ${getName(after.next.serviceId)}.`,
        "Until then, you can change your mind on the billing page.",
      ],
    };
  if (before.next && !after.next)
    return { subject: `Your plan stays ${plan}`, paragraphs: ["The planned change was withdrawn."] };
  return undefined;
}

/**
 * The email before a trial ends and the first payment is collected.
 * @param next the price from then on
 */
export function trialEndNews(plan: string, endsAt: Date, next: { plan: string; price: Money }): BillingNews {
  const goesOn = next.plan === plan ? `${plan} costs` : `you have ${next.plan}, which costs`;
  return {
    subject: `Your trial of ${plan} ends on ${getDay(endsAt)}`,
    paragraphs: [
      `From then on, ${goesOn} ${moneyText(next.price)} a month. PayPal collects the first payment on that day.`,
      `To pay nothing, cancel the subscription before then. ${nothingLost}`,
    ],
  };
}

/**
 * The email when a plan ends by date: the paid period of a cancelled one, or the grace period after failed payments
 * or a suspension by the operator.
 */
export function endedNews(
  {
    state,
    paidUntil,
    trialEndsAt,
    heldBecause,
  }: Pick<ReportedSubscription, "state" | "paidUntil" | "trialEndsAt" | "heldBecause">,
  plan: string,
  next: string | null,
): BillingNews {
  const wasTrial = trialEndsAt !== null && paidUntil !== null && paidUntil <= trialEndsAt;
  const ofClock =
    heldBecause !== null
      ? `The portal's operator suspended ${plan} a week ago: ${heldBecause} Nothing is charged in the meantime.`
      : `Payments for ${plan} did not go through in time. Make sure in your PayPal account that they do, and ${plan} applies again.`;
  const why =
    state === "CANCELLED"
      ? `You cancelled ${plan}, and ${wasTrial ? "your trial" : "the period you paid for"} has ended. Nothing ${wasTrial ? "is" : "more is"} charged.`
      : ofClock;
  return {
    subject: `Your plan ${plan} has ended`,
    paragraphs: next ? [`${why} You have ${next} now.`, nothingLost] : [why],
  };
}

export function toBlocks({ paragraphs }: BillingNews, href: string): Block[] {
  return [
    ...paragraphs.map((text): Block => ({ kind: "paragraph", text })),
    { kind: "button", name: "Show the subscription", href },
    { kind: "note", text: "You receive this email because you manage billing for your organization." },
  ];
}
