import type { ProblemDetails } from "#contracts/kit/problem.ts";
import { attempt } from "#contracts/test-executioner/attempts.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { whatIsAway } from "~/backend/parts";
import { available, isAway } from "~/backend/responses";
import type { OperationKey } from "~/features/operation/operation-key";
import { findEnvironmentInUse } from "~/features/runs/environment-in-use.server";
import type { Viewer } from "~/session/guards";
import { mostCarriedCharacters } from "./carried-trial.ts";
import { findOperation } from "./editor-context.server.ts";
import type { RequestAddress, Trial } from "./editor-props.ts";
import { readMarkupValues } from "./markup-values.server.ts";

type Sent = { ok: true; trial: Trial } | { ok: false; problem: ProblemDetails };

/** The viewer and the operation. */
export interface SendingPlace {
  viewer: Viewer;
  apiId: string;
  operation: OperationKey;
}

/** Sends the request of an unsaved test and evaluates its assertions and checks on the response. Nothing is stored. */
export async function sendUnsaved(place: SendingPlace, test: TestInput): Promise<Sent> {
  const { viewer, apiId, operation } = place;
  const chosen = await findEnvironmentInUse(viewer, apiId);
  const { request, timeoutMilliseconds } = test;
  const sent = await viewer.backend.testExecutioner.sendRequest({
    body: { apiId, ...operation, request, timeoutMilliseconds, environment: chosen?.name, variables: test.data?.[0] },
  });
  if (!sent.ok) return sent;
  return { ok: true, trial: { ...toTrial(sent.value), ...(await judge(place, test, sent.value)) } };
}

function toTrial(sent: Trial["attempt"]): Trial {
  return { attempt: sent, markup: readMarkupValues(sent.response) };
}

/** The address of an unsaved test's request; undefined if unknown. */
export async function resolveAddress(
  { viewer, apiId, operation }: SendingPlace,
  { request, data }: Pick<TestInput, "request" | "data">,
  environment: string | undefined,
): Promise<RequestAddress | undefined> {
  const body = { apiId, ...operation, request, environment, variables: data?.[0] };
  const resolved = available(await viewer.backend.testExecutioner.resolveRequest({ body }));
  return resolved && { url: resolved.url, server: resolved.server, reason: resolved.cause?.detail };
}

/** Undefined where nothing can be evaluated: the request failed, or there are no assertions. */
async function judge(
  { viewer, apiId, operation }: SendingPlace,
  test: TestInput,
  sent: Trial["attempt"],
): Promise<Pick<Trial, "judgement" | "notJudged">> {
  const { request, response, phases } = sent;
  if (!request || !response || !phases || test.assertions.length + test.checks.length === 0) return {};
  const described = await findOperation(viewer, apiId, operation);
  const judged = await viewer.backend.testAnalyzer.judgeResponse({
    body: {
      request,
      response,
      phases,
      assertions: test.assertions,
      checks: test.checks,
      maximumResponseMilliseconds: test.maximumResponseMilliseconds,
      captures: test.captures,
      authorized: test.request.authorization.kind !== "none",
      operation: described,
    },
  });
  if (judged.ok) return { judgement: judged.value };
  return { notJudged: isAway(judged) ? whatIsAway(["test-analyzer"]) : judged.problem.detail };
}

/** The trial that a page without script carries while rows are added. It comes from the browser, so it is untrusted. */
export function readTrial(text: FormDataEntryValue | null): Trial | undefined {
  if (typeof text !== "string" || text === "" || text.length > mostCarriedCharacters) return undefined;
  try {
    const parsed = attempt.omit({ verdict: true }).safeParse(JSON.parse(text));
    return parsed.success ? toTrial(parsed.data) : undefined;
  } catch {
    return undefined;
  }
}
