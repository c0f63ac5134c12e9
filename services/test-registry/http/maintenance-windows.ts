import { setImmediate } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import { type FieldError, notFound, Problem } from "#contracts/kit/problem.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type {
  MaintenanceWindow,
  MaintenanceWindowInput,
  WindowTime,
} from "#contracts/test-registry/maintenance-windows.ts";
import { pageFrom } from "../../kit/database/keyset.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import { readIdempotencyKey, reserveKey } from "../../kit/idempotency/idempotency-key.ts";
import { entityTag, parseIfMatch } from "../../kit/service/entity-tag.ts";
import type { Handlers } from "../../kit/service/service.ts";
import {
  concerns,
  findTimesErrors,
  findWindowErrors,
  listSpans,
  listSpansBetween,
  type MaintenanceWindowScope,
  type Span,
  spanAt,
} from "../domain/maintenance-window.ts";
import { findCircle, listApiIdsOfCircles, lockCircleAgainstDeletion } from "../store/circles.ts";
import {
  findWindow,
  insertWindow,
  listWindows,
  listWindowsByOrganization,
  type NamedWindow,
  removeWindow,
  toScope,
  updateWindow,
  type WindowRow,
} from "../store/maintenance-windows.ts";
import { keyTable, type TestDatabase, type TestTransaction } from "../store/tables.ts";
import type { CircleReferences } from "./circle-references.ts";

type ScopeColumns = Pick<WindowRow, "organization_id" | "circle_id">;
type WindowHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  | "listMaintenanceWindows"
  | "listMaintenanceWindowTimes"
  | "previewMaintenanceWindow"
  | "createMaintenanceWindow"
  | "getMaintenanceWindow"
  | "changeMaintenanceWindow"
  | "deleteMaintenanceWindow"
>;

const maxPreviewed = 5;
const maxTimes = 500;
/** Above this number, bands in a plot can't be distinguished. */
const maxTimesOfWindow = 100;
const maxRangeMilliseconds = 100 * 86_400_000;

const noSuchCircle: FieldError = { path: "testCircleId", message: "No such circle" };

/** A circle deleted concurrently takes its windows along, and cannot get another. */
async function lockScope(transaction: TestTransaction, { organization_id, circle_id }: ScopeColumns): Promise<void> {
  if (circle_id === null) return;
  if (await lockCircleAgainstDeletion(transaction, { organizationId: organization_id, testCircleId: circle_id }))
    return;
  throw new Problem("invalid_input", undefined, { errors: [noSuchCircle] });
}

