import type { OperationSummary } from "#contracts/api-registry/operations.ts";
import { maxPlannedOperations, type PlannedCircle, type SuitePlan } from "#contracts/test-analyzer/suite-plans.ts";
import type { CircleSummary } from "#contracts/test-registry/circles.ts";
import { type MethodEffect, methodEffects } from "#libraries/openapi/safe-methods.ts";
import { required } from "~/backend/responses";
import { circleAddress } from "~/features/circles/circle-addresses";
import type { OperationKey } from "~/features/operation/operation-key";
import { findGivenValues, type GivenValues, listNames } from "~/features/runs/given-values.server";
import type { Viewer } from "~/session/guards";
import { getTests, keepSteps } from "./kept-steps";
import { type DisplayedCircle, type DisplayedRefusals, operationValue, readOperation } from "./making";
import { effectInWords, stepsInWords } from "./plan-words";
import { countCases, isRefusals } from "./refusals";

export interface MakeFilters {
  query?: string;
  tag?: string;
  effect?: MethodEffect;
  /** Only circles with this one. */
  operation?: OperationKey;
  cursor?: string;
}

/** Filters from the address; invalid ones are ignored. */
export function readMakeFilters(search: URLSearchParams): MakeFilters {
  return {
    query: search.get("query")?.trim().slice(0, 200) || undefined,
    tag: search.get("tag") || undefined,
    effect: methodEffects.find((effect) => effect === search.get("effect")),
    operation: readOperation(search.get("operation") ?? ""),
    cursor: search.get("cursor") || undefined,
  };
}

/** A stored circle, which may have been changed since it was created. */
export type ExistingCircle = Pick<CircleSummary, "id" | "name" | "apiIds" | "onlyOwn">;

/** The circles of an API's plan, those that exist, and the known values. */
export interface FoundPlan {
  plan: SuitePlan;
  /** By name. */
  existing: ReadonlyMap<string, ExistingCircle>;
  given: GivenValues;
}

interface OperationPage {
  items: Pick<OperationSummary, "method" | "path">[];
  nextCursor: string | null;
  total?: number;
}

const operationsPerCall = 200;
/** A page of more circles has fewer operations. */
const maxCircles = 100;
const fewOperations = 100;

/** As many operations as one plan takes, so that those of one resource are seldom apart; or those of the requested one's. */
export async function listWanted(
  viewer: Viewer,
  apiId: string,
  filters: MakeFilters,
  max = maxPlannedOperations,
): Promise<OperationPage> {
  const { operation, ...others } = filters;
  const { listOperations } = viewer.backend.apiRegistry;
  const limit = Math.min(max, operationsPerCall);
  const list = async (query: typeof others) =>
    required(await listOperations({ params: { apiId }, query: { limit, ...query } }));
  if (!operation) {
    const page = await list(others);
    while (page.nextCursor && page.items.length + limit <= max) {
      const { items, nextCursor } = await list({ ...others, cursor: page.nextCursor });
      page.items.push(...items);
      page.nextCursor = nextCursor;
    }
    return page;
  }
  const page = await list({ query: operation.path.replace(/\/(\{[^}]*\})?$/, "").slice(0, 200) || undefined });
  const related = page.items.filter((item) => operationValue(item) !== operationValue(operation));
  return { items: [operation, ...related].slice(0, maxPlannedOperations), nextCursor: null };
}

const circlesPerPage = 200;
const maxCirclePages = 25;

/** Circles of an API by name; of 5,000 at most. */
export async function findExisting({ backend }: Viewer, apiId: string): Promise<Map<string, ExistingCircle>> {
  const found = new Map<string, ExistingCircle>();
  let cursor: string | undefined;
  for (let page = 0; page < maxCirclePages; page += 1) {
    const query = { apiId, limit: circlesPerPage, cursor };
    const { items, nextCursor } = required(await backend.testRegistry.listCircles({ query }));
    for (const circle of items) found.set(circle.name, circle);
    if (!nextCursor) break;
    cursor = nextCursor;
  }
  return found;
}

