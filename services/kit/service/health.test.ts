import { expect, test } from "vitest";
import { createHealth } from "./health.ts";

const up = async () => {};
const down = async () => {
  throw new Error("away");
};

test("health is red without a required component, and only reports the others", async () => {
  const database = { name: "database", required: true, check: up };
  const registry = { name: "api-registry", required: false, check: down };
  expect(await createHealth([database, registry])()).toEqual({
    status: "UP",
    components: { database: { status: "UP", required: true }, "api-registry": { status: "DOWN", required: false } },
  });
  expect((await createHealth([{ ...database, check: down }, registry])()).status).toBe("DOWN");
});

test("a component without a response counts as down, and fifty concurrent calls cause one check", async () => {
  let checks = 0;
  const health = createHealth([
    {
      name: "database",
      required: true,
      check: () => {
        checks += 1;
        return new Promise(() => {});
      },
    },
  ]);
  const results = await Promise.all(Array.from({ length: 50 }, () => health()));
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["DOWN"]));
  expect(checks).toBe(1);
});
