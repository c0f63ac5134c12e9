import { uuidv7 } from "uuidv7";
import { Problem } from "#contracts/kit/problem.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { TestEvent } from "#contracts/test-registry/events.ts";
import type { CreatedTest } from "#contracts/test-registry/test-batches.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import { readIdempotencyKey, reserveKey } from "../../kit/idempotency/idempotency-key.ts";
import type { PlanLedger } from "../../kit/plan/plan-ledger.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { findTestErrors } from "../domain/test-rules.ts";
import { keyTable, type TestDatabase, type TestTransaction } from "../store/tables.ts";
import { findTests, insertTests, lockNamedTests, lockTestedOperations, type TestRow } from "../store/tests.ts";
import type { RequireApi } from "./require-api.ts";
import type { RequireCredentials } from "./require-credentials.ts";
import { requireFiles } from "./require-files.ts";
import { audited, toColumns } from "./tests.ts";

function toCreatedTests({ id, name, method, path }: CreatedTest): CreatedTest {
  return { id, name, method, path };
}

function requireAllFaultless(items: TestInput[]): void {
  const errors = items.flatMap((input, index) =>
    findTestErrors(input).map(({ path, message }) => ({ path: `items[${index}].${path}`, message })),
  );
  if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
}

/** Ids derived from the first one: a repeated call returns the tests it created, by its key. */
function idsFrom(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => first.slice(0, -2) + index.toString(16).padStart(2, "0"));
}

const operationKey = ({ method, path }: { method: string; path: string }) => `${method.toLowerCase()} ${path}`;
const namedKey = (test: Omit<CreatedTest, "id">) => `${operationKey(test)} ${test.name}`;

interface ApiKey {
  organizationId: string;
  apiId: string;
}

/** For each row the test of its name that exists, or the first of its name in this call. */
async function replaceByExisting(transaction: TestTransaction, api: ApiKey, rows: TestRow[]): Promise<CreatedTest[]> {
  const byName = new Map<string, CreatedTest>();
  for (const test of [...(await lockNamedTests(transaction, api, rows)), ...rows]) {
    if (!byName.has(namedKey(test))) byName.set(namedKey(test), test);
  }
  return rows.map((row) => byName.get(namedKey(row))!);
}

async function withoutTested(transaction: TestTransaction, api: ApiKey, rows: TestRow[]): Promise<TestRow[]> {
  const tested = new Set((await lockTestedOperations(transaction, api, rows)).map(operationKey));
  return rows.filter((row) => !tested.has(operationKey(row)));
}

/** Creates the handler that creates several tests at once. */
export function createTestBatchHandlers(parts: {
  db: TestDatabase;
  clock: Clock;
  requireApi: RequireApi;
  requireCredentials: RequireCredentials;
  publisher: Publisher<TestEvent>;
  /** Maximum number of tests of an organization. */
  plans: PlanLedger;
}): Pick<Handlers<typeof testRegistryContract>, "createTests"> {
  const { db, clock, requireApi, requireCredentials, publisher, plans } = parts;

  return {
    async createTests({ caller, params: { apiId }, body, request, requestId, log, record }) {
      const { organizationId } = caller;
      const key = readIdempotencyKey(request, body);
      requireAllFaultless(body.items);
      await Promise.all([requireApi(caller, requestId, apiId), plans.require(organizationId, requestId)]);
      const demands = body.items.map(({ request: { authorization } }, index) => ({
        requested: authorization,
        pathPrefix: `items[${index}].`,
      }));
      await requireCredentials({ caller, requestId }, ...demands);
      const now = clock.now();
      const ids = idsFrom(uuidv7(), body.items.length);
      const wanted = body.items.map((input, index): TestRow => {
        const location = { id: ids[index]!, organization_id: organizationId, api_id: apiId };
        return { ...location, ...toColumns(input, now), version: 1, created_at: now };
      });
      const { rows, items } = await db.transaction().execute(async (transaction) => {
        const api = { organizationId, apiId };
        const first = key && (await reserveKey(transaction, keyTable, { ...key, organizationId, makes: ids[0]!, now }));
        if (first && !body.keepExisting) {
          await record(transaction);
          return { rows: [], items: await findTests(transaction, organizationId, idsFrom(first, wanted.length)) };
        }
        const isNew = new Set(wanted.map(({ id }) => id));
        const requested = body.keepExisting ? await replaceByExisting(transaction, api, wanted) : wanted;
        const missing = first ? [] : wanted.filter((row) => requested.includes(row));
        const rows = body.onlyUntested ? await withoutTested(transaction, api, missing) : missing;
        const items = requested.filter((test) => rows.some(({ id }) => id === test.id) || !isNew.has(test.id));
        await record(transaction, ...rows.map((row) => ({ id: row.id, after: audited(row) })));
        if (rows.length === 0) return { rows, items };
        const tests = body.items.map((test, index) => ({ test, pathPrefix: `items[${index}].` }));
        await requireFiles(transaction, organizationId, tests, now);
        await insertTests(transaction, rows);
        await plans.add(transaction, organizationId, rows.length);
        const payload = { apiId, testIds: rows.map(({ id }) => id) };
        await publisher.publish(transaction, [
          { type: "tests.created", organizationId, resource: `api/${apiId}`, payload },
        ]);
        return { rows, items };
      });
      if (rows.length > 0) log.info({ apiId, userId: caller.userId, count: rows.length }, "tests created");
      return { items: items.map(toCreatedTests) };
    },
  };
}
