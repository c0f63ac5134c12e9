import { createHash } from "node:crypto";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import type { PlannedCircle } from "#contracts/test-analyzer/suite-plans.ts";
import type { CircleInput } from "#contracts/test-registry/circles.ts";
import { maxTestsPerBatch } from "#contracts/test-registry/test-batches.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { problemResponse } from "~/backend/responses";
import { mergeValues } from "~/features/runs/given-values.server";
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
  /** Why the rest was not created. */
  refusal?: ProblemDetails;
}

interface Requested extends FoundPlan {
  viewer: Viewer;
  apiId: string;
  formKey: string;
}

/** Sample bodies can be long; a call takes 16 MiB. */
const maxCharacters = 4_000_000;

function getBatches(tests: TestInput[]): TestInput[][] {
  const batches: TestInput[][] = [];
  let left = 0;
  for (const test of tests) {
    const { length } = JSON.stringify(test);
    if (length > left || batches.at(-1)!.length === maxTestsPerBatch) {
      batches.push([]);
      left = maxCharacters;
    }
    batches.at(-1)!.push(test);
    left -= length;
  }
  return batches;
}

/** Creates these circles of the plan with their tests, each whole or not at all, in order up to the first refusal. */
export async function createCircles(requested: Requested, chosen: readonly PlannedCircle[]): Promise<Creation> {
  const { plan, existing, given } = requested;
  const [tests, values] = [getTests(plan), mergeValues(given)];
  const creation: Creation = { circles: [], lacking: { steps: 0, circles: [], names: new Set() } };
  const { circles, lacking } = creation;
  for (const circle of chosen) {
    const { name, isSafe } = circle;
    const before = existing.get(name);
    if (before) {
      // Of the same name, but possibly changed since.
      circles.push({ ...before, isSafe: isSafe && before.onlyOwn, existed: true });
      continue;
    }
    const { steps, dropped, isUsable } = keepSteps(circle, tests, values);
    for (const missing of dropped.flatMap(({ names }) => names)) lacking.names.add(missing);
    if (!isUsable) {
      lacking.circles.push(name);
      continue;
    }
    const keys = [...new Set(steps.map(({ test }) => test))];
    const made = await createTests(
      requested,
      keys.map((key) => tests.get(key)!.test),
    );
    if ("refusal" in made) return { ...creation, refusal: made.refusal };
    const members = steps.map(({ test, phase, effect }) => ({
      ...{ kind: "test" as const, testId: made.ids[keys.indexOf(test)]!, phase, effect },
    }));
    const created = await createCircle(requested, circle, members);
    if ("refusal" in created) return { ...creation, refusal: created.refusal };
    circles.push({ ...created.circle, isSafe, existed: false });
    lacking.steps += dropped.length;
  }
  return creation;
}

/** Ids in the order of the tests. */
async function createTests({ viewer, apiId }: Requested, tests: TestInput[]) {
  const ids: string[] = [];
  for (const items of getBatches(tests)) {
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
