import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { account } from "../../sandbox/shop/app.ts";
import { describeShop } from "../../sandbox/shop/document.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import type { Wiring } from "../wiring.ts";
import { exampleTests } from "./example-tests.ts";
import type { RunningShop } from "./shop-process.ts";

type Connections = Wiring["connections"];
export type ExampleBackend = {
  [Service in "apiRegistry" | "testRegistry" | "testExecutioner" | "testAnalyzer"]: ReturnType<Connections[Service]>;
};

export interface Example {
  apiId: string;
  testCircleId: string;
  schedule: { id: string; name: string };
  /** First without problems, then with the shop's problems. */
  runIds: { well: string; failing: string };
}

const incidentPauseMilliseconds = 200;

/** Removes the remains of an interrupted start, found by the name of its API. */
export async function removeExample({ apiRegistry, testRegistry }: ExampleBackend): Promise<void> {
  const { title } = describeShop("", account).info;
  const found = requireValue(await apiRegistry.listApis({ query: { query: title } }), "looking for the example");
  for (const { id: apiId } of found.items.filter(({ name }) => name === title)) {
    const circles = requireValue(await testRegistry.listCircles({ query: { apiId } }), "looking for its circles");
    for (const { id } of circles.items) {
      requireValue(await testRegistry.deleteCircle({ params: { testCircleId: id } }), "removing a circle");
    }
    requireValue(await apiRegistry.deleteApi({ params: { apiId } }), "removing the API");
  }
}

/** Everything through public calls: API, tests, circle, schedule, objective, two runs and their incident. */
export async function makeExample(backend: ExampleBackend, shop: RunningShop): Promise<Example> {
  const { apiRegistry, testRegistry, testAnalyzer } = backend;
  const document = JSON.stringify(describeShop(shop.base, account));
  const registered = await apiRegistry.registerApi({ body: { source: { document }, tags: ["example"] } });
  const { id: apiId } = requireValue(registered, "registering the shop");
  const members = [];
  for (const { phase, ...test } of exampleTests) {
    const created = requireValue(await testRegistry.createTest({ params: { apiId }, body: test }), test.name);
    members.push({ testId: created.id, phase });
  }
  const described = { name: "Checkout", description: "Signs in, keeps the token, and buys two notebooks." };
  const circle = requireValue(await testRegistry.createCircle({ body: { ...described, members } }), "the circle");
  const params = { testCircleId: circle.id };
  const hourly = { name: "Every hour", cron: "7 * * * *", timeZone: "UTC" };
  const schedule = requireValue(await testRegistry.createSchedule({ params, body: hourly }), "the schedule");
  requireValue(await testAnalyzer.setServiceLevel({ params, body: { objective: 99, days: 30 } }), "the objective");

  shop.setProblems(false);
  const well = await runCircle(backend, circle.id);
  shop.setProblems(true);
  const failing = await runCircle(backend, circle.id);
  await awaitIncident(backend, circle.id);
  return {
    apiId,
    testCircleId: circle.id,
    schedule: { id: schedule.id, name: hourly.name },
    runIds: { well, failing },
  };
}

/** Waits for the end. */
async function runCircle({ testExecutioner }: ExampleBackend, testCircleId: string): Promise<string> {
  const headers = { "idempotency-key": randomUUID() };
  for (;;) {
    const started = await testExecutioner.runCircle({
      ...{ params: { testCircleId }, headers, query: { wait: 30 } },
      body: { trigger: "schedule" },
    });
    const { id, state } = requireValue(started, "running the circle");
    if (state === "finished" || state === "cancelled") return id;
  }
}

async function awaitIncident({ testAnalyzer }: ExampleBackend, testCircleId: string): Promise<void> {
  for (;;) {
    const { items } = requireValue(await testAnalyzer.listIncidents({ query: { testCircleId } }), "the incident");
    if (items.length > 0) return;
    await pause(incidentPauseMilliseconds);
  }
}
