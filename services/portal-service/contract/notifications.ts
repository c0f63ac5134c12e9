import { z } from "@hono/zod-openapi";
import { operation } from "../../kit/contract/operation.ts";

export const notificationTypes = ["ANNOUNCEMENT", "NOTIFICATION"] as const;
export const notificationStates = ["NEW", "PENDING", "COMPLETED", "SKIPPED", "FAILED"] as const;
export type NotificationState = (typeof notificationStates)[number];

/** Where Continue leads (section 4 of the specification); any other action leads home. */
export const notificationActions = ["SELECT_SERVICE", "SUBSCRIBE_TO_SERVICE", "APPROVE_SUBSCRIPTION_PAYMENT"] as const;

export const notification = z
  .object({
    id: z.uuid(),
    /** An ANNOUNCEMENT asks for something in the modal, a NOTIFICATION stands on the dashboard. */
    type: z.enum(notificationTypes),
    /** NEW and PENDING are outstanding. */
    state: z.enum(notificationStates),
    /** 4 or more is critical, 3 high, 2 medium, below 2 low. */
    priority: z.number().int(),
    summary: z.string(),
    description: z.string(),
    action: z.string().nullable(),
    subscriptionId: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .openapi("UserNotification");
export type UserNotification = z.infer<typeof notification>;

const params = z.object({ notificationId: z.uuid() });

/** A plain list, as the specification has it, of at most 200: outstanding ones first, each part newest first. */
export const listNotifications = operation({
  method: "get",
  path: "/api/v1/notifications",
  access: "signed-in",
  summary: "The caller's notifications",
  status: 200,
  answer: z.array(notification),
});

export const getNotification = operation({
  method: "get",
  path: "/api/v1/notifications/{notificationId}",
  access: "signed-in",
  summary: "One of the caller's notifications",
  params,
  status: 200,
  answer: notification,
});

/** 409 for a transition that is not allowed. SKIPPED set here is for good. */
export const setNotificationState = operation({
  method: "put",
  path: "/api/v1/notifications/{notificationId}/state",
  access: "signed-in",
  audit: { nothingBecause: "Its reader's own mark" },
  summary: "Sets a notification's state",
  params,
  body: z.object({ state: z.enum(notificationStates) }),
  status: 200,
  answer: notification,
});

/** Not now: it is outstanding again after a day. */
export const skipNotification = operation({
  method: "post",
  path: "/api/v1/notifications/{notificationId}/skip",
  access: "signed-in",
  audit: { nothingBecause: "Its reader's own mark" },
  summary: "Skips a notification for a day",
  params,
  status: 200,
  answer: notification,
});

export const completeNotification = operation({
  method: "post",
  path: "/api/v1/notifications/{notificationId}/complete",
  access: "signed-in",
  audit: { nothingBecause: "Its reader's own mark" },
  summary: "Says that what a notification asks for is done",
  params,
  status: 200,
  answer: notification,
});

/** Asks once for each subscription: said again, it answers the one there is. 422 for a plan that does not exist. */
export const announcePaymentApproval = operation({
  method: "post",
  path: "/internal/v1/notifications/payment-approvals",
  access: "internal",
  audit: { nothingBecause: "A reminder, made again whenever it is due" },
  summary: "Asks a user of the caller's organization to approve a subscription's payment",
  body: z.object({ userId: z.uuid(), subscriptionId: z.string().min(1).max(100), serviceId: z.string().max(100) }),
  status: 200,
  answer: notification,
});
