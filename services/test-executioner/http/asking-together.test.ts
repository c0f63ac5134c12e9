import { expect, test } from "vitest";
import type { CallResult } from "../../kit/client/client.ts";
import { askTogether } from "./asking-together.ts";

type Answered = CallResult<{ items: (string | null)[] }>;

const answered = (items: (string | null)[]): Answered => ({
  ...{ ok: true, status: 200, value: { items }, response: new Response() },
});
const refused = (status: 500 | 503): Answered => {
  const code = status === 503 ? "service_unavailable" : "internal_error";
  return { ok: false, status, problem: { type: "about:blank", title: "no", status, code, detail: "no" } };
};

test("simultaneous requests are sent in one call, and each gets its own result", async () => {
  const calls: string[][] = [];
  const ask = askTogether(async (names: string[]) => {
    calls.push(names);
    return answered(names.map((name) => (name === "absent" ? null : name.toUpperCase())));
  }, "circle");
  const results = await Promise.allSettled([ask("a"), ask("absent"), ask("b")]);
  expect(calls).toEqual([["a", "absent", "b"]]);
  expect(results).toMatchObject([
    { value: "A" },
    { reason: { code: "not_found", message: "No such circle." } },
    { value: "B" },
  ]);
});

test("one that fails gets its problem, and the others get their results", async () => {
  const ask = askTogether(
    async (names: string[]) => (names.includes("broken") ? refused(500) : answered(names)),
    "circle",
  );
  const results = await Promise.allSettled([ask("a"), ask("broken"), ask("b")]);
  expect(results).toMatchObject([{ value: "a" }, { reason: { code: "internal_error" } }, { value: "b" }]);
});

test("an unavailable service is called once", async () => {
  let calls = 0;
  const ask = askTogether(async (_: string[]) => {
    calls += 1;
    return refused(503);
  }, "circle");
  const results = await Promise.allSettled([ask("a"), ask("b")]);
  expect(results.map((outcome) => outcome.status === "rejected" && outcome.reason.code)).toEqual([
    "service_unavailable",
    "service_unavailable",
  ]);
  expect(calls).toBe(1);
});
