import { afterEach, expect, test, vi } from "vitest";
import { actuatorContract } from "#contracts/kit/actuator.ts";
import { connectTo } from "../services/kit/client/client.ts";
import { getDeadlines } from "./deadlines.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("a call to a service that waits for another reports the unavailable one", async () => {
  vi.useFakeTimers();
  const { callMilliseconds, innerCallMilliseconds } = getDeadlines({ serviceDeadlineSeconds: 1 });
  const log = { warn: () => {} };
  const away = () => new Promise<Response>(() => {});
  const rules = { service: "test-executioner", deadlineMilliseconds: innerCallMilliseconds, log };
  const inner = connectTo(actuatorContract, { transport: away }, rules);
  async function passOn(): Promise<Response> {
    const result = await inner().getInfo();
    return Response.json(result.ok ? result.value : result.problem, { status: result.status });
  }
  const outerRules = { service: "test-analyzer", deadlineMilliseconds: callMilliseconds, log };
  const requested = connectTo(actuatorContract, { transport: passOn }, outerRules)().getInfo();
  await vi.advanceTimersByTimeAsync(callMilliseconds);
  expect(await requested).toMatchObject({ ok: false, status: 503, problem: { service: "test-executioner" } });
});
