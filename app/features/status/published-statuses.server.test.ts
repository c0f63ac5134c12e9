import { expect, test } from "vitest";
import type { PublishedStatus } from "#contracts/test-analyzer/status-pages.ts";
import type { CallResult } from "../../../services/kit/client/client.ts";
import { createPublishedStatuses } from "./published-statuses.server";

type ActionRequest = CallResult<PublishedStatus>;
const isThere = (title: string) => ({ ok: true, status: 200, value: { title } }) as ActionRequest;
const refusal = (status: number) => ({ ok: false, status }) as ActionRequest;
const address = "bookshop";

/** A service that responds as the test sets, with a clock that the test moves. */
function world(first: ActionRequest | Promise<ActionRequest>) {
  const state = { answer: first, asked: 0, now: 1_000_000 };
  const statuses = createPublishedStatuses({
    now: () => state.now,
    ask: async () => {
      state.asked += 1;
      return await state.answer;
    },
  });
  const find = async (client = "192.0.2.1", of = address) => {
    const found = await statuses.find(of, client);
    return found.kind === "found" ? found.status.title : found.kind;
  };
  return { state, statuses, find };
}

test("the service is called once in two seconds, however many clients look", async () => {
  const { state, find } = world(isThere("Up"));
  expect(await Promise.all([find(), find(), find()])).toEqual(["Up", "Up", "Up"]);
  state.now += 1_999;
  expect([await find(), state.asked]).toEqual(["Up", 1]);
  state.now += 1;
  expect([await find(), state.asked]).toEqual(["Up", 2]);
});

test("a page closed by another process is gone after two seconds, one closed here at once", async () => {
  const { state, statuses, find } = world(isThere("Up"));
  await find();
  state.answer = refusal(404);
  expect(await find()).toBe("Up");
  statuses.forget(address);
  expect(await find()).toBe("absent");
});

test("a result requested before a page was closed here is not used afterwards", async () => {
  const { state, statuses, find } = world(isThere("First"));
  let result = (_: ActionRequest) => {};
  state.answer = new Promise<ActionRequest>((resolve) => {
    result = resolve;
  });
  const requesting = find();
  statuses.forget(address);
  state.answer = isThere("Second");
  const after = find();
  result(isThere("First"));
  await requesting;
  expect([await after, await find()]).toEqual(["Second", "Second"]);
});

test("while the service is unavailable the last state is shown, for a day", async () => {
  const { state, find } = world(isThere("Up"));
  await find();
  state.answer = refusal(503);
  state.now += 23 * 3_600_000;
  expect(await find()).toBe("Up");
  state.now += 2 * 3_600_000;
  expect(await find()).toBe("away");
});

test("no request waits for an unresponsive service if the last state is known", async () => {
  const { state, find } = world(isThere("Up"));
  await find();
  let result = (_: ActionRequest) => {};
  state.answer = new Promise<ActionRequest>((resolve) => {
    result = resolve;
  });
  state.now += 3_000;
  const waiting = find();
  state.now += 1_000;
  // The call has exceeded the wait of all requests.
  expect(await find()).toBe("Up");
  result(isThere("Down"));
  await waiting;
  expect([await find(), state.asked]).toEqual(["Down", 2]);
});

test("a client that guesses addresses is refused after thirty misses a minute, and still sees known pages", async () => {
  const { state, find } = world(isThere("Up"));
  await find("198.51.100.7");
  state.answer = refusal(404);
  const tries = Array.from({ length: 31 }, (_, index) => `guess-${index}`);
  const seen = [];
  for (const guess of tries) seen.push(await find("198.51.100.7", guess));
  expect([seen.filter((one) => one === "absent").length, seen.at(-1)]).toEqual([30, "too-many"]);
  expect(await find("198.51.100.7")).toBe("Up");
  expect(await find("198.51.100.8", "guess")).toBe("absent");
  state.now += 60_000;
  expect(await find("198.51.100.7", "guess")).toBe("absent");
});

test("an invalid address is not looked up", async () => {
  const { state, find } = world(isThere("Up"));
  for (const wrong of ["../etc/passwd", "a b", "<script>", "x".repeat(65)])
    expect(await find("c", wrong)).toBe("absent");
  expect(state.asked).toBe(0);
});
