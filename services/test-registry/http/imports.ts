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
import { type ImportedObject, storeImportedObjects } from "../store/imported-objects.ts";
import { findResult, insertResult } from "../store/imports.ts";
import { keyTable, type TestDatabase } from "../store/tables.ts";
import type { CircleVariables } from "./circle-variables.ts";
import type { ImportFiles } from "./import-files.ts";
import type { PlanImport } from "./import-plans.ts";
import { ImportSurroundings } from "./import-surroundings.ts";
import { secretContext } from "./imported-before.ts";
import { storeImport } from "./store-import.ts";

interface Parts {
  db: TestDatabase;
  clock: Clock;
  vault: Vault;
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

function requireTests({ requests }: ImportPlan): void {
  if (requests.some(({ test, state }) => test !== null && state !== "left_out")) return;
  const message =
    requests.length === 0
      ? "There are no requests in these files."
      : "No request becomes a test: none is of an operation of this API. Include the others, or import without an API.";
  throw new Problem("invalid_input", undefined, { errors: [{ path: "source", message }] });
}

/** Creates the handler that imports. */
export function createImportHandlers(parts: Parts): Pick<Handlers<typeof testRegistryContract>, "importTests"> {
  const { db, clock, plans } = parts;

  return {
    async importTests({ caller, body, request, requestId, log, record }) {
      const { organizationId } = caller;
      const idempotency = readIdempotencyKey(request, body);
      const findEarlier = async (id: string) => {
        const earlier = await findResult(db, { organizationId, id });
        if (earlier === undefined)
          throw new Problem("conflict", "What was imported with this Idempotency-Key is no longer known.");
        return imported.parse({ changedTests: [], changedCircles: [], ...(earlier as object) });
      };
      const earlier = idempotency && (await findCreated(db, keyTable, { ...idempotency, organizationId }));
      if (earlier) {
        await db.transaction().execute((transaction) => record(transaction));
        return await findEarlier(earlier);
      }
      const { chosen } = await parts.files.read(organizationId, body.source);
      const planned = await parts.planImport({ caller, requestId }, body, chosen);
      const { plan } = planned;
      const document = planned.api ? undefined : planned.document;
      const madeApiName = planned.api ? undefined : (body.apiName ?? toName(plan.name, 200));
      requireTests(plan);
      if (plan.tests.some(({ knownId }) => knownId === undefined)) await plans.require(organizationId, requestId);
      const surroundings = new ImportSurroundings({ caller, requestId }, parts);
      try {
        const api = planned.api ?? (await surroundings.registerApi(document!, madeApiName!));
        // At once: if the process is killed, another import of these files continues with what is there.
        const remember = async (one: Pick<ImportedObject, "kind" | "key" | "objectId" | "sealedSecret">) => {
          const owner = { organizationId, apiId: api.id, collection: toCollectionKey(plan.format, plan.name) };
          await db
            .transaction()
            .execute((transaction) => storeImportedObjects(transaction, owner, [{ ...one, hash: "", version: null }]));
        };
        if (madeApiName !== undefined)
          await remember({ kind: "api", key: madeApiName, objectId: api.id, sealedSecret: null });
        const credentials = await surroundings.storeCredentials(
          plan.credentials,
          async ({ name, secret }, objectId) => {
            const sealedSecret = parts.vault.seal(secret, secretContext(organizationId, objectId));
            await remember({ kind: "credential", key: name, objectId, sealedSecret });
          },
        );
        await surroundings.setVariables(api.id, plan);
        const [id, now] = [uuidv7(), clock.now()];
        const importing = { organizationId, apiId: api.id, plan, credentials, now };
        const result = await db.transaction().execute(async (transaction): Promise<Imported | string> => {
          const first =
            idempotency &&
            (await reserveKey(transaction, keyTable, { ...idempotency, organizationId, makes: id, now }));
          if (first) {
            await record(transaction);
            return first;
          }
          const { changes, ...stored } = await storeImport(parts, transaction, importing);
          await record(transaction, ...changes);
          const { format, losses } = plan;
          const fresh = credentials.filter(({ isNew }) => isNew).map(({ isNew: _, ...credential }) => credential);
          const created: Imported = {
            ...{ id, format, apiId: api.id, apiName: api.name, isNewApi: document !== undefined },
            ...{ ...stored, credentials: fresh, losses },
            variables: [...Object.keys(plan.variables), ...plan.secretVariables.map(({ name }) => name)],
          };
          const expiresAt = new Date(now.getTime() + resultMilliseconds);
          await insertResult(transaction, { organizationId, id, result: created, expiresAt, now });
          const counts = {
            ...{ tests: stored.tests.length, changedTests: stored.changedTests.length },
            ...{ circles: stored.circles.length, changedCircles: stored.changedCircles.length },
            ...{ credentials: fresh.length, losses: losses.length },
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
