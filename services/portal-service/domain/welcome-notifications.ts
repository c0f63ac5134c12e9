import type { notificationActions, UserNotification } from "#contracts/portal-service/notifications.ts";
import type { NearLimit } from "./plan-status.ts";

/** The content of a notification before it has a recipient. */
export type Wording = Pick<UserNotification, "type" | "priority" | "summary" | "description"> & {
  /** Unique per user: by template, and by subject where the template is not enough. */
  template: Template;
  about?: string;
  action: (typeof notificationActions)[number] | null;
};

export type Template =
  | "welcome"
  | "subscribe"
  | "approve-payment"
  | "payment-failed"
  | "limit-near"
  | "runs-skipped"
  | "held";

/** The welcome that every user gets; a user who has it was greeted before. */
export const greeting: Template = "welcome";

export interface Newcomer {
  /** For users who decide on the organization's plan. */
  managesBilling: boolean;
  registersApis: boolean;
  /** The organization has one already. */
  hasApi: boolean;
  /** The paid plan picked at registration, until it is paid for. */
  pickedPlan: string | undefined;
}

/** Done with the first registered API. */
export const introduction: Wording = {
  template: greeting,
  type: "NOTIFICATION",
  priority: 1,
  action: null,
  summary: "Welcome to API Assurance",
  description:
    "Register your first API with its OpenAPI document. The portal suggests tests for every operation, and you can run them right away.",
};

/** For users who may view but not register, or have nothing to register first. */
const tour: Wording = {
  ...introduction,
  description:
    "The dashboard shows the state of every API of your organization. Open one to read what was tested and what failed.",
};

const subscribe = (plan: string): Wording => ({
  template: "subscribe",
  type: "ANNOUNCEMENT",
  priority: 3,
  action: "SUBSCRIBE_TO_SERVICE",
  summary: `Subscribe to ${plan}`,
  description: `Your organization chose the ${plan} plan when it registered. Subscribe on the billing page to use it.`,
});

/** The notifications for a first sign-in, most urgent first. */
export function getWelcomeNotifications({ managesBilling, registersApis, hasApi, pickedPlan }: Newcomer): Wording[] {
  const welcome = registersApis && !hasApi ? introduction : tour;
  return managesBilling && pickedPlan !== undefined ? [subscribe(pickedPlan), welcome] : [welcome];
}

const limited: Record<NearLimit["subject"], string> = {
  apis: "APIs",
  tests: "tests",
  members: "members",
  executionsPerMonth: "executions a month",
};

/** Sent once per limit and period. */
export function limitNear({ subject, period, used, limit }: NearLimit, plan: string): Wording {
  const [have, of] = [used, limit].map((figure) => figure.toLocaleString("en"));
  const what = limited[subject];
  return {
    template: "limit-near",
    about: `${subject} ${period}`,
    type: "ANNOUNCEMENT",
    priority: 3,
    action: "SELECT_SERVICE",
    summary: `${have} of ${of} ${what} are used`,
    description: `The ${plan} plan allows ${of} ${what}. Anything beyond that is refused, and nothing you have is lost. Compare the plans and choose a larger one before you reach the limit.`,
  };
}

/** Sent once per month, however many scheduled runs are skipped. */
export function runsSkipped(month: string): Wording {
  return {
    template: "runs-skipped",
    about: month,
    type: "ANNOUNCEMENT",
    priority: 4,
    action: "SELECT_SERVICE",
    summary: "Scheduled runs are skipped",
    description:
      "The executions left this month were not enough for a scheduled run, so it was skipped, and so are the ones after it. They run again on a larger plan, or next month.",
  };
}

export function paymentApproval(plan: string, trialDays: number): Wording {
  return {
    template: "approve-payment",
    type: "ANNOUNCEMENT",
    priority: 4,
    action: "APPROVE_SUBSCRIPTION_PAYMENT",
    summary: `Approve the payment for ${plan}`,
    description: `The subscription to ${plan} is waiting for your approval at the payment provider. It starts as soon as you approve the payment there.${trialDays > 0 ? ` The first ${trialDays === 1 ? "day is" : `${trialDays} days are`} free.` : ""}`,
  };
}

export function paymentFailed(plan: string): Wording {
  return {
    template: "payment-failed",
    type: "ANNOUNCEMENT",
    priority: 4,
    action: "APPROVE_SUBSCRIPTION_PAYMENT",
    summary: `A payment for ${plan} failed`,
    description: `The payment provider could not collect the payment for ${plan}. You keep the plan for a week. Make sure there that the next payment goes through by then, or schedules pause. Nothing you created is deleted.`,
  };
}

/** The reason that the operator gave for the suspension. */
export function createHeldWording(plan: string, because: string): Wording {
  return {
    template: "held",
    type: "ANNOUNCEMENT",
    priority: 4,
    action: "APPROVE_SUBSCRIPTION_PAYMENT",
    summary: `The subscription to ${plan} is suspended`,
    description: `The portal's operator suspended it: ${because} Nothing is charged in the meantime. You keep the plan for a week, then schedules pause. Nothing you created is deleted.`,
  };
}
