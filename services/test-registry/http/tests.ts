import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { TestEvent } from "#contracts/test-registry/events.ts";
import type { Test, TestInput } from "#contracts/test-registry/tests.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { pageFrom } from "../../kit/database/keyset.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import { readIdempotencyKey, reserveKey } from "../../kit/idempotency/idempotency-key.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { PlanLedger } from "../../kit/plan/plan-ledger.ts";
import { entityTag, parseIfMatch } from "../../kit/service/entity-tag.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { findTestErrors } from "../domain/test-rules.ts";
import type { TestDefinition } from "../store/definitions.ts";
import { keyTable, type TestDatabase } from "../store/tables.ts";
import { countMatchingTests, cursorAfter, listTests, type TestFilter } from "../store/test-lists.ts";
import { findTest, insertTest, type TestRow, updateTest } from "../store/tests.ts";
import type { RequireApi } from "./require-api.ts";
import type { RequireCredentials } from "./require-credentials.ts";
import { requireFiles } from "./require-files.ts";

type TestHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  "listTests" | "listAllTests" | "createTest" | "getTest" | "changeTest"
>;

export function toTest(row: TestRow): Test {
  return {
    id: row.id,
    apiId: row.api_id,
    name: row.name,
    method: row.method,
    path: row.path,
    enabled: row.enabled,
    tags: row.tags,
    ...row.definition,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function requireFaultless(input: TestInput): void {
  const errors = findTestErrors(input);
  if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
}

/** @param before what is stored: a location that the input does not mention stays */
export function toColumns(input: TestInput, now: Date, before?: Pick<TestDefinition, "locationId">) {
  const { name, method, path, enabled, tags, locationId: given, ...rest } = input;
  const locationId = given === undefined ? before?.locationId : (given ?? undefined);
  const definition = { ...rest, ...(locationId ? { locationId } : {}) };
  return { name, method, path, enabled, tags: [...new Set(tags)], definition, updated_at: now };
}

/** The statement that refused cannot distinguish a missing row from one changed by another user. */
export async function refuse(db: TestDatabase, caller: Identity, testId: string): Promise<never> {
  if (!(await findTest(db, { organizationId: caller.organizationId, testId }))) throw notFound("test");
  throw new Problem("stale_version", "Someone else changed this test in the meantime. View again.");
}

/** A request may contain typed-in secrets: the record has its size, not its content. */
export function audited({ api_id, name, method, path, enabled, tags, version, definition }: TestRow) {
  const { assertions, checks, captures, locationId } = definition;
  const counts = { assertions: assertions.length, checks: checks.length, captures: captures.length };
  const place = locationId ? { locationId } : {};
  return { apiId: api_id, name, method, path, enabled, tags, version, ...counts, ...place };
}

/** An event of a test, delivered after the earlier ones of its API's tests. */
export function toEvent(
  type: "test.created" | "test.changed",
  {
    organization_id,
    api_id,
    id,
    name,
    enabled,
  }: Pick<TestRow, "organization_id" | "api_id" | "id" | "name" | "enabled">,
) {
  const payload = { apiId: api_id, testId: id, name, enabled };
  return { type, organizationId: organization_id, resource: `api/${api_id}`, payload };
}

type YesOrNo = "true" | "false" | undefined;
type Filters = Pick<TestFilter, "query" | "method" | "path" | "tag" | "ids" | "locationId"> & {
  enabled?: YesOrNo;
  safe?: YesOrNo;
};

function toFilter({ organizationId }: Identity, { enabled, safe, ...filters }: Filters): TestFilter {
  const { query, method, path, tag, ids, locationId } = filters;
  return { organizationId, query, method, path, tag, ids, locationId, enabled: yesOrNo(enabled), safe: yesOrNo(safe) };
}

const yesOrNo = (given: YesOrNo) => (given === undefined ? undefined : given === "true");

/** Creates the handlers of tests. */
export function createTestHandlers(parts: {
  db: TestDatabase;
  clock: Clock;
  requireApi: RequireApi;
  requireCredentials: RequireCredentials;
  publisher: Publisher<TestEvent>;
  /** Maximum number of tests of an organization. */
  plans: PlanLedger;
}): TestHandlers {
  const { db, clock, requireApi, requireCredentials, publisher, plans } = parts;

  async function pageOfTests(filter: TestFilter, page: Parameters<typeof listTests>[2]) {
    // PostgreSQL's text has no NUL, so no stored value can match.
    if (Object.values(filter).some((value) => String(value).includes("\u0000"))) {
      return { items: [], nextCursor: null, total: 0 };
    }
    const rows = await listTests(db, filter, page);
    const found = pageFrom(rows, page.limit, (row) => cursorAfter(page.sort, row), toTest);
    // Later pages omit the count: it reads every matching row.
    if (page.cursor !== undefined) return found;
    return { ...found, total: found.nextCursor ? await countMatchingTests(db, filter) : rows.length };
  }

  return {
    async listTests({ caller, params, query, requestId }) {
      const page = await pageOfTests({ ...toFilter(caller, query), apiId: params.apiId }, query);
      if (page.items.length === 0) await requireApi(caller, requestId, params.apiId);
      return page;
    },

    async listAllTests({ caller, query }) {
      return await pageOfTests(toFilter(caller, query), { ...query, sort: "name" });
    },

    async createTest({ caller, params, body, request, requestId, log, record, answerHeaders }) {
      const { organizationId } = caller;
      const key = readIdempotencyKey(request, body);
      requireFaultless(body);
      await Promise.all([requireApi(caller, requestId, params.apiId), plans.require(organizationId, requestId)]);
      await requireCredentials({ caller, requestId }, { requested: body.request.authorization });
      const now = clock.now();
      const row: TestRow = {
        id: uuidv7(),
        organization_id: organizationId,
        api_id: params.apiId,
        ...toColumns(body, now),
        version: 1,
        created_at: now,
      };
      const earlier = await db.transaction().execute(async (transaction) => {
        const first = key && (await reserveKey(transaction, keyTable, { ...key, organizationId, makes: row.id, now }));
        if (first) {
          await record(transaction);
          return first;
        }
        await requireFiles(transaction, organizationId, [{ test: body }], now);
        await insertTest(transaction, row);
        await record(transaction, { id: row.id, after: audited(row) });
        await plans.add(transaction, organizationId);
        await publisher.publish(transaction, [toEvent("test.created", row)]);
        return undefined;
      });
      if (earlier) {
        const created = await findTest(db, { organizationId, testId: earlier });
        if (!created) throw new Problem("conflict", "The test that was created with this Idempotency-Key was deleted.");
        answerHeaders.set("etag", entityTag(created.version));
        return toTest(created);
      }
      log.info({ testId: row.id, userId: caller.userId }, "test created");
      answerHeaders.set("etag", entityTag(row.version));
      return toTest(row);
    },

    async getTest({ caller, params, answerHeaders }) {
      const row = await findTest(db, { organizationId: caller.organizationId, testId: params.testId });
      if (!row) throw notFound("test");
      answerHeaders.set("etag", entityTag(row.version));
      return toTest(row);
    },

    async changeTest({ caller, params, body, request, requestId, log, record, answerHeaders }) {
      requireFaultless(body);
      const stored = await findTest(db, { organizationId: caller.organizationId, testId: params.testId });
      if (!stored) throw notFound("test");
      const [wanted, named] = [body.request.authorization, stored.definition.request.authorization];
      await requireCredentials({ caller, requestId }, { requested: wanted, stored: named });
      const now = clock.now();
      const { testId } = params;
      const { organizationId } = caller;
      const changed = await db.transaction().execute(async (transaction) => {
        const before = await findTest(transaction, { organizationId, testId });
        const row = { id: testId, organization_id: organizationId, ...toColumns(body, now, before?.definition) };
        const updated = await updateTest(transaction, row, parseIfMatch(request.headers.get("if-match")));
        if (!before || !updated) return undefined;
        await requireFiles(transaction, caller.organizationId, [{ test: body }], now);
        await record(transaction, { id: testId, before: audited(before), after: audited(updated) });
        await publisher.publish(transaction, [toEvent("test.changed", updated)]);
        return updated;
      });
      if (!changed) return await refuse(db, caller, params.testId);
      log.info({ testId, userId: caller.userId, version: changed.version }, "test changed");
      answerHeaders.set("etag", entityTag(changed.version));
      return toTest(changed);
    },
  };
}
