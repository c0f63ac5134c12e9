import { uuidv7 } from "uuidv7";
import { createCircle } from "#contracts/test-registry/circles.ts";
import type { CircleEvent, TestEvent } from "#contracts/test-registry/events.ts";
import { type CreatedTest, maxTestsPerBatch } from "#contracts/test-registry/test-batches.ts";
import { createTest, type TestInput } from "#contracts/test-registry/tests.ts";
import type { AuditedChange } from "../../kit/audit/audit.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { PlanLedger } from "../../kit/plan/plan-ledger.ts";
import { toCollectionKey } from "../domain/imports/known-sources.ts";
import type { ImportPlan, PlannedCircle, PlannedTest } from "../domain/imports/plan.ts";
import { listMembers, replaceMembers } from "../store/circle-members.ts";
import { type CircleRow, findCircle, insertCircle, lockCircle, updateCircle } from "../store/circles.ts";
import {
  type ImportedObject,
  type KnownObject,
  listImportedObjects,
  storeImportedObjects,
} from "../store/imported-objects.ts";
import type { TestTransaction } from "../store/tables.ts";
import { findTests, insertTests, lockNamedTests, type TestRow, updateTest } from "../store/tests.ts";
import { auditedCircle } from "./audited-circle.ts";
import type { CircleVariables } from "./circle-variables.ts";
import { toCircleEvent } from "./circles.ts";
import type { StoredCredential } from "./import-surroundings.ts";
import { audited, toColumns, toEvent } from "./tests.ts";

export interface Importing {
  organizationId: string;
  apiId: string;
  plan: ImportPlan;
  /** Of the plan's credentials, in their order. */
  credentials: readonly StoredCredential[];
  now: Date;
}

export interface StoredImport {
  tests: CreatedTest[];
  changedTests: CreatedTest[];
  circles: { id: string; name: string }[];
  changedCircles: { id: string; name: string }[];
  existing: number;
  /** To be recorded. */
  changes: AuditedChange[];
}

interface Parts {
  variables: CircleVariables;
  publisher: Publisher<TestEvent | CircleEvent>;
  plans: PlanLedger;
}

const kinds = { test: String(createTest.audit), circle: String(createCircle.audit) };

const toCreated = ({ id, name, method, path }: CreatedTest): CreatedTest => ({ id, name, method, path });
const identify = ({ method, path, name }: { method: string; path: string; name: string }) =>
  `${method.toLowerCase()} ${path} ${name}`;

/** A test with the credentials that were stored for it. */
function withCredentials(test: TestInput, credentialIds: string[]): TestInput {
  if (credentialIds.length === 0) return test;
  const bindings = credentialIds.slice(0, 10).map((credentialId) => ({ schemeName: "", credentialId }));
  return { ...test, request: { ...test.request, authorization: { kind: "credentials", bindings } } };
}

