import { expect, test } from "vitest";
import { dayStarts, type EndedRun, getOverallStatus, getPublicStatus, isReserved, newAddress } from "./status-page.ts";

test("the displayed days are the last ninety including today", () => {
  const starts = dayStarts(new Date("2026-03-10T12:30:00Z"));
  expect([starts.length, starts[0], starts.at(-1)]).toEqual([
    ...[90, new Date("2025-12-11T00:00:00Z"), new Date("2026-03-10T00:00:00Z")],
  ]);
});

type Verdict = "passed" | "regional" | "flaky" | "failed" | "errored" | "skipped" | null;
/** Runs as `failed 3/4`: three of four results were good; newest first, each an hour earlier, from noon. */
const ran = (...runs: string[]): EndedRun[] =>
  runs.map((run, index) => {
    const [verdict, share = "0/0"] = run.split(" ") as [string, string?];
    const [passed, all] = share.split("/").map(Number) as [number, number];
    return {
      verdict: (verdict === "none" ? null : verdict) as Verdict,
      finishedAt: at(12 - index),
      ...{ passed, notPassed: all - passed },
    };
  });
const at = (hour: number) => `2026-03-10T${String(hour).padStart(2, "0")}:00:00.000Z`;

test.each([
  ["never ran", [], undefined, "unknown", null],
  ["only cancelled and skipped", ["none", "skipped 0/2"], undefined, "unknown", null],
  ["all good", ["passed 4/4", "failed 0/4"], undefined, "operational", null],
  ["good at a later attempt", ["flaky 4/4"], undefined, "operational", null],
  ["cancelled after a good one", ["none", "skipped", "passed 4/4"], undefined, "operational", null],
  ["one of four fails", ["failed 3/4", "passed 4/4"], undefined, "degraded", at(12)],
  ["regional, so that no test fails by the rule", ["regional 4/4", "passed 4/4"], undefined, "degraded", at(12)],
  ["half fails", ["failed 2/4", "passed 4/4"], undefined, "degraded", at(12)],
  ["more than half fails", ["failed 1/4", "passed 4/4"], undefined, "down", at(12)],
  ["could not be reached", ["errored 0/4", "failed 3/4", "none", "passed 4/4"], undefined, "down", at(11)],
  ["failing in all known runs", ["failed 3/4", "failed 0/4", "failed 3/4"], undefined, "degraded", at(10)],
  ["a good run during an open incident", ["passed 4/4", "failed 0/4"], at(9), "degraded", at(9)],
  ["failing, with an incident that began earlier", ["failed 0/4", "passed 4/4"], at(7), "down", at(7)],
])("public status of a circle: %s", (_, runs, brokenSince, status, since) => {
  expect(getPublicStatus(ran(...runs), brokenSince ? new Date(brokenSince) : undefined)).toMatchObject({
    ...{ standing: status, since },
  });
});

test("generated addresses are 128 random bits, and no custom name can be one of the portal's", () => {
  const addresses = new Set(Array.from({ length: 1_000 }, newAddress));
  expect(addresses.size).toBe(1_000);
  for (const address of addresses) expect(Buffer.from(address, "base64url")).toHaveLength(16);
  expect(["admin", "api", "login", "status", "bookshop"].map(isReserved)).toEqual([true, true, true, true, false]);
});

test("several circles work together if each does, and are down if each is; those not checked yet do not count", () => {
  const at = (standing: "operational" | "degraded" | "down" | "unknown", since: string | null = null) => ({
    ...{ standing, since, checkedAt: standing === "unknown" ? null : "2026-03-10T12:00:00Z" },
  });
  const overall = (...components: ReturnType<typeof at>[]) => getOverallStatus(components).standing;
  expect(overall()).toBe("unknown");
  expect(overall(at("unknown"), at("operational"))).toBe("operational");
  expect(overall(at("down"), at("operational"))).toBe("degraded");
  expect(overall(at("down"), at("unknown"), at("down"))).toBe("down");
  const two = [at("degraded", "2026-03-10T11:00:00Z"), at("down", "2026-03-10T10:00:00Z")];
  expect(getOverallStatus(two)).toMatchObject({ standing: "degraded", since: "2026-03-10T10:00:00Z" });
});
