import { z } from "@hono/zod-openapi";
import { endpoint, identifier, moment, type Tag } from "../kit/endpoint.ts";

export const notificationTypes = ["ANNOUNCEMENT", "NOTIFICATION"] as const;
export const notificationStates = ["NEW", "PENDING", "COMPLETED", "SKIPPED", "FAILED"] as const;
export type NotificationState = (typeof notificationStates)[number];

/** Target of the Continue action (section 4 of the specification); any other action leads to the home page. */
export const notificationActions = ["SELECT_SERVICE", "SUBSCRIBE_TO_SERVICE", "APPROVE_SUBSCRIPTION_PAYMENT"] as const;

const tag: Tag = { name: "Notifications", description: "What the portal asks its users to do." };

export const notification = z
  .object({
    id: identifier,
    type: z
      .enum(notificationTypes)
      .describe("An ANNOUNCEMENT opens in the modal, a NOTIFICATION appears on the dashboard."),
    state: z.enum(notificationStates).describe("NEW and PENDING are outstanding."),
    priority: z.number().int().describe("4 or more is critical, 3 high, 2 medium, below 2 low."),
    summary: z.string().openapi({ example: "Choose a plan" }),
    description: z.string().openapi({ example: "The trial ends in a week." }),
    action: z.string().nullable().describe("Target of Continue").openapi({ example: "SUBSCRIBE_TO_SERVICE" }),
    subscriptionId: z.string().nullable().describe("The item to be paid for").openapi({ example: null }),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("UserNotification");
export type UserNotification = z.infer<typeof notification>;

const params = z.object({ notificationId: z.uuid() });

/** A bare string is also accepted. */
const newState = z.preprocess(
  (body: NotificationState | { state: NotificationState }) => (typeof body === "string" ? { state: body } : body),
  z.object({ state: z.enum(notificationStates) }),
);

export const listNotifications = endpoint({
  method: "get",
  path: "/api/v1/notifications",
  access: "signed-in",
  tag,
  summary: "The caller's notifications",
  description: "At most 200, outstanding ones first, each part newest first.",
  status: 200,
  response: z.array(notification),
});

export const getNotification = endpoint({
  method: "get",
  path: "/api/v1/notifications/{notificationId}",
  access: "signed-in",
  tag,
  summary: "One of the caller's notifications",
  description: "Its text and its target.",
  params,
  status: 200,
  response: notification,
});

export const setNotificationState = endpoint({
  method: "put",
  path: "/api/v1/notifications/{notificationId}/state",
  access: "signed-in",
  audit: { nothingBecause: "Personal setting of the caller" },
  tag,
  summary: "Sets a notification's state",
  description: "A bare string is also accepted. SKIPPED set here is permanent.",
  params,
  body: newState,
  status: 200,
  response: notification,
  problems: { conflict: "The current state can't change to this one." },
});

export const skipNotification = endpoint({
  method: "post",
  path: "/api/v1/notifications/{notificationId}/skip",
  access: "signed-in",
  audit: { nothingBecause: "Personal setting of the caller" },
  tag,
  summary: "Skips a notification for a day",
  description: "Outstanding again after a day.",
  params,
  status: 200,
  response: notification,
  problems: { conflict: "It is not outstanding." },
});

export const completeNotification = endpoint({
  method: "post",
  path: "/api/v1/notifications/{notificationId}/complete",
  access: "signed-in",
  audit: { nothingBecause: "Personal setting of the caller" },
  tag,
  summary: "Marks a notification as done",
  description: "The notification is not shown again.",
  params,
  status: 200,
  response: notification,
  problems: { conflict: "It is not outstanding." },
});

export const announcePaymentApproval = endpoint({
  method: "post",
  path: "/internal/v1/notifications/payment-approvals",
  access: "internal",
  audit: { nothingBecause: "A reminder, created again whenever it is due" },
  summary: "Asks a user of the caller's organization to approve a subscription's payment",
  description:
    "Idempotent for each subscription: repeated, it returns the existing notification. 422 for a plan that does not exist.",
  body: z.object({ userId: z.uuid(), subscriptionId: z.string().min(1).max(100), serviceId: z.string().max(100) }),
  status: 200,
  response: notification,
});