export function toSpan({ from, to }: Span): { from: string; to: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

function toMaintenanceWindow(row: NamedWindow, now: Date): MaintenanceWindow {
  const span = spanAt(row.times, now.getTime());
  return {
    id: row.id,
    name: row.name,
    apiId: row.api_id ?? undefined,
    testCircleId: row.circle_id ?? undefined,
    testCircleName: row.circle_name,
    times: row.times,
    next: span ? { ...toSpan(span), isOn: span.from <= now.getTime() } : null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Whether a window without a circle concerns an API; without one, whether it concerns all of them. */
function appliesToApi({ apiId, testCircleId }: MaintenanceWindowScope, of: string | undefined): boolean {
  return testCircleId === undefined && (apiId === undefined || apiId === of);
}

/** @throws Problem malformed_request naming the field */
function readRange(query: { from: string; to: string }): { from: number; to: number } {
  const [from, to] = [Date.parse(query.from), Date.parse(query.to)];
  if (to > from && to - from <= maxRangeMilliseconds) return { from, to };
  const errors = [{ path: "to", message: "Choose a moment after `from`, at most 100 days later" }];
  throw new Problem("malformed_request", undefined, { errors });
}

function audited({ name, api_id: apiId, circle_id: testCircleId, times, version }: WindowRow) {
  return { name, apiId, testCircleId, times, version };
}

function toColumns({ name, apiId, testCircleId, times }: MaintenanceWindowInput, now: Date) {
  return { name, api_id: apiId ?? null, circle_id: testCircleId ?? null, times, updated_at: now };
}

/** Creates the handlers of maintenance windows. */
export function createMaintenanceWindowHandlers(parts: {
  db: TestDatabase;
  readTime: SharedClock;
  places: CircleReferences;
}): WindowHandlers {
  const { db, readTime, places } = parts;

  async function requireFaultless(
    requester: { organizationId: string; requestId: string },
    input: MaintenanceWindowInput,
  ): Promise<void> {
    const { organizationId } = requester;
    const { apiId, testCircleId } = input;
    const errors: FieldError[] = findWindowErrors(input);
    if (apiId && (await places.findApis(requester, [apiId])).size === 0) {
      errors.push({ path: "apiId", message: "No such API" });
    }
    if (testCircleId && !(await findCircle(db, { organizationId, testCircleId }))) errors.push(noSuchCircle);
    if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
  }

  async function requireWindow(organizationId: string, maintenanceWindowId: string): Promise<NamedWindow> {
    const row = await findWindow(db, { organizationId, maintenanceWindowId });
    if (!row) throw notFound("maintenance window");
    return row;
  }

  /** The statement that refused cannot distinguish a missing row from one changed by another user. */
  async function refuse(organizationId: string, maintenanceWindowId: string): Promise<never> {
    await requireWindow(organizationId, maintenanceWindowId);
    throw new Problem("stale_version", "Someone else changed this window in the meantime. View again.");
  }

  return {
    async listMaintenanceWindows({ caller: { organizationId }, query }) {
      // PostgreSQL's text has no NUL, so no stored value can match.
      if (query.query?.includes("\u0000")) return { items: [], nextCursor: null };
      const rows = await listWindows(db, { ...query, organizationId }, query);
      const now = await readTime();
      return pageFrom(
        rows,
        query.limit,
        ({ id }) => [id],
        (row) => toMaintenanceWindow(row, now),
      );
    },

    async listMaintenanceWindowTimes({ caller: { organizationId }, query }) {
      const { apiId, testCircleId, every } = query;
      const range = readRange(query);
      if (testCircleId && !(await findCircle(db, { organizationId, testCircleId }))) throw notFound("circle");
      const circle = testCircleId && {
        testCircleId,
        apiIds: (await listApiIdsOfCircles(db, [testCircleId])).get(testCircleId) ?? [],
      };
      const items: WindowTime[] = [];
      for (const row of await listWindowsByOrganization(db, [organizationId])) {
        // Many windows take a while; yields to other requests in between.
        await setImmediate();
        const scope = toScope(row);
        if (circle ? !concerns(scope, circle) : !every && !appliesToApi(scope, apiId)) continue;
        const spans = listSpansBetween(row.times, { ...range, atMost: maxTimesOfWindow }) ?? [];
        const created = row.created_at.getTime();
        const { id: maintenanceWindowId, name, api_id, circle_id } = row;
        const named = { maintenanceWindowId, name, apiId: api_id, testCircleId: circle_id };
        for (const span of spans) {
          if (span.to > created) items.push({ ...named, ...toSpan(span) });
        }
      }
      return { items: items.sort((one, other) => (one.from < other.from ? -1 : 1)).slice(0, maxTimes) };
    },

    async previewMaintenanceWindow({ body: { times } }) {
      const errors = findTimesErrors(times);
      if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
      const now = await readTime();
      return { items: listSpans(times, now.getTime(), maxPreviewed).map(toSpan) };
    },

    async createMaintenanceWindow({ caller, body, request, requestId, log, record, answerHeaders }) {
      const { organizationId } = caller;
      const key = readIdempotencyKey(request, body);
      await requireFaultless({ organizationId, requestId }, body);
      const now = await readTime();
      const row: WindowRow = {
        id: uuidv7(),
        organization_id: organizationId,
        version: 1,
        created_at: now,
        ...toColumns(body, now),
      };
      const created = await db.transaction().execute(async (transaction) => {
        const call = key && { ...key, organizationId, makes: row.id, now };
        const first = call && (await reserveKey(transaction, keyTable, call));
        if (first) {
          await record(transaction);
          return first;
        }
        await lockScope(transaction, row);
        await insertWindow(transaction, row);
        await record(transaction, { id: row.id, after: audited(row) });
        return row.id;
      });
      const found = await findWindow(db, { organizationId, maintenanceWindowId: created });
      if (!found) throw new Problem("conflict", "The window that was created with this Idempotency-Key was deleted.");
      if (created === row.id)
        log.info({ maintenanceWindowId: created, userId: caller.userId }, "maintenance window created");
      answerHeaders.set("etag", entityTag(found.version));
      return toMaintenanceWindow(found, now);
    },

    async getMaintenanceWindow({ caller, params, answerHeaders }) {
      const row = await requireWindow(caller.organizationId, params.maintenanceWindowId);
      answerHeaders.set("etag", entityTag(row.version));
      return toMaintenanceWindow(row, await readTime());
    },

    async changeMaintenanceWindow({ caller, params, body, request, requestId, log, record, answerHeaders }) {
      const { organizationId } = caller;
      const { maintenanceWindowId } = params;
      await requireWindow(organizationId, maintenanceWindowId);
      await requireFaultless({ organizationId, requestId }, body);
      const now = await readTime();
      const changed = await db.transaction().execute(async (transaction) => {
        const before = await findWindow(transaction, { organizationId, maintenanceWindowId });
        const row = { id: maintenanceWindowId, organization_id: organizationId, ...toColumns(body, now) };
        await lockScope(transaction, row);
        const versions = parseIfMatch(request.headers.get("if-match"));
        if (!before || !(await updateWindow(transaction, row, versions))) return undefined;
        const updated = (await findWindow(transaction, { organizationId, maintenanceWindowId }))!;
        await record(transaction, { id: row.id, before: audited(before), after: audited(updated) });
        return updated;
      });
      if (!changed) return await refuse(organizationId, maintenanceWindowId);
      log.info({ maintenanceWindowId, userId: caller.userId }, "maintenance window changed");
      answerHeaders.set("etag", entityTag(changed.version));
      return toMaintenanceWindow(changed, now);
    },

    async deleteMaintenanceWindow({ caller, params, request, log, record }) {
      const { organizationId } = caller;
      const { maintenanceWindowId } = params;
      const versions = parseIfMatch(request.headers.get("if-match"));
      const removed = await db.transaction().execute(async (transaction) => {
        const row = await removeWindow(transaction, { organizationId, maintenanceWindowId }, versions);
        if (row) await record(transaction, { id: maintenanceWindowId, before: audited(row) });
        return row;
      });
      if (!removed) await refuse(organizationId, maintenanceWindowId);
      log.info({ maintenanceWindowId, userId: caller.userId }, "maintenance window deleted");
      return undefined;
    },
  };
}
