import { expect, test } from "vitest";
import type { UserNotification } from "#contracts/portal-service/notifications.ts";
import { nextAnnouncement, priorityHints, priorityLevel } from "#contracts/portal-service/outstanding.ts";

let minute = 0;
function announcement(name: string, changes: Partial<UserNotification> = {}) {
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, minute++)).toISOString();
  return { name, type: "ANNOUNCEMENT" as const, state: "NEW" as const, priority: 2, createdAt, ...changes };
}

test("priorities are critical from 4, high at 3, medium at 2 and low below", () => {
  expect([-1, 0, 1, 2, 3, 4, 9].map(priorityLevel)).toEqual([
    "LOW",
    "LOW",
    "LOW",
    "MEDIUM",
    "HIGH",
    "CRITICAL",
    "CRITICAL",
  ]);
});

test("every level has its hint", () => {
  expect(priorityHints.CRITICAL).toMatch(/immediate attention/i);
  expect(new Set(Object.values(priorityHints)).size).toBe(4);
});

test("the highest priority is next, the older one among equals", () => {
  const older = announcement("older", { priority: 3 });
  const others = [announcement("younger", { priority: 3 }), older, announcement("low", { priority: 1 })];
  expect(nextAnnouncement([...others, announcement("high", { priority: 4, state: "PENDING" })])?.name).toBe("high");
  expect(nextAnnouncement(others)?.name).toBe("older");
});

test("a completed or skipped notification, or one displayed only on the dashboard, is never next", () => {
  const ended = (["COMPLETED", "SKIPPED", "FAILED"] as const).map((state) => announcement(state, { state }));
  expect(nextAnnouncement([...ended, announcement("quiet", { type: "NOTIFICATION", priority: 4 })])).toBeUndefined();
});
