import { uuidv7 } from "uuidv7";
import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { createCircle } from "#contracts/test-registry/circles.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { CircleEvent, TestEvent } from "#contracts/test-registry/events.ts";
import { type Imported, imported } from "#contracts/test-registry/imports.ts";
import { type CreatedTest, maxTestsPerBatch } from "#contracts/test-registry/test-batches.ts";
import { createTest, type TestInput } from "#contracts/test-registry/tests.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import { findCreated, readIdempotencyKey, reserveKey } from "../../kit/idempotency/idempotency-key.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { PlanLedger } from "../../kit/plan/plan-ledger.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { ImportPlan } from "../domain/imports/plan.ts";
import { toName } from "../domain/imports/to-name.ts";
import { replaceMembers } from "../store/circle-members.ts";
import { type CircleRow, insertCircle } from "../store/circles.ts";
import { findResult, insertResult } from "../store/imports.ts";
import { keyTable, type TestDatabase, type TestTransaction } from "../store/tables.ts";
import { insertTests, lockNamedTests, type TestRow } from "../store/tests.ts";
import { auditedCircle } from "./audited-circle.ts";
import type { CircleVariables } from "./circle-variables.ts";
import { toCircleEvent } from "./circles.ts";
import type { ImportFiles } from "./import-files.ts";
import type { PlanImport } from "./import-plans.ts";
import { ImportSurroundings } from "./import-surroundings.ts";
import { audited, toColumns } from "./tests.ts";

interface Parts {
  db: TestDatabase;
  clock: Clock;
  files: ImportFiles;
  planImport: PlanImport;
  apiRegistry: Connect<typeof apiRegistryContract>;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
  variables: CircleVariables;
  publisher: Publisher<TestEvent | CircleEvent>;
  plans: PlanLedger;
}

/** For how long a repeated call returns the first result; keys are kept as long. */
const resultMilliseconds = 24 * 60 * 60 * 1_000;
const kinds = { test: String(createTest.audit), circle: String(createCircle.audit) };

/** A test with the credentials that were stored for it. */
function withCredentials(test: TestInput, credentialIds: string[]): TestInput {
  if (credentialIds.length === 0) return test;
  const bindings = credentialIds.slice(0, 10).map((credentialId) => ({ schemeName: "", credentialId }));
  return { ...test, request: { ...test.request, authorization: { kind: "credentials", bindings } } };
}

const key = ({ method, path, name }: { method: string; path: string; name: string }) =>
  `${method.toLowerCase()} ${path} ${name}`;

function requireTests({ requests }: ImportPlan): void {
  if (requests.some(({ state }) => state === "new" || state === "exists")) return;
  const message =
    requests.length === 0
      ? "There are no requests in these files."
      : "No request becomes a test: none is of an operation of this API. Include the others, or import without an API.";
  throw new Problem("invalid_input", undefined, { errors: [{ path: "source", message }] });
}

interface Importing {
  organizationId: string;
  apiId: string;
  plan: ImportPlan;
  credentialIds: string[];
  now: Date;
}

