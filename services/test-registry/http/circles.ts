import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import { findPlaceErrors } from "#contracts/test-registry/circle-places.ts";
import type { Circle, CircleInput, CircleSummary, CircleVariable } from "#contracts/test-registry/circles.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { CircleEvent } from "#contracts/test-registry/events.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { pageFrom } from "../../kit/database/keyset.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import { readIdempotencyKey, reserveKey } from "../../kit/idempotency/idempotency-key.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { entityTag, parseIfMatch } from "../../kit/service/entity-tag.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { changesReference } from "../../kit/vault/changed-references.ts";
import { type ListedMember, listMembers, replaceMembers } from "../store/circle-members.ts";
import {
  type CircleRow,
  countCircles,
  findCircle,
  insertCircle,
  type ListedCircle,
  listCircles,
  lockCircle,
  removeCircle,
  updateCircle,
} from "../store/circles.ts";
import { keyTable, type TestDatabase } from "../store/tables.ts";
import { auditedCircle } from "./audited-circle.ts";
import type { CircleReferences } from "./circle-references.ts";
import type { CircleVariables } from "./circle-variables.ts";
import type { ScheduleFence } from "./schedule-fence.ts";

type CircleHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  "listCircles" | "createCircle" | "getCircle" | "changeCircle" | "deleteCircle"
>;

const getApiIds = (members: ListedMember[]) => [...new Set(members.map(({ apiId }) => apiId))].sort();

