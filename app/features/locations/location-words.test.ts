import { expect, test } from "vitest";
import {
  deletionWords,
  getAgentWords,
  getLocationState,
  type LocationUse,
  refusedWords,
  revocationWords,
} from "./location-words.ts";

const seen = "2026-11-29T08:00:00Z";
const nothing: LocationUse = {
  tests: { total: 0, items: [] },
  circles: { total: 0, items: [] },
  apis: { total: 0, items: [] },
  continuing: { total: 0, items: [] },
};

test("a location works while one of its agents calls, and is silent only after a call", () => {
  const getState = (active: number, silent: number, lastSeenAt: string | null) =>
    getLocationState({ agents: { active, silent }, lastSeenAt });
  expect(getState(1, 2, seen)).toBe("working");
  expect(getState(0, 2, seen)).toBe("silent");
  expect(getState(0, 1, null)).toBe("registered");
  expect(getState(0, 0, null)).toBe("empty");
});

test("an agent that never called is not called silent", () => {
  expect(getAgentWords({ state: "silent", lastSeenAt: null }).word).toBe("Not started yet");
  expect(getAgentWords({ state: "silent", lastSeenAt: seen }).word).toBe("Silent");
  expect(getAgentWords({ state: "revoked", lastSeenAt: seen }).word).toBe("Revoked");
});

test("what an agent refused, and what was refused of it, is counted in words", () => {
  expect(refusedWords({ blocked: 0, refused: 0 })).toBeUndefined();
  expect(refusedWords({ blocked: 3, refused: 1 })).toBe(
    "3 requests to targets that it does not allow, 1 result not accepted",
  );
});

test("the question before revoking an agent says what becomes of its work", () => {
  const office = { name: "Office", agents: { active: 2, silent: 0 } };
  expect(revocationWords({ running: 2, state: "active" }, office)).toContain(
    "The 2 tests that it runs are taken up by other agents of Office.",
  );
  expect(revocationWords({ running: 0, state: "active" }, office)).toContain("Other agents of Office continue.");
  const alone = { ...office, agents: { active: 1, silent: 1 } };
  expect(revocationWords({ running: 1, state: "active" }, alone)).toContain(
    "No other agent of Office is active: tests that it runs and those that wait there end as skipped",
  );
  // A silent agent is not among the active ones.
  expect(revocationWords({ running: 0, state: "silent" }, alone)).toContain("Other agents of Office continue.");
});

test("the question before deleting a location names what is sent from it, and counts what is beyond ten", () => {
  const idle = { agents: { active: 0, silent: 0 }, waiting: 0 };
  expect(deletionWords(idle, nothing)).toBe("No test, circle or environment is sent from it. This can't be undone.");
  const circles = { total: 1, items: [{ name: "Nightly", href: "/nightly" }] };
  const apis = { total: 4, items: ["A", "B", "C", "D"].map((name) => ({ name, href: `/${name}` })) };
  const words = deletionWords({ agents: { active: 1, silent: 1 }, waiting: 1 }, { ...nothing, circles, apis });
  expect(words).toContain("Its 2 agents can no longer call. 1 waiting test will end as skipped.");
  expect(words).toContain("It is chosen for 1 circle (Nightly) and 4 APIs (A, B, C, and D): their runs are refused");
  expect(words).toContain("until you choose another. Nothing is sent from elsewhere instead.");
  const many = { total: 30, items: Array.from({ length: 20 }, (_, at) => ({ name: `C${at + 1}`, href: `/${at}` })) };
  expect(deletionWords(idle, { ...nothing, circles: many })).toContain("C9, C10, and 20 more): their runs are refused");
  expect(deletionWords(idle, { ...nothing, circles, continuing: circles })).toBe(
    "1 circle (Nightly) continues from its other places. This can't be undone.",
  );
  const mixed = deletionWords(idle, { ...nothing, circles: many, continuing: { total: 1, items: [many.items[0]!] } });
  expect(mixed).toContain("It is chosen for 29 circles (C2, C3,");
  expect(mixed).toContain("1 circle (C1) continues from its other places.");
  expect(deletionWords(idle, undefined)).toContain("can't be listed right now");
});