export async function planFor({ backend }: Viewer, apiId: string, operations: OperationKey[]): Promise<SuitePlan> {
  if (operations.length === 0) return { circles: [], tests: [], values: [], leftOut: [], needsBaseUrl: false };
  const wanted = operations.map(({ method, path }) => ({ method, path }));
  return required(await backend.testAnalyzer.planSuite({ params: { apiId }, body: { operations: wanted } }));
}

/** The plan of one page of operations. */
export async function findPlan(viewer: Viewer, apiId: string, filters: MakeFilters) {
  const [page, existing, given] = await Promise.all([
    listWanted(viewer, apiId, filters),
    findExisting(viewer, apiId),
    findGivenValues(viewer, apiId),
  ]);
  const { operation } = filters;
  const plan = await planFor(viewer, apiId, page.items);
  const listed = plan.circles.filter((circle) => !isRefusals(circle));
  if (listed.length > maxCircles && page.items.length > fewOperations) {
    const shorter = await listWanted(viewer, apiId, filters, fewOperations);
    return { page: shorter, existing, given, plan: await planFor(viewer, apiId, shorter.items) };
  }
  return { page, existing, given, plan: operation ? onlyWith(plan, operation) : plan };
}

/** The circles that call an operation, and what they need. */
function onlyWith(plan: SuitePlan, operation: OperationKey): SuitePlan {
  const tests = getTests(plan);
  const calls = ({ test }: { test: string }) => {
    const planned = tests.get(test);
    return planned && operationValue(planned.test) === operationValue(operation);
  };
  const circles = plan.circles.filter(({ steps }) => steps.some(calls));
  const used = circles.flatMap(({ steps }) => steps.flatMap(({ test }) => tests.get(test) ?? []));
  const needed = new Set(used.flatMap(({ needs }) => needs));
  return { ...plan, circles, values: plan.values.filter(({ name }) => needed.has(name)), leftOut: [] };
}

/** Circles that change nothing but what they make, except settings, which are changed only if ticked by name. */
export function isTickedAtFirst({ kind, isSafe }: PlannedCircle): boolean {
  return isSafe && kind !== "setting";
}

/** The circles as the page displays them. */
export function displayCircles(apiId: string, { plan, existing, given }: FoundPlan): DisplayedCircle[] {
  const tests = getTests(plan);
  const values = listNames(given);
  return plan.circles
    .filter((circle) => !isRefusals(circle))
    .map((circle) => {
      const { dropped, isUsable } = keepSteps(circle, tests, values);
      const missing = new Map(dropped.map(({ step, names }) => [step, names]));
      const steps = circle.steps.map((step) => {
        const { method, path, name } = tests.get(step.test)!.test;
        return { ...step, method, path, name, lacks: missing.get(step) ?? [] };
      });
      const made = existing.get(circle.name);
      const { key, name, isSafe, leaves, leftOut } = circle;
      return {
        ...{ key, name, isSafe, leaves, leftOut },
        line: stepsInWords(steps),
        effect: effectInWords(circle, steps),
        stepCount: steps.length,
        lackingSteps: dropped.length,
        steps: steps.map(({ phase, why, method, path, name, lacks }) => ({ phase, why, method, path, name, lacks })),
        isTickedAtFirst: !made && isTickedAtFirst(circle),
        lacks: [...new Set(dropped.flatMap(({ names }) => names))],
        lacksAll: !isUsable,
        madeAt: made && circleAddress(made, apiId),
      };
    });
}

/** The circles of invalid requests, without those that lack values. */
export function displayRefusals(apiId: string, { plan, existing, given }: FoundPlan): DisplayedRefusals {
  const tests = getTests(plan);
  const values = listNames(given);
  const circles = plan.circles.filter(isRefusals).flatMap((circle) => {
    const { steps, isUsable } = keepSteps(circle, tests, values);
    const made = existing.get(circle.name);
    const cases = countCases({ ...circle, steps }, tests);
    return isUsable || made ? [{ name: circle.name, cases, madeAt: made && circleAddress(made, apiId) }] : [];
  });
  const cases = circles.reduce((sum, one) => sum + (one.madeAt ? 0 : one.cases), 0);
  return { circles, cases };
}
