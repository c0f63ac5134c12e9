import { requireValue } from "../../kit/client/client.ts";
import type { createTestRegistryWorld } from "./world.ts";

type World = Awaited<ReturnType<typeof createTestRegistryWorld>>;
export type Tenant = ReturnType<World["createTenant"]>;
export type ScheduleBody = Parameters<Tenant["client"]["createSchedule"]>[0]["body"];

/** A circle of one test. */
export async function createCircle({ client, apiId }: Tenant, name = "Daily"): Promise<string> {
  const body = { name: "a test", method: "get", path: "/", request: {}, checks: ["not_a_server_error" as const] };
  const test = requireValue(await client.createTest({ params: { apiId }, body }), "create a test");
  return requireValue(await client.createCircle({ body: { name, members: [{ testId: test.id }] } }), "create a circle")
    .id;
}

export const everyMorning = { cron: "0 7 * * 1-5", timeZone: "Europe/Berlin" };

export async function createSchedule({ client }: Tenant, testCircleId: string, body: Partial<ScheduleBody> = {}) {
  const created = await client.createSchedule({ params: { testCircleId }, body: { ...everyMorning, ...body } });
  return requireValue(created, "create a schedule");
}
