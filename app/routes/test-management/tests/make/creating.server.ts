import { createHash } from "node:crypto";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import type { CreatedTest } from "#contracts/test-registry/test-batches.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { required } from "~/backend/responses";
import type { OperationKey } from "~/features/operation/operation-key";
import type { Viewer } from "~/session/guards";
import { countTests, listWanted, type MakeFilters } from "./makeable.server";
import { type Making, operationValue } from "./making";
import { suggestFor } from "./suggest-for.server";

export interface Creation {
  created: (CreatedTest & { needs: string[] })[];
  /** Why the rest was not created. */
  refusal?: ProblemDetails;
}

/** Suggested tests contain sample bodies; a call takes 16 MiB. */
const maxCharacters = 4_000_000;

function getBatches(tests: TestInput[]): TestInput[][] {
  const batches: TestInput[][] = [];
  let left = 0;
  for (const test of tests) {
    const length = JSON.stringify(test).length;
    if (batches.length === 0 || length > left) {
      batches.push([]);
      left = maxCharacters;
    }
    batches.at(-1)!.push(test);
    left -= length;
  }
  return batches;
}

async function createBatch(
  viewer: Viewer,
  apiId: string,
  items: TestInput[],
  formKey: string,
): Promise<{ created: CreatedTest[]; refusal?: ProblemDetails }> {
  const content = createHash("sha256").update(JSON.stringify(items)).digest("base64url");
  const result = await viewer.backend.testRegistry.createTests({
    params: { apiId },
    body: { items, onlyUntested: true },
    headers: { "idempotency-key": `${formKey}:${content}` },
  });
  if (result.ok) return { created: result.value.items };
  if (result.status === 401 || result.status === 403 || result.status === 404) required(result);
  return { created: [], refusal: result.problem };
}

/** Creates a test for each of these operations that can have one and has none, up to the first refusal. */
export async function createFor(
  viewer: Viewer,
  apiId: string,
  operations: OperationKey[],
  formKey: string,
): Promise<Creation> {
  const suggestions = await suggestFor(viewer, apiId, operations);
  const tests = [...suggestions.values()].filter(({ gaps }) => gaps.length === 0).map(({ test }) => test);
  const getNeeds = (test: CreatedTest) => suggestions.get(operationValue(test))?.values.map(({ name }) => name) ?? [];
  const created: Creation["created"] = [];
  for (const batch of getBatches(tests)) {
    const made = await createBatch(viewer, apiId, batch, formKey);
    created.push(...made.created.map((test) => ({ ...test, needs: getNeeds(test) })));
    if (made.refusal) return { created, refusal: made.refusal };
  }
  return { created };
}

/** Long enough for some thousand operations, and well below the timeout of a proxy. */
const stepMilliseconds = 4_000;

/** Continues from the last step. Ends without a cursor, or at a refusal. */
export async function createNext(
  viewer: Viewer,
  apiId: string,
  { filters, formKey, making }: { filters: MakeFilters; formKey: string; making: Making },
): Promise<{ making: Making; refusal?: ProblemDetails }> {
  const until = performance.now() + stepMilliseconds;
  const counts = await countTests(viewer, apiId);
  let { intent, cursor, looked, made, total } = making;
  do {
    const page = await listWanted(viewer, apiId, { ...filters, cursor });
    const untested = page.items.filter((item) => !counts.has(operationValue(item)));
    const { created, refusal } = await createAsManyAsFit(viewer, apiId, untested, formKey);
    made += created.length;
    if (refusal) return { making: { intent, cursor, looked, made, total }, refusal };
    looked += page.items.length;
    total = page.total ?? total;
    cursor = page.nextCursor ?? undefined;
  } while (cursor && performance.now() < until);
  return { making: { intent, cursor, looked, made, total } };
}

/** Where the plan has quota for some of them, those are created before the rest is refused. */
async function createAsManyAsFit(
  viewer: Viewer,
  apiId: string,
  operations: OperationKey[],
  formKey: string,
): Promise<Creation> {
  const all = await createFor(viewer, apiId, operations, formKey);
  const { limit, used } = all.refusal ?? {};
  if (limit === undefined || used === undefined || limit <= used) return all;
  const rest = operations.slice(0, limit - used);
  const some = await createFor(viewer, apiId, rest, formKey);
  return { created: [...all.created, ...some.created], refusal: all.refusal };
}
