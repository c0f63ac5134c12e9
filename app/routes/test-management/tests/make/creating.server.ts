import { createHash } from "node:crypto";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import type { PlannedCircle, PlannedStep, PlannedTest } from "#contracts/test-analyzer/suite-plans.ts";
import type { CircleInput } from "#contracts/test-registry/circles.ts";
import { maxTestsPerBatch } from "#contracts/test-registry/test-batches.ts";
import { problemResponse } from "~/backend/responses";
import { listNames } from "~/features/runs/given-values.server";
import type { Viewer } from "~/session/guards";
import { getTests, keepSteps } from "./kept-steps";
import type { ExistingCircle, FoundPlan } from "./plan.server";

export interface CreatedCircle extends ExistingCircle {
  isSafe: boolean;
  /** Whether it existed before. */
  existed: boolean;
}

export interface Creation {
  circles: CreatedCircle[];
  /** Steps of created circles that lack values, and circles that were not created because of them. */
  lacking: { steps: number; circles: string[]; names: Set<string> };
  /** Why the rest was not created: the first reason. */
  refusal?: ProblemDetails;
}

interface Requested extends FoundPlan {
  viewer: Viewer;
  apiId: string;
  formKey: string;
}

/** A circle without the steps that lack values. */
interface Prepared {
  circle: PlannedCircle;
  steps: PlannedStep[];
  tests: PlannedTest[];
}

/** Sample bodies can be long; a call takes 16 MiB. */
const maxCharacters = 4_000_000;

/** Neighbours whose tests fit into one call, so that no test is created without its circle. */
function toGroups(prepared: readonly Prepared[]): Prepared[][] {
  const groups: Prepared[][] = [];
  let [tests, characters] = [0, 0];
  for (const one of prepared) {
    const { length } = JSON.stringify(one.tests);
    if (groups.length === 0 || tests + one.tests.length > maxTestsPerBatch || characters + length > maxCharacters) {
      groups.push([]);
      [tests, characters] = [0, 0];
    }
    groups.at(-1)!.push(one);
    tests += one.tests.length;
    characters += length;
  }
  return groups;
}

/** Creates these circles of the plan with their tests, each whole or not at all, in order. */
export async function createCircles(requested: Requested, chosen: readonly PlannedCircle[]): Promise<Creation> {
  const { plan, existing, given } = requested;
  const [tests, values] = [getTests(plan), listNames(given)];
  const creation: Creation = { circles: [], lacking: { steps: 0, circles: [], names: new Set() } };
  const { circles, lacking } = creation;
  const prepared: Prepared[] = [];
  for (const circle of chosen) {
    const before = existing.get(circle.name);
    if (before) {
      // Of the same name, but possibly changed since.
      circles.push({ ...before, isSafe: circle.isSafe && before.onlyOwn, existed: true });
      continue;
    }
    const { steps, dropped, isUsable } = keepSteps(circle, tests, values);
    for (const missing of dropped.flatMap(({ names }) => names)) lacking.names.add(missing);
    if (!isUsable) lacking.circles.push(circle.name);
    else {
      lacking.steps += dropped.length;
      const keys = new Set(steps.map(({ test }) => test));
      prepared.push({ circle, steps, tests: [...keys].map((key) => tests.get(key)!) });
    }
  }
  for (const group of toGroups(prepared)) {
    await createGroup(requested, group, creation);
    if (creation.refusal && creation.refusal.status !== 402) break;
  }
  return creation;
}

async function createGroup(requested: Requested, group: readonly Prepared[], creation: Creation): Promise<void> {
  const tests = [...new Set(group.flatMap(({ tests }) => tests))];
  const made = await createTests(requested, tests);
  if ("refusal" in made) {
    if (made.refusal.status !== 402 || group.length === 1) creation.refusal ??= made.refusal;
    // Some of them may fit into the plan.
    else for (const one of group) await createGroup(requested, [one], creation);
    return;
  }
  const ids = new Map(tests.map(({ key }, index) => [key, made.ids[index]!]));
  for (const { circle, steps } of group) {
    const members = steps.map(({ test, phase, effect }) => ({
      ...{ kind: "test" as const, testId: ids.get(test)!, phase, effect },
    }));
    const created = await createCircle(requested, circle, members);
    if ("refusal" in created) {
      creation.refusal ??= created.refusal;
      return;
    }
    creation.circles.push({ ...created.circle, isSafe: circle.isSafe, existed: false });
  }
}

/** Ids in the order of the tests. */
async function createTests({ viewer, apiId }: Requested, tests: readonly PlannedTest[]) {
  const ids: string[] = [];
  for (let from = 0; from < tests.length; from += maxTestsPerBatch) {
    const items = tests.slice(from, from + maxTestsPerBatch).map(({ test }) => test);
    const result = await viewer.backend.testRegistry.createTests({
      params: { apiId },
      body: { items, keepExisting: true },
    });
    if (!result.ok) return refusedBy(result);
    ids.push(...result.value.items.map(({ id }) => id));
  }
  return { ids };
}

async function createCircle(
  { viewer, apiId, formKey, given }: Requested,
  { key, name, order, cookies, variables }: PlannedCircle,
  members: CircleInput["members"],
) {
  const hash = createHash("sha256").update(key).digest("base64url");
  const environments = given.environment ? { [apiId]: given.environment.name } : {};
  const result = await viewer.backend.testRegistry.createCircle({
    body: { name, order, cookies, variables, members, environments, onlyOwn: true },
    headers: { "idempotency-key": `${formKey}:${hash}` },
  });
  return result.ok ? { circle: result.value } : refusedBy(result);
}

/** Where the user has no access the whole page is refused. */
function refusedBy(result: { status: number; problem: ProblemDetails }) {
  if (result.status === 401 || result.status === 403 || result.status === 404) throw problemResponse(result.problem);
  return { refusal: result.problem };
}