/** Creates the handler that imports. */
export function createImportHandlers(parts: Parts): Pick<Handlers<typeof testRegistryContract>, "importTests"> {
  const { db, clock, variables, publisher, plans } = parts;

  /** @returns the test of each request: created, or there already */
  async function storeTests(transaction: TestTransaction, importing: Importing, record: RecordChange) {
    const { organizationId, apiId, plan, credentialIds, now } = importing;
    const planned = plan.tests.map(({ id, test, credentials }) => {
      const complete = withCredentials(
        test,
        credentials.map((position) => credentialIds[position]!),
      );
      const location = { id: uuidv7(), organization_id: organizationId, api_id: apiId };
      return { request: id, row: { ...location, ...toColumns(complete, now), version: 1, created_at: now } as TestRow };
    });
    const wanted = plan.requests.flatMap(({ id, state, test }) => (test && state !== "left_out" ? [{ id, test }] : []));
    const there = new Map<string, CreatedTest>();
    for (const test of await lockNamedTests(
      transaction,
      { organizationId, apiId },
      wanted.map(({ test }) => test),
    ))
      if (!there.has(key(test))) there.set(key(test), test);
    const rows = planned.filter(({ row }) => !there.has(key(row))).map(({ row }) => row);
    const byRequest = new Map<string, CreatedTest>(planned.map(({ request, row }) => [request, row]));
    for (const { id, test } of wanted) {
      const existing = there.get(key(test));
      if (existing) byRequest.set(id, existing);
    }
    for (let from = 0; from < rows.length; from += maxTestsPerBatch) {
      const some = rows.slice(from, from + maxTestsPerBatch);
      await insertTests(transaction, some);
      const payload = { apiId, testIds: some.map(({ id }) => id) };
      await publisher.publish(transaction, [
        { type: "tests.created", organizationId, resource: `api/${apiId}`, payload },
      ]);
    }
    await record(transaction, ...rows.map((row) => ({ kind: kinds.test, id: row.id, after: audited(row) })));
    await plans.add(transaction, organizationId, rows.length);
    return { rows, byRequest };
  }

  async function storeCircles(
    transaction: TestTransaction,
    { organizationId, apiId, plan, now }: Importing,
    { byRequest, record }: { byRequest: ReadonlyMap<string, CreatedTest>; record: RecordChange },
  ) {
    const created: { id: string; name: string }[] = [];
    for (const { name, description, stopOnFailure, requests, variables: given } of plan.circles) {
      const owner = { organizationId, testCircleId: uuidv7() };
      const members = requests.flatMap((id) => {
        const test = byRequest.get(id);
        return test ? [{ member: { kind: "test" as const, testId: test.id, phase: "main" as const }, apiId }] : [];
      });
      const row: CircleRow = {
        ...{ id: owner.testCircleId, organization_id: organizationId, name, description },
        ...{ execution_order: "sequential", concurrency: 10, stop_on_failure: stopOnFailure },
        ...{ keeps_cookies: true, only_own: false, location_id: null, environments: {} },
        variables: variables.seal(owner, { name, variables: given }, undefined),
        ...{ version: 1, created_at: now, updated_at: now },
      };
      await insertCircle(transaction, row);
      await replaceMembers(transaction, owner, members);
      await record(transaction, { kind: kinds.circle, id: row.id, after: auditedCircle(row, members.length) });
      await publisher.publish(transaction, [toCircleEvent("circle.created", organizationId, row)]);
      created.push({ id: row.id, name });
    }
    return created;
  }

  return {
    async importTests({ caller, body, request, requestId, log, record }) {
      const { organizationId } = caller;
      const idempotency = readIdempotencyKey(request, body);
      const findEarlier = async (id: string) => {
        const earlier = await findResult(db, { organizationId, id });
        if (earlier === undefined)
          throw new Problem("conflict", "What was imported with this Idempotency-Key is no longer known.");
        return imported.parse(earlier);
      };
      const earlier = idempotency && (await findCreated(db, keyTable, { ...idempotency, organizationId }));
      if (earlier) {
        await db.transaction().execute((transaction) => record(transaction));
        return await findEarlier(earlier);
      }
      const { chosen } = await parts.files.read(organizationId, body.source);
      const { plan, document, apiName } = await parts.planImport({ caller, requestId }, body, chosen);
      requireTests(plan);
      await plans.require(organizationId, requestId);
      const surroundings = new ImportSurroundings({ caller, requestId }, parts);
      try {
        const api = document
          ? await surroundings.registerApi(document, body.apiName ?? toName(plan.name, 200))
          : { id: body.apiId!, name: apiName! };
        const credentials = await surroundings.storeCredentials(plan.credentials);
        await surroundings.setVariables(api.id, plan.variables);
        const [id, now] = [uuidv7(), clock.now()];
        const importing = { organizationId, apiId: api.id, plan, credentialIds: credentials.map((one) => one.id), now };
        const result = await db.transaction().execute(async (transaction): Promise<Imported | string> => {
          const first =
            idempotency &&
            (await reserveKey(transaction, keyTable, { ...idempotency, organizationId, makes: id, now }));
          if (first) {
            await record(transaction);
            return first;
          }
          const { rows, byRequest } = await storeTests(transaction, importing, record);
          const circles = await storeCircles(transaction, importing, { byRequest, record });
          const { format, losses } = plan;
          const created: Imported = {
            ...{ id, format, apiId: api.id, apiName: api.name, isNewApi: document !== undefined },
            tests: rows.map(({ id: testId, name, method, path }) => ({ id: testId, name, method, path })),
            ...{ circles, credentials, variables: Object.keys(plan.variables) },
            existing: byRequest.size - rows.length,
            losses,
          };
          const expiresAt = new Date(now.getTime() + resultMilliseconds);
          await insertResult(transaction, { organizationId, id, result: created, expiresAt, now });
          const counts = {
            tests: rows.length,
            circles: circles.length,
            credentials: credentials.length,
            losses: losses.length,
          };
          await record(transaction, { id, after: { apiId: api.id, format, ...counts } });
          return created;
        });
        if (typeof result === "string") {
          await surroundings.undo();
          return await findEarlier(result);
        }
        log.info({ importId: id, apiId: api.id, userId: caller.userId, tests: result.tests.length }, "tests imported");
        return result;
      } catch (error) {
        await surroundings
          .undo()
          .catch((failed: unknown) => log.error({ err: failed }, "a failed import left something behind"));
        throw error;
      }
    },
  };
}
