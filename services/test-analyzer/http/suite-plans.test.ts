import { afterAll, beforeAll, expect, test } from "vitest";
import type { SuitePlan } from "#contracts/test-analyzer/suite-plans.ts";
import { testInput } from "#contracts/test-registry/tests.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { listNamesInRows, listPlaceholders } from "#libraries/template/placeholders.ts";
import { fixturesIn } from "../../api-registry/testing/fixtures.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { findTestErrors } from "../../test-registry/domain/test-rules.ts";
import { createTestAnalyzerWorld } from "../testing/world.ts";

const [engine] = testEngines();
let world: Awaited<ReturnType<typeof createTestAnalyzerWorld>>;
beforeAll(async () => {
  if (!engine) throw new Error("no engine");
  world = await createTestAnalyzerWorld(engine);
});
afterAll(() => world.close());

async function planAll(document: string, files: { fileName?: string; files?: Record<string, string> }) {
  const tenant = await world.createTenant();
  const apiId = await tenant.registerApi(document, files);
  const all = (await tenant.listOperations(apiId)).map(({ method, path }) => ({ method, path }));
  const plans: SuitePlan[] = [];
  for (let from = 0; from < all.length; from += 100) {
    const body = { operations: all.slice(from, from + 100) };
    plans.push(requireValue(await tenant.client.planSuite({ params: { apiId }, body }), "plan"));
  }
  return { all, plans };
}

test.each(fixturesIn("valid").map((one) => [one.name, one] as const))(
  "every step of a plan for %s can be saved, and has what it needs from a step before it, a variable or a person",
  async (_, { document, fileName, files }) => {
    const { all, plans } = await planAll(document, { fileName, files });
    const placed = new Set<string>();
    for (const plan of plans) {
      const tests = new Map(plan.tests.map((one) => [one.key, one]));
      for (const { operation } of plan.leftOut) placed.add(`${operation.method} ${operation.path}`);
      for (const circle of plan.circles) {
        for (const { operation } of circle.leftOut) placed.add(`${operation.method} ${operation.path}`);
        const given = new Set(circle.variables.map(({ name }) => name));
        const made = new Set(circle.variables.filter(({ value }) => value?.includes("$uuid")).map(({ name }) => name));
        for (const step of circle.steps) {
          const planned = tests.get(step.test)!;
          const test = testInput.parse(planned.test);
          placed.add(`${test.method} ${test.path}`);
          expect(findTestErrors(test)).toEqual([]);
          const needed = listPlaceholders(JSON.stringify([test.request, test.assertions]));
          const ofRows = new Set((test.data ?? []).flatMap((row) => Object.keys(row)));
          const inRows = listPlaceholders(JSON.stringify(test.data ?? []));
          const all = [...needed.filter((name) => !ofRows.has(name)), ...inRows];
          const lacking = all.filter((name) => !given.has(name) && !planned.needs.includes(name));
          // An identifier that is captured by the creation is sent by none of its own requests.
          expect([circle.name, test.name, lacking]).toEqual([circle.name, test.name, []]);
          if (!isSafe(test.method) && step.effect === undefined && test.path.includes("{")) {
            const last = [...test.path.matchAll(/\{([^{}]+)\}/g)].at(-1)![1];
            const { value = "" } = test.request.pathParameters.find(({ name }) => name === last) ?? {};
            const sent = (test.data ?? [{}]).flatMap((row) =>
              listPlaceholders(value).map((name) => row[name] ?? `{{${name}}}`),
            );
            const isMade = sent.every((text) => listPlaceholders(text).every((name) => made.has(name)));
            expect([test.name, isMade]).toEqual([test.name, true]);
          }
          for (const name of test.captures.flatMap((one) => listNamesInRows(one.name, test.data?.length ?? 0))) {
            given.add(name);
            if (step.effect === "makes") made.add(name);
          }
        }
      }
    }
    expect(all.map(({ method, path }) => `${method} ${path}`).filter((one) => !placed.has(one))).toEqual([]);
  },
);
