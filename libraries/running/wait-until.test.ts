import { expect, test, vi } from "vitest";
import type { Test } from "#contracts/test-registry/tests.ts";
import { CancelledWait } from "./pause.ts";
import { runTest } from "./run-test.ts";
import { createParts, toRun } from "./testing/parts.ts";

const { signal } = new AbortController();

const everySecond = { everySeconds: 1, atMostSeconds: 5 };
const badly = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ status: 404, body: `{"try":${index + 1}}` }));

/** Runs a test that waits, on a clock that advances without waiting. */
async function runWaiting(
  answers: Parameters<typeof createParts>[0],
  changes: Partial<Test>,
  options: Partial<Parameters<typeof runTest>[2]> = {},
) {
  const { parts, sent } = createParts(answers);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const ended = runTest(parts, toRun(changes), { signal, ...options }).finally(() => {
      isOver = true;
    });
    ended.catch(() => {});
    let isOver = false;
    while (!isOver) {
      vi.advanceTimersToNextTimer();
      await new Promise(setImmediate);
    }
    return { result: await ended, sent };
  } finally {
    vi.useRealTimers();
  }
}

test("a condition that is met late is passed, not flaky, with the number of tries and the time", async () => {
  const { result } = await runWaiting([...badly(3), { status: 200, body: "{}" }], { waitUntil: everySecond });
  expect(result).toMatchObject({ verdict: "passed", attemptCount: 4, statusCode: 200 });
  expect(result.waitedMilliseconds).toBeGreaterThanOrEqual(3_000);
  expect(result.attempts.map(({ number, verdict }) => [number, verdict])).toEqual([
    ...[1, 2, 3].map((number) => [number, "failed"]),
    [4, "passed"],
  ]);
});

test("a condition that is never met is failed with the last response, and no try starts after the longest wait", async () => {
  const { result, sent } = await runWaiting(badly(100), { waitUntil: { everySeconds: 2, atMostSeconds: 5 } });
  expect(result).toMatchObject({ verdict: "failed", attemptCount: 4, statusCode: 404 });
  expect(sent).toHaveLength(4);
  expect(result.attempts.at(-1)!.response!.body).toBe('{"try":4}');
  expect(result.verifications.map(({ outcome }) => outcome)).toEqual(["failed"]);
});

test("of many tries the first and the last nine are stored", async () => {
  const waitUntil = { everySeconds: 0.1, atMostSeconds: 3 };
  const { result, sent } = await runWaiting(badly(200), { waitUntil });
  expect(result.attemptCount).toBe(sent.length);
  expect(sent.length).toBeGreaterThan(20);
  const last = sent.length;
  expect(result.attempts.map(({ number }) => number)).toEqual([
    1,
    ...Array.from({ length: 9 }, (_, n) => last - 8 + n),
  ]);
});

test("secrets captured by a try that is not stored are hidden in later ones", async () => {
  const secret = "correct horse battery";
  const answers = badly(20).map((answer, index) => ({
    ...answer,
    body: index === 1 ? `{"token":"${secret}"}` : `{"token":null,"echo":"${secret}"}`,
  }));
  const { result } = await runWaiting(answers, {
    waitUntil: { everySeconds: 1, atMostSeconds: 15 },
    captures: [{ name: "token", source: "jsonPath", property: "$.token", secret: true }],
  });
  expect(result.attempts.map(({ number }) => number).slice(0, 2)).toEqual([1, result.attemptCount - 8]);
  expect(result.attemptCount).toBeGreaterThan(10);
  expect(JSON.stringify(result.attempts.slice(1))).not.toContain("battery");
});

test("cancelling ends the wait before its next try", async () => {
  const cancelling = new AbortController();
  let answers = 0;
  const onAnswer = () => {
    answers += 1;
    if (answers === 2) cancelling.abort(new CancelledWait());
  };
  const waiting = runWaiting(badly(9), { waitUntil: everySecond }, { onAnswer, cancelled: cancelling.signal });
  await expect(waiting).rejects.toBeInstanceOf(CancelledWait);
  expect(answers).toBe(2);
});
