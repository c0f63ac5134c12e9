import { afterAll, expect } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { createBookshop } from "./bookshop.ts";
import { type CodeTenant, createCodeWorld } from "./code-world.ts";

/** For the tests of a file, which closes it at its end. */
export async function openCodeWorld() {
  const world = await createCodeWorld(testEngines()[0]);
  afterAll(world.close);
  return world;
}

/** Applies the bookshop's files to an organization. */
export async function applyBookshop(tenant: CodeTenant): Promise<CodeTenant> {
  const application = await tenant.apply(await createBookshop().toApply(tenant));
  expect(application).toMatchObject({ state: "applied", problem: null });
  return tenant;
}
