import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { buildGraph } from "../graph/build-graph.ts";
import { planSuite } from "../plan/plan-suite.ts";

/** The plan for all operations of a document. */
export function planAll(
  operations: DescribedOperation[],
  components: Record<string, Record<string, unknown>> = {},
  securitySchemes: SecurityScheme[] = [],
) {
  const { resources, consumers } = buildGraph(operations, components);
  const surroundings = { apiId: "api", specificationVersion: "3.1" as const, components, securitySchemes };
  const described = operations.map((one) => ({ ...surroundings, operation: one }));
  const made = planSuite({ wanted: operations, operations: described, resources, consumers });
  const tests = new Map(made.tests.map((one) => [one.key, one]));
  const steps = (name: string) =>
    made.circles
      .find((circle) => circle.name === name)!
      .steps.map(({ phase, does, test: key }) => {
        const { method, path } = tests.get(key)!.test;
        return `${phase} ${does}: ${method} ${path}`;
      });
  const find = (name: string) => made.tests.find((one) => one.test.name === name)!.test;
  // Those of invalid requests have tests of their own.
  const circles = made.circles.filter(({ kind }) => kind !== "refusals");
  return { ...made, circles, steps, find };
}
