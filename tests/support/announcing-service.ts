import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { notFound } from "#contracts/kit/problem.ts";
import type { UserNotification } from "#contracts/portal-service/notifications.ts";

export interface AnnouncingService {
  origin: string;
  /** Resets the state of all to new. */
  renew(): void;
  /** Closes the connections of that many calls before it responds again. */
  hangUp(calls: number): void;
  /** The state of each by its summary. */
  states(): Record<string, string>;
  stop(): Promise<void>;
}

const announcement = (index: number, priority: number, summary: string, action: string): UserNotification => ({
  id: `01900000-0000-7000-8000-00000000000${index}`,
  type: "ANNOUNCEMENT",
  state: "NEW",
  priority,
  summary,
  description: "It waits for you. Nobody else can do it.",
  action,
  subscriptionId: null,
  createdAt: `2026-01-01T00:00:0${index}.000Z`,
  updatedAt: `2026-01-01T00:00:0${index}.000Z`,
});

/** Stands in for a portal-service with three announcements for every user who signs in; it can be unavailable. */
export async function startAnnouncingService(): Promise<AnnouncingService> {
  let hangingUp = 0;
  const announcements = [
    announcement(1, 3, "Subscribe to Team", "SUBSCRIBE_TO_SERVICE"),
    announcement(2, 4, "Approve the payment for Team", "APPROVE_SUBSCRIPTION_PAYMENT"),
    announcement(3, 2, "Read what is new", "READ_NEWS"),
  ];
  const server = createServer(async (request, response) => {
    if (hangingUp-- > 0) return response.destroy();
    const [, id, verb] = /^\/api\/v1\/notifications\/([^/]+)(?:\/(\w+))?$/.exec(request.url ?? "") ?? [];
    const one = announcements.find((candidate) => candidate.id === id);
    if (one && verb === "skip") one.state = "SKIPPED";
    if (one && verb === "complete") one.state = "COMPLETED";
    if (one && verb === "state") Object.assign(one, await json(request));
    response.setHeader("content-type", "application/json");
    if (/\/portal-subscriptions\/./.test(request.url ?? "")) {
      response.statusCode = 404;
      return response.end(JSON.stringify(notFound("subscription").toDetails()));
    }
    response.end(JSON.stringify(one ?? announcements));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    renew() {
      hangingUp = 0;
      for (const one of announcements) one.state = "NEW";
    },
    hangUp(calls) {
      hangingUp = calls;
    },
    states: () => Object.fromEntries(announcements.map(({ summary, state }) => [summary, state])),
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
