import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ApiSummary } from "#contracts/api-registry/apis.ts";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import type { RunTrigger } from "#contracts/test-executioner/verdicts.ts";
import { account } from "../../sandbox/shop/app.ts";
import { describeShop } from "../../sandbox/shop/document.ts";
import type { CallResult } from "../../services/kit/client/client.ts";
import type { Wiring } from "../wiring.ts";
import { exampleTests } from "./example-tests.ts";
import type { Shop } from "./shop-process.ts";

type Connections = Wiring["connections"];
export type ExampleBackend = {
  [Service in "apiRegistry" | "testRegistry" | "testExecutioner" | "testAnalyzer"]: ReturnType<Connections[Service]>;
};

export interface Example {
  apiId: string;
  testCircleId: string;
  schedule: { id: string; name: string };
}

/** A service refused a part of the example, such as for the limits of a plan. */
export class ExampleRefused extends Error {
  override readonly name = "ExampleRefused";
  constructor(
    readonly problem: ProblemDetails,
    purpose: string,
  ) {
    super(`${purpose}: ${problem.status} ${problem.code}: ${problem.detail}`);
  }
}

function need<Value>(result: CallResult<Value>, purpose: string): Value {
  if (result.ok) return result.value;
  throw new ExampleRefused(result.problem, purpose);
}

const pauseMilliseconds = 200;
const { title } = describeShop("", account).info;

/** Removes an example, or the remains of an interrupted one. @param isIt identifies it among APIs of the same title */
export async function removeExample(
  { apiRegistry, testRegistry }: ExampleBackend,
  isIt: (api: ApiSummary) => boolean = () => true,
): Promise<void> {
  const found = need(await apiRegistry.listApis({ query: { query: title } }), "looking for the example");
  for (const { id: apiId } of found.items.filter((api) => api.name === title && isIt(api))) {
    const circles = need(await testRegistry.listCircles({ query: { apiId } }), "looking for its circles");
    for (const { id } of circles.items) {
      need(await testRegistry.deleteCircle({ params: { testCircleId: id } }), "removing a circle");
    }
    need(await apiRegistry.deleteApi({ params: { apiId } }), "removing the API");
  }
}

/** Everything through public calls: API, tests, circle, schedule and objective. @param cron in UTC */
export async function registerExample(
  backend: ExampleBackend,
  shop: Shop,
  name: string,
  cron: string,
): Promise<Example> {
  const { apiRegistry, testRegistry, testAnalyzer } = backend;
  const document = JSON.stringify(describeShop(shop.base, account));
  const registered = await apiRegistry.registerApi({ body: { source: { document }, tags: ["example"] } });
  const { id: apiId } = need(registered, "registering the shop");
  const members = [];
  for (const { phase, ...test } of exampleTests) {
    const created = need(await testRegistry.createTest({ params: { apiId }, body: test }), test.name);
    members.push({ testId: created.id, phase });
  }
  const described = {
    name: "Checkout",
    description:
      "Signs in, keeps the token, and buys two notebooks. Two tests fail on purpose: the example shop returns a price as text, and 500 for an unknown order.",
  };
  const circle = need(await testRegistry.createCircle({ body: { ...described, members } }), "the circle");
  const params = { testCircleId: circle.id };
  const schedule = need(
    await testRegistry.createSchedule({ params, body: { name, cron, timeZone: "UTC" } }),
    "the schedule",
  );
  need(await testAnalyzer.setServiceLevel({ params, body: { objective: 99, days: 30 } }), "the objective");
  return { apiId, testCircleId: circle.id, schedule: { id: schedule.id, name } };
}

/** Starts a run of the circle. @param wait until it has finished */
export async function runCircle(
  { testExecutioner }: ExampleBackend,
  { testCircleId, trigger, wait }: { testCircleId: string; trigger: RunTrigger; wait: boolean },
): Promise<string> {
  const headers = { "idempotency-key": randomUUID() };
  for (;;) {
    const started = await testExecutioner.runCircle({
      ...{ params: { testCircleId }, headers, query: wait ? { wait: 30 } : {} },
      body: { trigger },
    });
    const { id, state } = need(started, "running the circle");
    if (!wait || state === "finished" || state === "cancelled") return id;
  }
}

/** The shop's next version has two problems, which is what its incidents then name as the change before them. */
export async function breakShop({ testAnalyzer }: ExampleBackend, shop: Shop, apiId: string): Promise<void> {
  shop.setProblems(true);
  const headers = { "idempotency-key": randomUUID() };
  need(await testAnalyzer.createMark({ headers, body: { name: `${title} 1.1`, apiId } }), "the mark");
}

/** Two runs as by its schedule, first without problems and then with them, and the incident of the second. */
export async function runTwice(backend: ExampleBackend, shop: Shop, { apiId, testCircleId }: Example) {
  shop.setProblems(false);
  const run = () => runCircle(backend, { testCircleId, trigger: "schedule", wait: true });
  const well = await run();
  await breakShop(backend, shop, apiId);
  const failing = await run();
  for (;;) {
    const found = await backend.testAnalyzer.listIncidents({ query: { testCircleId } });
    if (need(found, "the incident").items.length > 0) return { well, failing };
    await pause(pauseMilliseconds);
  }
}
