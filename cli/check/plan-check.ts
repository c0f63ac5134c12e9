import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import type { PlannedCircle, PlannedTest, SuitePlan } from "#contracts/test-analyzer/suite-plans.ts";
import { chooseBaseUrl } from "#libraries/openapi/base-url.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { type PlanInput, toKey } from "#libraries/suite/plan/known.ts";
import { planSuite } from "#libraries/suite/plan/plan-suite.ts";
import type { Credentials } from "./credentials.ts";
import type { CircleToRun } from "./run-circle.ts";

export interface CheckOptions {
  /** Where requests go. */
  url: string;
  credentials: Pick<Credentials, "items" | "describeMissing">;
  variables: Readonly<Record<string, string>>;
  /** Sends safe methods only (RFC 9110, 9.2.1). */
  isReadOnly: boolean;
  /** Whether requests that break one rule of the document each are sent, too. */
  sendsInvalid: boolean;
  /** Names of circles that change what was there before. */
  included: ReadonlySet<string>;
  isWanted(operation: OperationWithComponents["operation"]): boolean;
}

export interface CheckPlan {
  circles: CircleToRun[];
  /** What is not run and why, each reason once, with what it concerns. */
  leftOut: Map<string, Set<string>>;
  /** What the document asks for and nothing was given for, as objects of sentences. */
  missingCredentials: Set<string>;
}

/** More at once would only repeat what they have in common. */
const perPlan = 400;

/** The circles of a document's suite that can be run as it is called. */
export function planCheck(document: PlanInput, options: CheckOptions): CheckPlan {
  const { origin } = new URL(options.url);
  const plan: CheckPlan = { circles: [], leftOut: new Map(), missingCredentials: new Set() };
  const input: PlanInput = {
    ...(options.isReadOnly ? withoutCreations(document) : document),
    sendsHostCredentials: options.credentials.items.length > 0,
  };
  const described = new Map(input.operations.map((one) => [toKey(one.operation), one]));
  const wanted = input.operations
    .filter((one) => options.isWanted(one.operation) && isHere(one))
    .map(({ operation: { method, path } }) => ({ method, path }));
  for (let from = 0; from < wanted.length; from += perPlan) {
    addPlan(planSuite({ ...input, wanted: wanted.slice(from, from + perPlan) }));
  }
  return plan;

  /** Another server would be somewhere else than the command says. */
  function isHere(one: OperationWithComponents): boolean {
    const { url } = chooseBaseUrl(options.url, one);
    if (url === null || new URL(url).origin === origin) return true;
    leaveOut(one.operation, `It has a server of its own, ${url}, and requests go to ${origin} only.`);
    return false;
  }

  function leaveOut(operation: OperationKey, reason: string): void {
    const known = plan.leftOut.get(reason) ?? new Set();
    plan.leftOut.set(reason, known.add(`${operation.method.toUpperCase()} ${operation.path}`));
  }

  function addPlan({ circles, tests, leftOut }: SuitePlan): void {
    const byKey = new Map(tests.map((one) => [one.key, one]));
    for (const { operation, reason } of leftOut) leaveOut(operation, reason);
    for (const circle of circles) {
      for (const { operation, reason } of circle.leftOut) leaveOut(operation, reason);
      if (circle.kind === "refusals" && !options.sendsInvalid) continue;
      addCircle(circle, byKey);
    }
  }

  function addCircle({ name, order, cookies, variables, ...circle }: PlannedCircle, tests: Map<string, PlannedTest>) {
    const steps = circle.steps.flatMap(({ test: key, does, phase, effect }) => {
      const planned = tests.get(key)!;
      const { test } = planned;
      const why = explainOmission(planned);
      if (why) leaveOut(test, why);
      return [{ test, phase, effect, isNeeded: does === "create" || phase === "setUp", isLeftOut: why !== undefined }];
    });
    const changes = steps.filter(({ test }) => !isSafe(test.method));
    if (!circle.isSafe && !options.included.has(name)) {
      for (const { test } of changes)
        leaveOut(test, `"${name}" changes what was there before. --include "${name}" runs it.`);
      return;
    }
    const kept = steps.filter(({ isLeftOut }) => !isLeftOut);
    if (steps.some(({ isNeeded, isLeftOut }) => isNeeded && isLeftOut) || kept.length === 0) return;
    plan.circles.push({ name, order, cookies, variables, steps: kept });
  }

  function explainOmission({ test, needs }: PlannedTest): string | undefined {
    if (options.isReadOnly && !isSafe(test.method))
      return "It may change something, and --read-only sends nothing that may.";
    const unknown = needs.filter((name) => options.variables[name] === undefined);
    if (unknown.length > 0)
      return `Only a person knows ${unknown.map((name) => `{{${name}}}`).join(" and ")}: --variable ${unknown[0]}=… gives it.`;
    const operation = described.get(toKey(test));
    const missing =
      test.request.authorization.kind === "inherit"
        ? operation && options.credentials.describeMissing(operation)
        : undefined;
    if (missing === undefined) return undefined;
    plan.missingCredentials.add(missing);
    return `It requires ${missing}, and none was given.`;
  }
}

/** Resources as if no operation created them: they are read. */
function withoutCreations(input: PlanInput): PlanInput {
  const resources = input.resources.map((resource): Resource => {
    const { create: _, ...operations } = resource.operations;
    return {
      ...resource,
      operations,
      producers: resource.producers.filter(({ operation }) => isSafe(operation.method)),
    };
  });
  return { ...input, resources };
}
