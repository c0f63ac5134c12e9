import { replaceEnvironments as environmentsEndpoint } from "#contracts/api-registry/environments.ts";
import type { TakenEnvironment } from "#contracts/api-registry/imports.ts";
import { replaceVariables as variablesEndpoint } from "#contracts/api-registry/variables.ts";
import type { Actor } from "#contracts/kit/actor.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { CodeTransaction } from "../../kit/code/code-kind.ts";
import { completeStep, forgetImages, markUndone, reserveStep } from "../../kit/code/code-rows.ts";
import {
  type ApiSettings,
  isAsPlanned,
  type SealedEnvironment,
  type TakenImport,
  takeBack,
} from "../domain/taken-import.ts";
import { findApi } from "../store/apis.ts";
import { listEnvironments, replaceEnvironments } from "../store/environments.ts";
import { environmentKey, listSecrets, replaceSecrets, shared } from "../store/secret-variables.ts";
import { type RegistryTransaction, schemaName } from "../store/tables.ts";
import { lockVariables, storeVariables } from "../store/variables.ts";
import { auditedApi } from "./apis.ts";
import { type RegistryContext, type RegistryHandlers, toApiEvent } from "./context.ts";
import { auditedEnvironments } from "./environments.ts";
import type { Owner } from "./given-variables.ts";
import { deleteReportedApi, insertNewApi } from "./new-api.ts";
import { requireUsable } from "./source.ts";
import { auditedVariables } from "./variables.ts";

type ImportHandlers = Pick<RegistryHandlers, "takeImport" | "undoImport" | "forgetImport">;
type TakenBody = Parameters<ImportHandlers["takeImport"]>[0]["body"];

const maxVariables = 1_000;
const maxEnvironments = 50;
/** Where what an import did is stored, beside the steps of applications of files. */
const image = "import";
/** As long as what was undone is refused. */
const retentionMilliseconds = 7 * 24 * 60 * 60 * 1_000;

const tooMany = (path: string, message: string) =>
  new Problem("invalid_input", undefined, { errors: [{ path, message }] });

