import { uuidv7 } from "uuidv7";
import type { RunStarter } from "#contracts/test-executioner/run-starters.ts";
import type { RunOrder, RunSource } from "#contracts/test-executioner/runs.ts";
import type { RunTrigger } from "#contracts/test-executioner/verdicts.ts";
import type { MemberEffect } from "#contracts/test-registry/circle-members.ts";
import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { createIdAt } from "../../kit/database/id-time.ts";
import type { Member } from "../domain/members.ts";
import { getNextTurn } from "../domain/places/judged-places.ts";
import type { CaptureSeal } from "../jobs/capture-seal.ts";
import type { Snapshots } from "../jobs/snapshots.ts";
import type { FindLastTurn } from "../store/last-turn.ts";
import type { NewRun } from "../store/runs.ts";
import type { ApiSurroundings, RunSurroundings } from "../store/surroundings.ts";
import type { RequireApi } from "./apis.ts";
import type { LeaveDeleted } from "./remaining-places.ts";
import type { RequireLocations } from "./required-locations.ts";
import type { SecretReferences } from "./resolved-source.ts";
import { resolveSurroundings } from "./surroundings.ts";

/** The tests to run. */
export interface Planned {
  organizationId: string;
  requestId: string;
  source: RunSource;
  members: Member[];
  leftOut: number;
  trigger: RunTrigger;
  startedBy: RunStarter | null;
  order: RunOrder;
  concurrency: number | null;
  stopOnFailure: boolean;
  onlyOwn: boolean;
  /** Where the circle is sent from. */
  locationId?: string | undefined;
  /** Where the call wants all of it to be sent from: a location, or `portal`. */
  chosenLocation?: string | undefined;
  variables: Record<string, string>;
  secretReferences?: SecretReferences;
  /** Several places that the circle is sent from. */
  places?: RunSurroundings["places"];
  /** Known from the start, of each of these places. */
  captures: OpenCapture[][];
  /** Started at its due time by an agent, while the portal was away. */
  late?: { agentId: string; dueAt: Date } | undefined;
  /** The call's settings for an API, and their path in the call. */
  choose(apiId: string): { baseUrl?: string; environment?: string; path: string };
}

/** A run that can be stored. */
export type PrepareRun = (planned: Planned) => Promise<NewRun>;

/** Creates all runs: their APIs are pinned in their current version. */
export function createPrepareRun(parts: {
  clock: Clock;
  requireApi: RequireApi;
  requireLocations: RequireLocations;
  leaveDeleted: LeaveDeleted;
  findLastTurn: FindLastTurn;
  seal: CaptureSeal;
  snapshots: Pick<Snapshots, "remember">;
}): PrepareRun {
  const { clock, requireApi, requireLocations, seal, snapshots } = parts;

  /** The place after that of the circle's last run. */
  async function takeTurn({ organizationId, source }: Planned, places: NonNullable<RunSurroundings["places"]>) {
    if (source.kind !== "circle") return { turn: 0, ...places };
    const last = await parts.findLastTurn(organizationId, source.testCircleId);
    return { ...places, turn: getNextTurn(last, places.ids.length) };
  }

  async function pinApi(planned: Planned, apiId: string): Promise<ApiSurroundings> {
    const { path, ...choice } = planned.choose(apiId);
    return resolveSurroundings(await requireApi(planned, apiId), choice, path);
  }

  return async (given) => {
    const planned: Planned = { ...given, ...(await parts.leaveDeleted(given)) };
    const { organizationId, members, variables, order, concurrency, stopOnFailure, leftOut } = planned;
    const { source, trigger, startedBy } = planned;
    const apiIds = [...new Set(members.map(({ test }) => test.apiId))];
    const apis = await Promise.all(apiIds.map((apiId) => pinApi(planned, apiId)));
    const places = planned.places?.rule === "inTurn" ? await takeTurn(planned, planned.places) : planned.places;
    const placed = placeMembers({ ...planned, places }, apis);
    await requireLocations(
      organizationId,
      placed.flatMap(({ locationId }) => locationId ?? []),
    );
    const { late } = planned;
    // Lists and histories are in the order of ids.
    const createId = late ? () => createIdAt(late.dueAt) : uuidv7;
    const id = createId();
    const hidden = planned.captures.map((captures) => hideGivenSecrets(variables, captures, apis));
    const { open, givesSecrets } = hidden[0]!;
    const seriesSize = places && places.turn === undefined ? members.length : null;
    const surroundings = {
      variables: open,
      ...(givesSecrets ? { givesSecrets } : {}),
      ...(planned.secretReferences ? { secretReferences: planned.secretReferences } : {}),
      apis,
      ...(planned.locationId ? { locationId: planned.locationId } : {}),
      ...(planned.chosenLocation ? { chosenLocation: planned.chosenLocation } : {}),
      ...(places ? { places } : {}),
      ...(planned.onlyOwn ? { onlyOwn: describeOwn(planned) } : {}),
    };
    const location = { organization_id: organizationId, run_id: id };
    // Before it is stored: the worker may request them at once.
    snapshots.remember(
      id,
      { order, concurrency, stopOnFailure, executions: placed.length, seriesSize, ...surroundings },
      new Set(members.map(({ test }) => test)),
    );
    return {
      ...{ id, organizationId, source, trigger, startedBy, order, concurrency, stopOnFailure, leftOut },
      surroundings,
      // A test counts once, however many places it is sent from.
      executions: placed.map((member, index) => ({ id: createId(), ...member, reserves: index < members.length })),
      captures: hidden.map(({ captures }) => captures.map((capture) => seal.close(location, capture))),
      seriesSize,
      queuedAt: late?.dueAt ?? clock.now(),
      ...(late ? { lateAgentId: late.agentId } : {}),
    };
  };
}