/** Stores the tests and circles of an import in one transaction. */
class ImportStore {
  readonly #testBy = new Map<string, CreatedTest>();
  readonly #imported: ImportedObject[] = [];
  readonly #known = new Map<string, KnownObject>();
  readonly #stored: StoredImport = {
    ...{ tests: [], changedTests: [], circles: [], changedCircles: [], existing: 0, changes: [] },
  };

  constructor(
    readonly parts: Parts,
    readonly transaction: TestTransaction,
    readonly importing: Importing,
  ) {}

  async store(): Promise<StoredImport> {
    const { organizationId, apiId, plan } = this.importing;
    const wanted = plan.requests.flatMap(({ id, state, test }) => (test && state !== "left_out" ? [{ id, test }] : []));
    const named = await lockNamedTests(
      this.transaction,
      { organizationId, apiId },
      wanted.map(({ test }) => test),
    );
    const collection = toCollectionKey(plan.format, plan.name);
    // As it is now: another import of the same files may have ended since the plan.
    for (const one of await listImportedObjects(this.transaction, { organizationId, apiId }, collection))
      this.#known.set(`${one.kind} ${one.key}`, one);
    await this.#findThere(wanted, named);
    await this.#createTests(plan.tests.filter(({ id }) => !this.#testBy.has(id)));
    await this.#changeTests(plan.tests.filter(({ knownId }) => knownId !== undefined));
    this.#stored.existing = this.#testBy.size - this.#stored.tests.length - this.#stored.changedTests.length;
    for (const circle of plan.circles) await this.#storeCircle(circle);
    await storeImportedObjects(this.transaction, { organizationId, apiId, collection }, this.#imported);
    return this.#stored;
  }

  /** Tests that were there before: from these files, or of the same operation and name. */
  async #findThere(wanted: readonly { id: string; test: TestInput }[], named: readonly CreatedTest[]): Promise<void> {
    const { organizationId, plan } = this.importing;
    const byName = new Map([...named].reverse().map((test) => [identify(test), test]));
    for (const { id, test } of wanted) {
      const existing = byName.get(identify(test));
      if (existing) this.#testBy.set(id, existing);
    }
    const keys = plan.tests.flatMap(({ id, key }) => {
      const known = this.#known.get(`test ${key}`);
      return known ? [{ id, testId: known.objectId }] : [];
    });
    const known = [...plan.known, ...keys];
    const rows = await findTests(this.transaction, organizationId, [...new Set(known.map(({ testId }) => testId))]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { id, testId } of known) {
      const row = byId.get(testId);
      if (row) this.#testBy.set(id, row);
    }
  }

  #complete({ test, credentials }: PlannedTest): TestInput {
    return withCredentials(
      test,
      credentials.map((position) => this.importing.credentials[position]!.id),
    );
  }

  async #createTests(planned: readonly PlannedTest[]): Promise<void> {
    const { organizationId, apiId, now } = this.importing;
    const rows = planned.map((one): TestRow => {
      const location = { id: uuidv7(), organization_id: organizationId, api_id: apiId };
      return { ...location, ...toColumns(this.#complete(one), now), version: 1, created_at: now };
    });
    for (let from = 0; from < rows.length; from += maxTestsPerBatch) {
      const some = rows.slice(from, from + maxTestsPerBatch);
      await insertTests(this.transaction, some);
      const payload = { apiId, testIds: some.map(({ id }) => id) };
      await this.parts.publisher.publish(this.transaction, [
        { type: "tests.created", organizationId, resource: `api/${apiId}`, payload },
      ]);
    }
    await this.parts.plans.add(this.transaction, organizationId, rows.length);
    for (const [index, row] of rows.entries()) {
      this.#testBy.set(planned[index]!.id, row);
      this.#remember("test", planned[index]!, row);
      this.#stored.tests.push(toCreated(row));
      this.#stored.changes.push({ kind: kinds.test, id: row.id, after: audited(row) });
    }
  }

  async #changeTests(planned: readonly PlannedTest[]): Promise<void> {
    const { organizationId, now } = this.importing;
    const rows = await findTests(
      this.transaction,
      organizationId,
      planned.map(({ knownId }) => knownId!),
    );
    const before = new Map(rows.map((row) => [row.id, row]));
    for (const one of planned) {
      const [known, row] = [this.#known.get(`test ${one.key}`), before.get(one.knownId!)];
      if (known?.objectId !== one.knownId || known?.version == null || !row) continue;
      const columns = { id: row.id, organization_id: organizationId, ...toColumns(this.#complete(one), now) };
      const changed = await updateTest(this.transaction, columns, [known.version]);
      // Changed in the portal since the plan: it stays.
      if (!changed) continue;
      this.#testBy.set(one.id, changed);
      this.#remember("test", one, changed);
      this.#stored.changedTests.push(toCreated(changed));
      this.#stored.changes.push({ kind: kinds.test, id: row.id, before: audited(row), after: audited(changed) });
      await this.parts.publisher.publish(this.transaction, [toEvent("test.changed", changed)]);
    }
  }

  #remember(kind: "test" | "circle", { key, hash }: PlannedTest | PlannedCircle, row: { id: string; version: number }) {
    this.#imported.push({ kind, key, hash, objectId: row.id, version: row.version, sealedSecret: null });
  }

  async #storeCircle(circle: PlannedCircle): Promise<void> {
    const { organizationId, apiId, now } = this.importing;
    const known = this.#known.get(`circle ${circle.key}`);
    if (circle.state === "unchanged" || circle.state === "edited" || (circle.state === "new" && known)) return;
    const { name, description, stopOnFailure, requests, variables } = circle;
    const owner = { organizationId, testCircleId: known?.objectId ?? uuidv7() };
    const members = requests.flatMap((id) => {
      const test = this.#testBy.get(id);
      return test ? [{ member: { kind: "test" as const, testId: test.id, phase: "main" as const }, apiId }] : [];
    });
    const settings = { name, description, stop_on_failure: stopOnFailure, updated_at: now };
    if (known) {
      await lockCircle(this.transaction, owner);
      const before = await findCircle(this.transaction, owner);
      if (!before || known.version === null) return;
      const membersBefore = await listMembers(this.transaction, owner);
      const { version: _, created_at, ...columns } = before;
      const sealed = this.parts.variables.seal(owner, { name, variables }, before);
      const changed = await updateCircle(this.transaction, { ...columns, ...settings, variables: sealed }, [
        known.version,
      ]);
      if (!changed) return;
      await replaceMembers(this.transaction, owner, members);
      this.#remember("circle", circle, changed);
      this.#stored.changedCircles.push({ id: changed.id, name });
      this.#stored.changes.push({
        ...{ kind: kinds.circle, id: changed.id, before: auditedCircle(before, membersBefore) },
        after: auditedCircle(changed, members),
      });
      await this.parts.publisher.publish(this.transaction, [toCircleEvent("circle.updated", organizationId, changed)]);
      return;
    }
    const row: CircleRow = {
      ...{ id: owner.testCircleId, organization_id: organizationId, ...settings },
      ...{
        execution_order: "sequential",
        concurrency: 10,
        keeps_cookies: true,
        only_own: false,
        location_id: null,
        places: null,
        environments: circle.environment === undefined ? {} : { [apiId]: circle.environment },
      },
      variables: this.parts.variables.seal(owner, { name, variables }, undefined),
      ...{ version: 1, created_at: now },
    };
    await insertCircle(this.transaction, row);
    await replaceMembers(this.transaction, owner, members);
    this.#remember("circle", circle, row);
    this.#stored.circles.push({ id: row.id, name });
    this.#stored.changes.push({ kind: kinds.circle, id: row.id, after: auditedCircle(row, members.length) });
    await this.parts.publisher.publish(this.transaction, [toCircleEvent("circle.created", organizationId, row)]);
  }
}

/** What is there already stays, and what was changed in the portal is not overwritten. */
export async function storeImport(
  parts: Parts,
  transaction: TestTransaction,
  importing: Importing,
): Promise<StoredImport> {
  return await new ImportStore(parts, transaction, importing).store();
}
