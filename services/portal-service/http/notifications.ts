import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { mayBeSaidByUser, moveTo, type NotificationStatus, skippedFrom } from "../domain/notification.ts";
import { paymentApproval } from "../domain/welcome-notifications.ts";
import {
  findOwnNotification,
  findPaymentApproval,
  insertNotifications,
  listOwnNotifications,
  moveOwnNotification,
} from "../store/notifications.ts";
import { findPlan } from "../store/plans.ts";
import { createGreeting, type GreetingParts } from "./greeting.ts";

type NotificationHandlers = Pick<
  Handlers<typeof portalServiceContract>,
  | "listNotifications"
  | "getNotification"
  | "setNotificationState"
  | "skipNotification"
  | "completeNotification"
  | "announcePaymentApproval"
>;

/** Notifications belong to users: a service, which may make any call, has none. */
function requirePerson(caller: Identity): Identity {
  if (caller.kind !== "user") throw notFound("notification");
  return caller;
}

/** Creates the handlers of a caller's own notifications and of those caused by other services. */
export function createNotificationHandlers(parts: GreetingParts & { clock: Clock }): NotificationHandlers {
  const { db, clock } = parts;
  const greet = createGreeting(parts);

  async function move(caller: Identity, id: string, wanted: NotificationStatus, now: Date) {
    const decide = (current: NotificationStatus) => {
      const next = moveTo(current, wanted);
      if (!next) throw new Problem("conflict", `A notification that is ${current.state} can't become ${wanted.state}.`);
      return next;
    };
    const moved = await db
      .transaction()
      .execute((transaction) => moveOwnNotification(transaction, requirePerson(caller), id, decide, now));
    if (!moved) throw notFound("notification");
    return moved;
  }

  return {
    async listNotifications({ caller, requestId, log }) {
      const person = requirePerson(caller);
      const now = clock.now();
      await greet({ person, now, requestId, log });
      return await listOwnNotifications(db, person, now);
    },

    async getNotification({ caller, params }) {
      const found = await findOwnNotification(db, requirePerson(caller), params.notificationId, clock.now());
      if (!found) throw notFound("notification");
      return found;
    },

    async setNotificationState({ caller, params, body }) {
      if (caller.kind === "user" && !mayBeSaidByUser(body.state)) {
        const message = "Use PENDING, COMPLETED or SKIPPED";
        throw new Problem("invalid_input", undefined, { errors: [{ path: "state", message }] });
      }
      return await move(caller, params.notificationId, { state: body.state, returnsAt: null }, clock.now());
    },

    async skipNotification({ caller, params }) {
      const now = clock.now();
      return await move(caller, params.notificationId, skippedFrom(now), now);
    },

    async completeNotification({ caller, params }) {
      return await move(caller, params.notificationId, { state: "COMPLETED", returnsAt: null }, clock.now());
    },

    async announcePaymentApproval({ caller, body }) {
      const owner = { organizationId: caller.organizationId, userId: body.userId };
      const plan = await findPlan(db, body.serviceId);
      if (!plan) {
        const message = "No such plan";
        throw new Problem("invalid_input", undefined, { errors: [{ path: "serviceId", message }] });
      }
      const now = clock.now();
      await insertNotifications(db, owner, [paymentApproval(plan.name, 0)], now, body.subscriptionId);
      const stored = await findPaymentApproval(db, owner, body.subscriptionId, now);
      if (!stored) throw new Error("The notification that was just stored is not there.");
      return stored;
    },
  };
}
