import { data } from "@remix-run/node";
import { chooseBaseUrl } from "#libraries/openapi/base-url.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { problemResponse, required } from "~/backend/responses";
import type { OperationKey } from "~/features/operation/operation-key";
import { findGivenValues, listNames } from "~/features/runs/given-values.server";
import { startAndShow } from "~/features/runs/start-run.server";
import { href } from "~/href";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { lackingToast } from "./lacking-toast.server";
import type { MakeRequest, MakeResponse } from "./make-request";
import { checksInWords, type MakeReply } from "./making";

async function suggestFor({ backend }: Viewer, apiId: string, { method, path }: OperationKey) {
  const body = { operations: [{ method, path }] };
  return required(await backend.testAnalyzer.suggestTests({ params: { apiId }, body })).items[0];
}

/** One operation with its valid call; undefined where the document has no such operation. */
export async function findOne(viewer: Viewer, apiId: string, operation: OperationKey) {
  const { apiRegistry, testRegistry } = viewer.backend;
  const query = { method: operation.method, path: operation.path, limit: 1 };
  const [found, tests, suggestion] = await Promise.all([
    apiRegistry.findOperations({ params: { apiId }, body: { operations: [operation] } }).then(required),
    testRegistry.listTests({ params: { apiId }, query }).then(required),
    suggestFor(viewer, apiId, operation),
  ]);
  const [item] = found.items;
  if (!item) return undefined;
  const { method, path, summary, deprecated } = item.operation;
  return {
    ...{ method, path, summary, deprecated },
    isSafe: isSafe(method),
    needsBaseUrl: chooseBaseUrl(null, item).url === null,
    testCount: tests.total ?? tests.items.length,
    checks: suggestion ? checksInWords(suggestion.test) : "",
    needs: suggestion?.values.map(({ name }) => name) ?? [],
    /** Why its test has to be written manually. */
    gap: suggestion ? suggestion.gaps[0]?.message : "Nothing could be generated from the document",
  };
}

export type DisplayedOperation = NonNullable<Awaited<ReturnType<typeof findOne>>>;

/** Creates the test of the operation in the address, and runs it if requested. */
export async function createOne(
  { viewer, context, apiId, filters, runKey }: MakeRequest,
  intent: string,
): Promise<MakeResponse> {
  const suggestion = filters.operation && (await suggestFor(viewer, apiId, filters.operation));
  if (!suggestion || suggestion.gaps.length > 0) throw new Response("No such test.", { status: 400 });
  const { test, values } = suggestion;
  if (intent === "create-and-run-one" && !isSafe(test.method)) return data<MakeReply>({ asksOne: true });
  const result = await viewer.backend.testRegistry.createTests({
    params: { apiId },
    body: { items: [test], keepExisting: true },
  });
  if (!result.ok) {
    const { status, detail, errors } = result.problem;
    if (status === 401 || status === 403 || status === 404) throw problemResponse(result.problem);
    const message = errors?.map((error) => error.message).join(". ") || detail;
    const error = { title: "No tests were created", message, isPlan: status === 402 };
    return data<MakeReply>({ error }, { status });
  }
  const tests = href("/test-management/:apiId/tests", { apiId });
  if (intent === "create-one") return redirectWithToast(context, tests, "1 test was created.");
  const given = listNames(await findGivenValues(viewer, apiId));
  const lacks = values.map(({ name }) => name).filter((name) => !given.has(name));
  if (lacks.length > 0) {
    return redirectWithToast(context, tests, lackingToast(apiId, "1 test created, but not run", lacks));
  }
  const { id } = result.value.items[0]!;
  return await startAndShow({
    ...{ viewer, context, runPage: { apiId }, runKey, otherwise: tests, alwaysNew: true },
    subject: `created-${id}`,
    run: { source: { tests: [id] } },
  });
}
