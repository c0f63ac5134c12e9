import { expect, test } from "vitest";
import { dayStarts, isReserved, newAddress, publicStanding } from "./status-page.ts";

test("the days shown are the last ninety, today among them", () => {
  const starts = dayStarts(new Date("2026-03-10T12:30:00Z"));
  expect([starts.length, starts[0], starts.at(-1)]).toEqual([
    ...[90, new Date("2025-12-11T00:00:00Z"), new Date("2026-03-10T00:00:00Z")],
  ]);
});

test("a circle stands as its last run that came to a verdict", () => {
  const run = (verdict: "passed" | "flaky" | "errored" | "skipped" | null, finishedAt: string) => ({
    verdict,
    finishedAt,
  });
  expect(publicStanding([run(null, "3"), run("skipped", "2"), run("flaky", "1"), run("errored", "0")])).toEqual({
    ...{ standing: "working", checkedAt: "1" },
  });
  expect(publicStanding([run("errored", "1"), run("passed", "0")])).toMatchObject({ standing: "failing" });
  expect(publicStanding([])).toEqual({ standing: "unknown", checkedAt: null });
});

test("addresses nobody chose are 128 random bits, and no name can be the portal's own", () => {
  const addresses = new Set(Array.from({ length: 1_000 }, newAddress));
  expect(addresses.size).toBe(1_000);
  for (const address of addresses) expect(Buffer.from(address, "base64url")).toHaveLength(16);
  expect(["admin", "api", "login", "status", "bookshop"].map(isReserved)).toEqual([true, true, true, true, false]);
});