/** Properties of a circle in lists and runs. */
export function summarizeCircle(row: CircleRow, memberCount: number, apiIds: string[]): CircleSummary {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    order: row.execution_order,
    concurrency: row.concurrency,
    stopOnFailure: row.stop_on_failure,
    cookies: row.keeps_cookies,
    onlyOwn: row.only_own,
    locationId: row.location_id,
    places: row.places,
    memberCount,
    apiIds,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function toTestCircle(row: CircleRow, members: ListedMember[]): Circle {
  const { memberCount, ...summary } = summarizeCircle(row, members.length, getApiIds(members));
  return {
    ...summary,
    members: members.map(({ member }) => member),
    environments: row.environments,
    variables: row.variables.map(toVariable),
  };
}

export const toVariable = ({ name, value, secret, reference }: CircleRow["variables"][number]): CircleVariable => ({
  ...{ name, value: secret ? null : value, secret },
  ...(reference ? { reference } : {}),
});

/** A secret reference can be used to send the secret to any host, so setting one needs `credentials:manage`. */
function requireMayRefer({ scopes, kind }: Identity, input: CircleInput, before: CircleRow | undefined): void {
  if (kind === "service" || scopes.includes("credentials:manage")) return;
  if (changesReference(input.variables, before?.variables))
    throw new Problem("forbidden", "Only those who manage credentials choose where a secret is read.");
}

const toListItem = (row: ListedCircle) => summarizeCircle(row, row.member_count, row.api_ids);

/** Published in the order of creation, changes and deletion. */
export function toCircleEvent(
  type: CircleEvent["type"],
  organizationId: string,
  { id, name }: Pick<CircleRow, "id" | "name">,
) {
  return { type, organizationId, resource: `circle/${id}`, payload: { testCircleId: id, name } };
}

function requirePlaces({ places, locationId }: CircleInput): void {
  if (!places) return;
  const errors = findPlaceErrors(places).map(({ path, message }) => ({ path: `places.${path}`, message }));
  if (locationId) errors.push({ path: "places", message: "Choose one location, or several places" });
  if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
}

/** @param before values of what the input omits */
function toColumns(
  input: CircleInput,
  before: Pick<CircleRow, "keeps_cookies" | "only_own" | "location_id" | "places">,
  now: Date,
) {
  requirePlaces(input);
  const { name, description, order, concurrency, stopOnFailure } = input;
  const { cookies = before.keeps_cookies, onlyOwn = before.only_own } = input;
  // One location, or several places: what is chosen last takes the place of the other.
  const places = input.places === undefined ? (input.locationId ? null : before.places) : input.places;
  const locationId = places ? null : input.locationId === undefined ? before.location_id : input.locationId;
  return {
    ...{ name, description, execution_order: order, concurrency, stop_on_failure: stopOnFailure },
    ...{ keeps_cookies: cookies, only_own: onlyOwn, location_id: locationId, places, updated_at: now },
  };
}

/** Creates the handlers of circles. */
export function createCircleHandlers(parts: {
  db: TestDatabase;
  clock: Clock;
  publisher: Publisher<CircleEvent>;
  places: CircleReferences;
  variables: CircleVariables;
  fence: ScheduleFence;
}): CircleHandlers {
  const { db, clock, publisher, places, variables, fence } = parts;

  async function requireCircle(organizationId: string, testCircleId: string): Promise<Circle> {
    const row = await findCircle(db, { organizationId, testCircleId });
    if (!row) throw notFound("test circle");
    return toTestCircle(row, await listMembers(db, { organizationId, testCircleId }));
  }

  /** The statement that refused cannot distinguish a missing row from one changed by another user. */
  async function refuse(organizationId: string, testCircleId: string): Promise<never> {
    await requireCircle(organizationId, testCircleId);
    throw new Problem("stale_version", "Someone else changed this circle in the meantime. View again.");
  }

  const handlers: CircleHandlers = {
    async listCircles({ caller: { organizationId }, query }) {
      const { apiId, testId, locationId, ids } = query;
      const filter = { organizationId, query: query.query, apiId, testId, locationId, ids };
      // PostgreSQL's text has no NUL, so no stored value can match.
      if (query.query?.includes("\u0000")) return { items: [], nextCursor: null, total: 0 };
      const rows = await listCircles(db, filter, query);
      const page = pageFrom(rows, query.limit, (row) => [row.name, row.id], toListItem);
      if (query.cursor !== undefined) return page;
      return { ...page, total: page.nextCursor ? await countCircles(db, filter) : rows.length };
    },

    async createCircle({ caller, body, request, requestId, log, record, answerHeaders }) {
      const { organizationId } = caller;
      const key = readIdempotencyKey(request, body);
      const id = uuidv7();
      const { copyOf, ...input } = body;
      const copied = copyOf && (await findCircle(db, { organizationId, testCircleId: copyOf }));
      if (copyOf && !copied) {
        throw new Problem("invalid_input", undefined, {
          errors: [{ path: "copyOf", message: "No such circle" }],
        });
      }
      const owner = { organizationId, testCircleId: id };
      requireMayRefer(caller, input, copied || undefined);
      const stored = variables.seal(owner, input, copied || undefined);
      await places.requireApis({ organizationId, requestId }, input);
      const now = clock.now();
      const created = await db.transaction().execute(async (transaction) => {
        const first = key && (await reserveKey(transaction, keyTable, { ...key, organizationId, makes: id, now }));
        if (first) {
          await record(transaction);
          return first;
        }
        const members = await places.placeMembers(transaction, organizationId, input.members);
        const row: CircleRow = {
          id,
          organization_id: organizationId,
          ...toColumns(
            input,
            {
              keeps_cookies: input.order === "sequential",
              only_own: copied ? copied.only_own : false,
              location_id: copied ? copied.location_id : null,
              places: copied ? copied.places : null,
            },
            now,
          ),
          environments: places.keepEnvironments(input.environments, members),
          variables: stored,
          version: 1,
          created_at: now,
        };
        await insertCircle(transaction, row);
        await replaceMembers(transaction, owner, members);
        await record(transaction, { id, after: auditedCircle(row, members) });
        await publisher.publish(transaction, [toCircleEvent("circle.created", organizationId, row)]);
        return id;
      });
      const row = await findCircle(db, { organizationId, testCircleId: created });
      if (!row) throw new Problem("conflict", "The circle that was created with this Idempotency-Key was deleted.");
      if (created === id) log.info({ testCircleId: id, userId: caller.userId }, "test circle created");
      answerHeaders.set("etag", entityTag(row.version));
      return toTestCircle(row, await listMembers(db, { organizationId, testCircleId: created }));
    },

    async getCircle({ caller, params, answerHeaders }) {
      const found = await requireCircle(caller.organizationId, params.testCircleId);
      answerHeaders.set("etag", entityTag(found.version));
      return found;
    },

    async changeCircle({ caller, params: { testCircleId }, body, request, requestId, log, record, answerHeaders }) {
      const { organizationId } = caller;
      const owner = { organizationId, testCircleId };
      await requireCircle(organizationId, testCircleId);
      await places.requireApis({ organizationId, requestId }, body);
      const changed = await db.transaction().execute(async (transaction) => {
        const members = await places.placeMembers(transaction, organizationId, body.members);
        await lockCircle(transaction, owner);
        const before = await findCircle(transaction, owner);
        if (!before) return undefined;
        requireMayRefer(caller, body, before);
        const membersBefore = await listMembers(transaction, owner);
        const row = {
          id: testCircleId,
          organization_id: organizationId,
          ...toColumns(body, before, clock.now()),
          environments: places.keepEnvironments(body.environments, members),
          variables: variables.seal(owner, body, before),
        };
        const updated = await updateCircle(transaction, row, parseIfMatch(request.headers.get("if-match")));
        if (!updated) return undefined;
        await replaceMembers(transaction, owner, members);
        await record(transaction, {
          id: testCircleId,
          before: auditedCircle(before, membersBefore),
          after: auditedCircle(updated, members),
        });
        await publisher.publish(transaction, [toCircleEvent("circle.updated", organizationId, updated)]);
        return toTestCircle(updated, members);
      });
      if (!changed) return await refuse(organizationId, testCircleId);
      log.info({ testCircleId, userId: caller.userId, version: changed.version }, "test circle changed");
      answerHeaders.set("etag", entityTag(changed.version));
      return changed;
    },

    async deleteCircle({ caller, params: { testCircleId }, request, requestId, log, record }) {
      const { organizationId } = caller;
      const versions = parseIfMatch(request.headers.get("if-match"));
      const owner = { organizationId, testCircleId };
      const removed = await fence.changeCircle({ organizationId, requestId }, testCircleId, async (transaction) => {
        const members = await listMembers(transaction, owner);
        const row = await removeCircle(transaction, owner, versions);
        if (!row) return undefined;
        await record(transaction, { id: testCircleId, before: auditedCircle(row, members) });
        await publisher.publish(transaction, [toCircleEvent("circle.deleted", organizationId, row)]);
        return row;
      });
      if (!removed) await refuse(organizationId, testCircleId);
      log.info({ testCircleId, userId: caller.userId }, "test circle deleted");
      return undefined;
    },
  };
  return handlers;
}
