import { expect, test } from "vitest";
import { isOpen, judgeInviting, statusAt } from "./invitation.ts";

const now = new Date("2026-03-01T12:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

test("an open invitation is expired from its expiry on, and a final status does not change", () => {
  expect(statusAt({ status: "SENT", expiresAt: hoursAgo(-1) }, now)).toBe("SENT");
  expect(statusAt({ status: "PENDING", expiresAt: now }, now)).toBe("EXPIRED");
  expect(statusAt({ status: "ACCEPTED", expiresAt: hoursAgo(1) }, now)).toBe("ACCEPTED");
  expect(statusAt({ status: "CANCELLED", expiresAt: hoursAgo(-1) }, now)).toBe("CANCELLED");
});

test("only pending and sent invitations can be accepted", () => {
  const expiresAt = hoursAgo(-1);
  const open = (["PENDING", "SENT", "ACCEPTED", "CANCELLED", "EXPIRED"] as const).filter((status) =>
    isOpen({ status, expiresAt }, now),
  );
  expect(open).toEqual(["PENDING", "SENT"]);
  expect(isOpen({ status: "SENT", expiresAt: now }, now)).toBe(false);
});

test("an organization sends at most 500 invitations in 24 hours", () => {
  const recent = Array.from({ length: 499 }, (_, index) => ({ emailKey: `${index}`, createdAt: hoursAgo(23) }));
  expect(judgeInviting(recent, ["a"], now).left).toBe(1);
  const yesterday = recent.map((one) => ({ ...one, createdAt: hoursAgo(24) }));
  expect(judgeInviting(yesterday, ["a"], now).left).toBe(500);
});

test("an organization invites one address at most five times a day", () => {
  const recent = Array.from({ length: 5 }, () => ({ emailKey: "a", createdAt: hoursAgo(1) }));
  expect(judgeInviting(recent, ["a", "b"], now).tiredAddresses).toEqual(["a"]);
  expect(judgeInviting(recent.slice(1), ["a", "b"], now).tiredAddresses).toEqual([]);
});
