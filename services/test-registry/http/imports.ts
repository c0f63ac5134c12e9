import { uuidv7 } from "uuidv7";
import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { CircleEvent, TestEvent } from "#contracts/test-registry/events.ts";
import { type Imported, imported } from "#contracts/test-registry/imports.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import { findCreated, readIdempotencyKey, reserveKey } from "../../kit/idempotency/idempotency-key.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { PlanLedger } from "../../kit/plan/plan-ledger.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { toCollectionKey } from "../domain/imports/known-sources.ts";
import type { ImportPlan } from "../domain/imports/plan.ts";
import { toName } from "../domain/imports/to-name.ts";
import type { ImportAttempts } from "../jobs/import-attempts.ts";
import { storeImportedObjects } from "../store/imported-objects.ts";
import { findResult, insertResult } from "../store/imports.ts";
import { keyTable, type TestDatabase } from "../store/tables.ts";
import type { CircleVariables } from "./circle-variables.ts";
import type { ImportFiles } from "./import-files.ts";
import type { PlanImport } from "./import-plans.ts";
import { createImportSurroundings, drawIds } from "./import-surroundings.ts";
import { toRemembered } from "./remembered-import.ts";
import { storeImport } from "./store-import.ts";

interface Parts {
  db: TestDatabase;
  clock: Clock;
  vault: Vault;
  files: ImportFiles;
  planImport: PlanImport;
  attempts: ImportAttempts;
  apiRegistry: Connect<typeof apiRegistryContract>;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
  variables: CircleVariables;
  publisher: Publisher<TestEvent | CircleEvent>;
  plans: PlanLedger;
}

/** For how long a repeated call returns the first result; keys are kept as long. */
const resultMilliseconds = 24 * 60 * 60 * 1_000;

function requireTests({ requests }: ImportPlan): void {
  if (requests.some(({ test, state }) => test !== null && state !== "left_out")) return;
  const message =
    requests.length === 0
      ? "There are no requests in these files."
      : "No request becomes a test: none is of an operation of this API. Include the others, or import without an API.";
  throw new Problem("invalid_input", undefined, { errors: [{ path: "source", message }] });
}

/** For the audit. */
const countImported = (created: Imported) => ({
  ...{ tests: created.tests.length, changedTests: created.changedTests.length },
  ...{ circles: created.circles.length, changedCircles: created.changedCircles.length },
  ...{ environments: created.environments.length, credentials: created.credentials.length },
  losses: created.losses.length,
});

/** Creates the handler that imports. */
export function createImportHandlers(parts: Parts): Pick<Handlers<typeof testRegistryContract>, "importTests"> {
  const { db, clock, plans } = parts;
  const surroundings = createImportSurroundings(parts);

  return {
    async importTests({ caller, body, request, requestId, log, record }) {
      const { organizationId } = caller;
      const idempotency = readIdempotencyKey(request, body);
      const findEarlier = async (): Promise<Imported | undefined> => {
        const id = idempotency && (await findCreated(db, keyTable, { ...idempotency, organizationId }));
        if (!id) return undefined;
        await db.transaction().execute((transaction) => record(transaction));
        const earlier = await findResult(db, { organizationId, id });
        if (earlier === undefined)
          throw new Problem("conflict", "What was imported with this Idempotency-Key is no longer known.");
        return imported.parse({ changedTests: [], changedCircles: [], environments: [], ...(earlier as object) });
      };
      const first = await findEarlier();
      if (first) return first;
      const call = { caller, requestId };
      const { chosen } = await parts.files.read(organizationId, body.source);
      const opened = await parts.attempts.begin(organizationId);
      try {
        // The import that this one waited for may have been the same.
        const earlier = await findEarlier();
        if (earlier) {
          await opened.undo();
          return earlier;
        }
        const { plan, document, api } = await parts.planImport(call, body, chosen);
        requireTests(plan);
        if (plan.tests.some(({ knownId }) => knownId === undefined)) await plans.require(organizationId, requestId);
        const drawn = drawIds(plan.credentials);
        await opened.prepare(drawn.flatMap(({ id, knownId }) => (knownId === undefined ? [id] : [])));
        const target = api ?? { id: uuidv7(), name: body.apiName ?? toName(plan.name, 200) };
        const apiId = target.id;
        const newDocument = api ? undefined : document;
        const taken = await surroundings.takeApi(call, opened.id, { ...target, document: newDocument }, plan);
        const credentials = await surroundings.takeCredentials(call, drawn);
        const [{ id }, now] = [opened, clock.now()];
        const made = { name: target.name, isNewApi: api === undefined, environments: taken.environments, drawn };
        const result = await db.transaction().execute(async (transaction): Promise<Imported> => {
          await opened.complete(transaction);
          if (idempotency) await reserveKey(transaction, keyTable, { ...idempotency, organizationId, makes: id, now });
          const importing = { organizationId, apiId, plan, credentials, now };
          const { changes, ...stored } = await storeImport(parts, transaction, importing);
          const owner = { organizationId, apiId, collection: toCollectionKey(plan.format, plan.name) };
          await storeImportedObjects(transaction, owner, toRemembered(parts.vault, owner, plan, made));
          await record(transaction, ...changes);
          const { format, losses } = plan;
          const fresh = credentials.filter(({ isNew }) => isNew).map(({ isNew: _, ...credential }) => credential);
          const created: Imported = {
            ...{ id, format, apiId, apiName: taken.apiName, isNewApi: api === undefined },
            ...{ ...stored, environments: taken.environments, credentials: fresh, losses },
            variables: [...Object.keys(plan.variables), ...plan.secretVariables.map(({ name }) => name)],
          };
          const expiresAt = new Date(now.getTime() + resultMilliseconds);
          await insertResult(transaction, { organizationId, id, result: created, expiresAt, now });
          await record(transaction, { id, after: { apiId, format, ...countImported(created) } });
          return created;
        });
        await opened.forget();
        if (made.isNewApi) await surroundings.chooseEnvironment(call, apiId, plan.environment);
        log.info({ importId: id, apiId, userId: caller.userId, tests: result.tests.length }, "tests imported");
        return result;
      } catch (error) {
        await opened.undo();
        throw error;
      }
    },
  };
}