/** Creates the handlers of calls by which files of other tools become APIs, variables and environments. */
export function createImportHandlers(context: RegistryContext): ImportHandlers {
  const { db, clock, importer, contents, publisher, plans, secrets } = context;

  async function readSettings(transaction: RegistryTransaction, owner: Owner): Promise<ApiSettings | undefined> {
    const found = await lockVariables(transaction, owner);
    if (!found) return undefined;
    const stored = await listSecrets(transaction, owner);
    const environments = await listEnvironments(transaction, owner.apiId);
    return {
      variables: found.variables,
      secrets: stored.filter(({ environment }) => environment === shared),
      environments: environments.map(({ name, baseUrl, variables, locationId }) => ({
        ...{ name, baseUrl, variables, locationId: locationId ?? null },
        secrets: stored.filter(({ environment }) => environment === environmentKey(name)),
      })),
    };
  }

  async function storeSettings(
    transaction: RegistryTransaction,
    owner: Owner,
    { before, after }: { before: ApiSettings; after: ApiSettings },
    { record, actor }: { record: RecordChange; actor?: Actor },
  ): Promise<void> {
    const toSecrets = (settings: ApiSettings) => settings.secrets.map(({ name }) => ({ name, value: null }));
    const isChanged = (part: (settings: ApiSettings) => unknown) =>
      JSON.stringify(part(before)) !== JSON.stringify(part(after));
    const id = owner.apiId;
    if (isChanged((one) => [one.variables, one.secrets])) {
      await storeVariables(transaction, owner, after.variables);
      await replaceSecrets(transaction, owner, "shared", after.secrets);
      const audited = (one: ApiSettings) =>
        auditedVariables({ variables: one.variables, secretVariables: toSecrets(one) });
      const change = { id, kind: String(variablesEndpoint.audit), before: audited(before), after: audited(after) };
      await record(transaction, { ...change, actor });
    }
    if (isChanged((one) => one.environments)) {
      await replaceEnvironments(transaction, id, after.environments);
      await replaceSecrets(
        transaction,
        owner,
        "environments",
        after.environments.flatMap((one) => one.secrets),
      );
      const audited = (one: ApiSettings) =>
        auditedEnvironments(
          one.environments.map((each) => ({ ...each, secretVariables: toSecrets({ ...one, ...each }) })),
        );
      const change = { id, kind: String(environmentsEndpoint.audit), before: audited(before), after: audited(after) };
      await record(transaction, { ...change, actor });
    }
  }

  /** An environment of files, sealed; undefined where the stored one stays. */
  function sealEnvironment(owner: Owner, given: TakenEnvironment, before: SealedEnvironment | undefined, path: string) {
    if (!isAsPlanned(before, given.replaces)) return undefined;
    const { name, baseUrl, variables, secretVariables } = given;
    const sealed = secrets.seal(owner, { environment: name, variables, secretVariables, path }, before?.secrets ?? []);
    return { name, baseUrl, variables, locationId: before?.locationId ?? null, secrets: sealed };
  }

  /** What an import adds to settings; what is there stays. */
  function addTo(
    owner: Owner,
    before: ApiSettings,
    body: TakenBody,
  ): { after: ApiSettings; taken: Omit<TakenImport, "apiId" | "isNewApi"> } {
    const isThere = (name: string) =>
      Object.hasOwn(before.variables, name) || before.secrets.some((secret) => secret.name === name);
    const secretVariables = body.secretVariables.filter(({ name }) => !isThere(name));
    const variables = Object.fromEntries(
      Object.entries(body.variables).filter(
        ([name]) => !isThere(name) && !secretVariables.some((one) => one.name === name),
      ),
    );
    const added = secrets.seal(owner, { variables, secretVariables, path: "secretVariables" }, []);
    const environments = body.environments.flatMap((given, index) => {
      const stored = before.environments.find(({ name }) => name === given.name);
      const after = sealEnvironment(owner, given, stored, `environments[${index}].secretVariables`);
      return after ? [{ before: stored ?? null, after }] : [];
    });
    const after = {
      variables: { ...before.variables, ...variables },
      secrets: [...before.secrets, ...added],
      environments: [
        ...before.environments.map(
          (one) => environments.find(({ before: replaced }) => replaced === one)?.after ?? one,
        ),
        ...environments.flatMap((one) => (one.before ? [] : [one.after])),
      ],
    };
    if (Object.keys(after.variables).length > maxVariables)
      throw tooMany("variables", "An API has at most 1,000 variables");
    if (after.environments.length > maxEnvironments)
      throw tooMany("environments", "An API has at most 50 environments");
    return { after, taken: { variables, secrets: added, environments } };
  }

  /** Stores what an import brings in one transaction. @param register a new API, before the rest */
  async function take(
    step: { organizationId: string; applicationId: string },
    body: TakenBody,
    record: RecordChange,
    register?: (transaction: RegistryTransaction) => Promise<void>,
  ) {
    const { apiId, actor } = body;
    const owner = { organizationId: step.organizationId, apiId };
    const key = { ...step, step: "changes" } as const;
    return await db.transaction().execute(async (transaction) => {
      const rows = transaction as unknown as CodeTransaction;
      const earlier = await reserveStep(rows, schemaName, { ...key, isUndone: false, now: clock.now() });
      if (earlier?.is_undone) throw new Problem("conflict", "This import was undone.");
      if (!earlier) await register?.(transaction);
      const before = await readSettings(transaction, owner);
      if (!before) throw notFound("API");
      const { name } = (await findApi(transaction, owner.organizationId, apiId))!;
      if (earlier) {
        await record(transaction);
        const [taken] = (earlier.images?.[image] ?? []) as unknown as TakenImport[];
        return { apiName: name, environments: taken?.environments.map(({ after }) => after.name) ?? [] };
      }
      const { after, taken } = addTo(owner, before, body);
      await record(transaction);
      await storeSettings(transaction, owner, { before, after }, { record, actor });
      if (!register)
        await publisher.publish(transaction, [toApiEvent("api.changed", owner.organizationId, { apiId, name })]);
      const images = { [image]: [{ ...taken, apiId, isNewApi: register !== undefined }] };
      await completeStep(rows, schemaName, key, { created: {}, images: images as never });
      return { apiName: name, environments: taken.environments.map((one) => one.after.name) };
    });
  }

  return {
    async takeImport({ caller: { organizationId }, params, body, requestId, record }) {
      const step = { organizationId, applicationId: params.importId };
      const { api, apiId, actor } = body;
      if (!api) return await take(step, body, record);
      await plans.requireQuota(organizationId, requestId);
      const source = { document: api.document, fileName: "openapi.json" };
      const request = new Request("http://service.internal/", {
        ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ source }) },
      });
      const session = await importer.open(request, organizationId);
      try {
        requireUsable(session.summary);
        const stored = { apiId, organizationId, name: api.name, baseUrl: null, tags: [] };
        return await contents.storeContent(session, (documentId) =>
          take(step, body, record, async (transaction) => {
            await insertNewApi(context, transaction, { ...stored, documentId }, session.summary);
            await record(transaction, { id: apiId, after: { name: api.name, baseUrl: null, tags: [] }, actor });
          }),
        );
      } finally {
        session.release();
      }
    },

    async undoImport({ caller: { organizationId }, params: { importId }, record }) {
      const key = { organizationId, applicationId: importId, step: "changes" } as const;
      await db.transaction().execute(async (transaction) => {
        const rows = transaction as unknown as CodeTransaction;
        await record(transaction);
        const step = await reserveStep(rows, schemaName, { ...key, isUndone: true, now: clock.now() });
        const [taken] = (step?.images?.[image] ?? []) as unknown as TakenImport[];
        if (!step || step.is_undone || !taken) return;
        const owner = { organizationId, apiId: taken.apiId };
        const api = await findApi(transaction, organizationId, taken.apiId);
        if (api && taken.isNewApi) {
          await deleteReportedApi(context, transaction, owner);
          await record(transaction, { id: api.id, before: auditedApi(api) });
        } else if (api) {
          const before = (await readSettings(transaction, owner))!;
          await storeSettings(transaction, owner, { before, after: takeBack(before, taken) }, { record });
          const changed = { apiId: api.id, name: api.name };
          await publisher.publish(transaction, [toApiEvent("api.changed", organizationId, changed)]);
        }
        await markUndone(rows, schemaName, key);
      });
      contents.removeSoon();
      return undefined;
    },

    async forgetImport({ caller: { organizationId }, params: { importId } }) {
      const before = new Date(clock.now().getTime() - retentionMilliseconds);
      await forgetImages(db as never, schemaName, { organizationId, applicationId: importId, before });
      return undefined;
    },
  };
}
