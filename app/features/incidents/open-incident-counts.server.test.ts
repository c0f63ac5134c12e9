import { expect, onTestFinished, test, vi } from "vitest";
import type { Backend } from "~/backend/backend";
import { createIncidentCounts } from "./open-incident-counts.server";

/** A backend that responds with these results in turn, and then no more. */
function respondWith(...results: (number | "refused" | Promise<never>)[]) {
  const listIncidents = vi.fn(async () => {
    const result = await results.shift();
    if (result === "refused") return { ok: false };
    return { ok: true, value: { items: [], total: result } };
  });
  return { backend: { testAnalyzer: { listIncidents } } as unknown as Backend, listIncidents };
}

test("open incidents are counted once in ten seconds, and again after the user changed something", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const counts = createIncidentCounts(300);
  const { backend, listIncidents } = respondWith(3, 2, 1);
  const count = () => counts.count("ada", backend);
  expect([await count(), await count()]).toEqual([3, 3]);
  expect(listIncidents).toHaveBeenCalledExactlyOnceWith({ query: { state: "unresolved", limit: 1 } });
  counts.forget("ada");
  expect([await count(), await count()]).toEqual([2, 2]);
  vi.advanceTimersByTime(10_001);
  expect(await count()).toBe(1);
});

test("each user has a count", async () => {
  const counts = createIncidentCounts(300);
  expect(await counts.count("ada", respondWith(3).backend)).toBe(3);
  expect(await counts.count("bob", respondWith(0).backend)).toBe(0);
});

test("a service that fails or does not respond leaves the count out, and delays no page", async () => {
  const counts = createIncidentCounts(300);
  expect(await counts.count("ada", respondWith("refused").backend)).toBeUndefined();
  expect(await counts.count("bob", respondWith(Promise.reject(new Error("away"))).backend)).toBeUndefined();
  expect(await counts.count("eve", respondWith(new Promise<never>(() => {})).backend)).toBeUndefined();
});

test("a page that waits no longer displays the count before", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const counts = createIncidentCounts(300);
  const { backend } = respondWith(3, new Promise<never>(() => {}));
  expect(await counts.count("ada", backend)).toBe(3);
  vi.advanceTimersByTime(10_001);
  expect(await counts.count("ada", backend)).toBe(3);
});
