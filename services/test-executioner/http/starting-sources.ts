import type { z } from "@hono/zod-openapi";
import type { RunStarter } from "#contracts/test-executioner/run-starters.ts";
import type { runSourceInput } from "#contracts/test-executioner/run-starts.ts";
import type { RunOrder } from "#contracts/test-executioner/runs.ts";
import type { RunTrigger } from "#contracts/test-executioner/verdicts.ts";
import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { IdempotencyKey } from "../../kit/idempotency/idempotency-key.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { emptyCookieJar } from "../domain/cookie-jar.ts";
import { triggerFor } from "../domain/trigger.ts";
import type { CaptureSeal } from "../jobs/capture-seal.ts";
import { toStarter } from "../store/run-starters.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import type { RequireApi } from "./apis.ts";
import type { CircleParts } from "./circle-source.ts";
import type { Planned } from "./preparing.ts";
import { overrideVariables, type ResolvedSource, requireMembers } from "./resolved-source.ts";
import { resolveSource } from "./run-sources.ts";
import { findStarted, type StartRun } from "./starting.ts";

interface SourceCall {
  caller: Identity;
  requestId: string;
  record: RecordChange;
  idempotencyKey: IdempotencyKey | undefined;
  source: z.output<typeof runSourceInput>;
  order: RunOrder;
  stopOnFailure: boolean;
  variables?: Record<string, string>;
  /** As requested; see `triggerFor`. */
  trigger: RunTrigger | undefined;
  joinUnfinished: boolean;
  /** Where all of it is sent from: a location, or `portal`; as tests and the source say if undefined. */
  locationId?: string | undefined;
  /** The environment that the call names for an API, and its path in the call. */
  chooseEnvironment(apiId: string): { environment: string | undefined; baseUrl?: string | undefined; path: string };
}

/** Returns the run's id. */
export type StartSource = (call: SourceCall) => Promise<string>;

/** Starts the tests of a source in their current version. */
export function createStartSource(
  parts: CircleParts & { db: ExecutionDatabase; requireApi: RequireApi; seal: CaptureSeal; startRun: StartRun },
): StartSource {
  const { db, requireApi, startRun, testRegistry } = parts;
  return async ({ caller, requestId, source: input, variables = {}, chooseEnvironment, ...call }) => {
    const { organizationId } = caller;
    const started = await findStarted(db, { ...call, organizationId });
    if (started) return started;
    const client = testRegistry({ token: caller.token, requestId });
    const resolved = await resolveSource({ ...parts, client, organizationId, requestId }, input);
    // Another organization's API has no tests here, and is not found.
    if (resolved.members.length === 0 && "apiId" in input) await requireApi({ organizationId, requestId }, input.apiId);
    const { idempotencyKey, record, joinUnfinished, ...ways } = call;
    const planned = planSource(resolved, {
      ...{ ...ways, organizationId, requestId, variables, chooseEnvironment },
      trigger: triggerFor(caller, call.trigger, resolved.source.kind === "rerun"),
      startedBy: toStarter(caller),
    });
    return await startRun({ ...planned, idempotencyKey, record, joinUnfinished });
  };
}

/**
 * How a source runs: by its own settings, otherwise by the call's.
 * @throws Problem invalid_input if there is nothing to run
 */
export function planSource(
  resolved: ResolvedSource,
  call: Pick<SourceCall, "requestId" | "order" | "stopOnFailure" | "locationId" | "chooseEnvironment"> & {
    trigger: RunTrigger;
    organizationId: string;
    variables: Record<string, string>;
    startedBy: RunStarter | null;
  },
): Planned {
  const { organizationId, requestId } = call;
  const { settled, source, members, leftOut } = resolved;
  const chosenLocation = call.locationId ?? settled?.chosenLocation;
  const places = chosenLocation ? undefined : settled?.places;
  const isElsewhere = settled ? movesElsewhere(settled, call) : false;
  const known = settled?.captures ?? [hasCookies(members.length, call.order) ? [emptyCookieJar] : []];
  const ofPlaces =
    places && places.rule !== "inTurn" ? places.ids.map((_, index) => known[index] ?? known[0]!) : [known[0]!];
  requireMembers(resolved, ofPlaces.length);
  const overridden = ofPlaces.map((captures) =>
    overrideVariables(
      {
        ...(settled ?? { variables: {} }),
        captures: isElsewhere ? captures.map(forgetMade) : captures,
      },
      call.variables,
    ),
  );
  return {
    ...{ organizationId, requestId, source, members, leftOut },
    trigger: call.trigger,
    startedBy: call.startedBy,
    order: settled?.order ?? call.order,
    concurrency: settled?.concurrency ?? null,
    stopOnFailure: settled?.stopOnFailure ?? call.stopOnFailure,
    onlyOwn: settled?.onlyOwn ?? false,
    locationId: settled?.locationId,
    ...{ chosenLocation, places },
    ...overridden[0]!,
    captures: overridden.map(({ captures }) => captures),
    choose(apiId) {
      const before = settled?.apis.find((api) => api.apiId === apiId);
      const { environment, baseUrl, path } = call.chooseEnvironment(apiId);
      return {
        environment: environment ?? before?.environment ?? undefined,
        baseUrl: baseUrl ?? before?.baseUrl ?? undefined,
        path,
      };
    },
  };
}

const hasCookies = (members: number, order: RunOrder) => order === "sequential" && members > 1;

/** Whether the call chooses another environment or base URL than before: what was made there is not here. */
function movesElsewhere(
  { apis }: Pick<NonNullable<ResolvedSource["settled"]>, "apis">,
  { chooseEnvironment }: Pick<SourceCall, "chooseEnvironment">,
): boolean {
  return apis.some((before) => {
    const { environment, baseUrl } = chooseEnvironment(before.apiId);
    const isElsewhere = environment !== undefined && environment !== before.environment;
    return isElsewhere || (baseUrl !== undefined && baseUrl !== before.baseUrl);
  });
}

function forgetMade({ madeAt: _, ...capture }: OpenCapture): OpenCapture {
  return capture;
}
