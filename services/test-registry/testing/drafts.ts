import type { TestInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { Tenant } from "./circle-maker.ts";

export type Draft = Partial<TestInput> & Pick<TestInput, "name">;

/** A test of pets that checks only that the API does not fail. */
export function draft(changes: Draft) {
  return { method: "get", path: "/pets", request: {}, checks: ["not_a_server_error" as const], ...changes };
}

export async function createTest({ client, apiId }: Tenant, changes: Draft) {
  return requireValue(await client.createTest({ params: { apiId }, body: draft(changes) }), "create");
}
