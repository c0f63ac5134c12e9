import type { notificationActions, UserNotification } from "../contract/notifications.ts";

/** What a notification says, before anybody has it. */
export type Wording = Pick<UserNotification, "type" | "priority" | "summary" | "description"> & {
  /** Nobody gets the same one twice. */
  template: Template;
  action: (typeof notificationActions)[number] | null;
};

export type Template = "welcome" | "choose-plan" | "subscribe" | "approve-payment" | "payment-failed";

/** The one that everybody gets: whoever has it was greeted already. */
export const greeting: Template = "welcome";

export interface Newcomer {
  /** Decides which plan the organization is on. */
  managesBilling: boolean;
  registersApis: boolean;
  /** The plan that the organization chose, if it did. */
  plan: { name: string; free: boolean } | undefined;
}

const introduction: Wording = {
  template: greeting,
  type: "NOTIFICATION",
  priority: 1,
  action: null,
  summary: "Welcome to API Assurance",
  description:
    "Register your first API with its OpenAPI document. The portal suggests tests for every operation, and they run at once.",
};

/** For whoever may look but not register anything. */
const tour: Wording = {
  ...introduction,
  description:
    "The dashboard shows the state of every API of your organization. Open one to read what was tested and what failed.",
};

const choosePlan: Wording = {
  template: "choose-plan",
  type: "ANNOUNCEMENT",
  priority: 3,
  action: "SELECT_SERVICE",
  summary: "Choose a plan",
  description:
    "Your organization has not chosen a plan yet. Compare what each one allows, and choose the one that fits how much you test.",
};

const subscribe = (plan: string): Wording => ({
  template: "subscribe",
  type: "ANNOUNCEMENT",
  priority: 3,
  action: "SUBSCRIBE_TO_SERVICE",
  summary: `Subscribe to ${plan}`,
  description: `Your organization chose the plan ${plan} when it registered. Subscribe to it in billing, so that all it allows is yours.`,
});

/** What waits for somebody who comes in for the first time, the most urgent first. */
export function standingNotifications({ managesBilling, registersApis, plan }: Newcomer): Wording[] {
  const welcome = registersApis ? introduction : tour;
  if (!managesBilling || plan?.free) return [welcome];
  return [plan ? subscribe(plan.name) : choosePlan, welcome];
}

export function paymentApproval(plan: string): Wording {
  return {
    template: "approve-payment",
    type: "ANNOUNCEMENT",
    priority: 4,
    action: "APPROVE_SUBSCRIPTION_PAYMENT",
    summary: `Approve the payment for ${plan}`,
    description: `The subscription to ${plan} waits for your approval at the payment provider. It starts as soon as you approve the payment there.`,
  };
}

export function paymentFailed(plan: string): Wording {
  return {
    template: "payment-failed",
    type: "ANNOUNCEMENT",
    priority: 4,
    action: "APPROVE_SUBSCRIPTION_PAYMENT",
    summary: `A payment for ${plan} failed`,
    description: `The payment provider could not collect what ${plan} costs. The plan stays for a week: until then, see to it there that the next payment goes through, or schedules pause. Nothing you made is deleted.`,
  };
}
