import type { SuitePlan } from "#contracts/test-analyzer/suite-plans.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import type { GivenValues } from "~/features/runs/given-values.server";
import type { NeededValue } from "./making";

/** The needed values, with the stored ones; else the examples of another operation's parameter of the same name. */
export function listNeededValues(
  values: readonly Pick<SuitePlan["values"][number], "name" | "usedBy">[],
  tests: readonly TestInput[],
  { variables, secretVariables, environment }: GivenValues,
): NeededValue[] {
  const documented = documentedValues(tests);
  return values.map(({ name, usedBy }) => {
    const stored = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const isSecret = secretVariables.some((secret) => secret.name === name);
    const isOfEnvironment =
      environment &&
      (Object.hasOwn(environment.variables, name) || environment.secretVariables?.some((one) => one.name === name));
    const inUse = isOfEnvironment ? environment.name : undefined;
    const value = stored ?? (inUse || isSecret ? "" : documented.get(name)) ?? "";
    return { name, value, usedBy, isSecret, fromDocument: stored === undefined && value !== "", environment: inUse };
  });
}

function documentedValues(tests: readonly TestInput[]): Map<string, string> {
  const rows = tests.flatMap(({ request }) => [...request.pathParameters, ...request.query]);
  return new Map(
    rows
      .filter(({ enabled, value }) => enabled && value !== "" && !value.includes("{{"))
      .map(({ name, value }) => [name, value]),
  );
}