/** Where each member runs, fixed at the start: as the call, else its test, else the circle, else its environment says. */
function placeMembers({ members, locationId, chosenLocation, places }: Planned, apis: ApiSurroundings[]) {
  const ofApi = new Map(apis.map((api) => [api.apiId, api.locationId]));
  const chosen = chosenLocation === "portal" ? undefined : chosenLocation;
  const ofCircle = places && (places.turn === undefined ? places.ids : [places.ids[places.turn] ?? null]);
  const place = ({ test, ...member }: Member, fallback: (apiId: string) => string | undefined) => ({
    ...member,
    test,
    locationId: chosenLocation ? chosen : (test.locationId ?? fallback(test.apiId)),
  });
  // The whole circle from one place after the other, each with its own set-up and tear-down.
  if (ofCircle) return ofCircle.flatMap((id) => members.map((member) => place(member, () => id ?? undefined)));
  return members.map((member) => place(member, (apiId) => locationId ?? ofApi.get(apiId)));
}

/** A value that a run gives for a secret variable of an API is sealed like a secret capture, which precedes as it does. */
function hideGivenSecrets(
  variables: Record<string, string>,
  captures: readonly OpenCapture[],
  apis: readonly ApiSurroundings[],
): { open: Record<string, string>; captures: OpenCapture[]; givesSecrets: true | undefined } {
  const secret = new Set(apis.flatMap(({ secretVariables = [] }) => secretVariables));
  const isGiven = ([name]: [string, string]) => secret.has(name) && !captures.some((capture) => capture.name === name);
  const given = Object.entries(variables).filter(isGiven);
  // An earlier run's are among its captures.
  const isRepeated = captures.some(({ name, isSecret }) => isSecret && secret.has(name));
  return {
    open: Object.fromEntries(Object.entries(variables).filter((entry) => !isGiven(entry))),
    captures: [...captures, ...given.map(([name, value]) => ({ name, value, isSecret: true }))],
    givesSecrets: given.length > 0 || isRepeated ? true : undefined,
  };
}

function describeOwn({ members, captures }: Planned): NonNullable<RunSurroundings["onlyOwn"]> {
  const unique = captures[0]!.flatMap(({ name, isUnique }) => (isUnique ? [name] : []));
  return { effects: listEffects(members), ...(unique.length > 0 ? { unique } : {}) };
}

/** By position. */
function listEffects(members: Member[]): Record<string, MemberEffect> {
  return Object.fromEntries(members.flatMap(({ effect }, index) => (effect ? [[String(index + 1), effect]] : [])));
}
