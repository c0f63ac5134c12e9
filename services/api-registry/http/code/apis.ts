import { uuidv7 } from "uuidv7";
import type { ApiCode } from "#contracts/code/api.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { Change, CodeContext, ServedKind } from "../../../kit/code/code-kind.ts";
import { readObjects } from "../../../kit/code/read-objects.ts";
import { limitReached } from "../../../kit/plan/limit-problem.ts";
import * as apis from "../../store/apis.ts";
import type { StoredApi } from "../../store/coded-apis.ts";
import * as coded from "../../store/coded-apis.ts";
import { listWatches, outrunLooks } from "../../store/document-watches.ts";
import { insertDocument } from "../../store/documents.ts";
import { listEnvironmentsByApi, replaceEnvironments } from "../../store/environments.ts";
import { followMovedPrefix } from "../../store/moved-base-urls.ts";
import { findMoves } from "../../store/moved-operations.ts";
import { listSecrets, listSecretsByApi, replaceSecrets, type StoredSecret } from "../../store/secret-variables.ts";
import { renewSeen } from "../../store/seen-dependencies.ts";
import { storableText } from "../../store/storable-text.ts";
import type { ApiRegistryTables } from "../../store/tables.ts";
import { readVariables } from "../../store/variables.ts";
import { type RegistryContext, toApiEvent } from "../context.ts";
import type { GivenVariables } from "../given-variables.ts";
import type { StoredDocuments } from "./documents.ts";
import { readValues, writeValues } from "./variable-values.ts";
import { writeWatch } from "./watches.ts";

interface CodedApi {
  value: ApiCode;
  /** The shared variables, then those of each environment. */
  given: GivenVariables[];
}

/** APIs of files. */
export function createApiKind(
  { db, plans, contents, secrets }: RegistryContext,
  documents: StoredDocuments,
): ServedKind<CodedApi, ApiRegistryTables> {
  async function requireQuota(changes: readonly Change[], { organizationId, requestId }: CodeContext): Promise<void> {
    const requested = changes.filter(({ action }) => action === "create").length;
    const { plan, used } = await plans.require(organizationId, requestId);
    const limit = plan?.limits.apis ?? null;
    if (plan && limit !== null && used + requested > limit && requested > 0)
      throw limitReached({ plan: plan.name, subject: "apis", limit, used, requested });
  }

  return {
    kind: "api",
    ...{ table: "apis", idColumn: "id", keyText: "name" },
    sideTables: [
      { table: "environments", column: "api_id" },
      { table: "secret_variables", column: "api_id" },
      { table: "document_watches", column: "api_id" },
    ],

    async list(executor, query, context, secretNames) {
      const rows = await readObjects<StoredApi>(executor, this, query, context);
      const ids = rows.map(({ id }) => id);
      const environments = await listEnvironmentsByApi(executor, ids);
      const documents = await coded.findCurrentDocuments(executor, context.organizationId, ids);
      const stored = await listSecretsByApi(executor, ids, context.organizationId);
      const watches = await listWatches(executor, context.organizationId, ids);
      return rows.flatMap((row) => {
        const document = documents.get(row.id);
        const watch = watches.get(row.id);
        // New APIs of a check have no documents yet.
        if (!document) return [];
        const { id, format, sha256 } = document;
        const owner = { organizationId: context.organizationId, apiId: row.id };
        const written = {
          key: context.references.keyOf("api", row.id) ?? "api",
          names: secretNames.get(row.id) ?? {},
          secrets: stored.get(row.id) ?? [],
          open: (secret: StoredSecret) => secrets.open(owner, secret),
          values: {} as Record<string, string | undefined>,
        };
        const value = {
          ...{ name: row.name, document: { sha256 }, baseUrl: row.base_url ?? undefined, tags: row.tags },
          watch: watch && { url: watch.url, everyMinutes: watch.every_minutes, action: watch.action },
          ...{ isDisposable: row.is_disposable, sendsHostCredentials: row.sends_host_credentials ?? undefined },
          // Locations belong to an installation, like its agents: files have none, and applying them changes none.
          environments: (environments.get(row.id) ?? []).map(({ name, baseUrl, variables }) => ({
            ...{ name, baseUrl, variables: writeValues(variables, name, written) },
          })),
          variables: writeValues(readVariables(row.variables), undefined, written),
        };
        return [
          {
            ...{ id: row.id, name: row.name, document: { id, format }, value: value as unknown as JsonRecord },
            secrets: written.values,
          },
        ];
      });
    },

    async resolve(changes, context, fail) {
      await requireQuota(changes, context);
      const current = await coded.findCurrentDocuments(
        db,
        context.organizationId,
        changes.map(({ id }) => id),
      );
      const changed = changes.filter(({ action }) => action === "change").map(({ id }) => id);
      const stored = await listSecretsByApi(db, changed, context.organizationId);
      return changes.map((change) => {
        const input = change.value as unknown as ApiCode;
        const report = fail(change);
        const { sha256 } = input.document;
        if (current.get(change.id)?.sha256 !== sha256 && !context.documents[sha256]) {
          context.missingDocuments.add(sha256);
          if (!context.isCheck) report("document.sha256", "Send the document's text");
        }
        input.environments.forEach(({ name }, index) => {
          if (input.environments.findIndex((other) => other.name === name) < index)
            report(`environments[${index}].name`, "There is another environment of this name");
        });
        if (Object.keys(input.variables).length > 1_000) report("variables", "An API has at most 1,000 variables");
        const { given, secretNames } = readValues(input, stored.get(change.id) ?? [], context, report);
        return { change, input: { value: input, given }, secretNames };
      });
    },

    async write(transaction, items, context) {
      const { organizationId, now, isCheck } = context;
      const events = [];
      for (const { change, input } of items) {
        const { value, given } = input;
        const apiId = change.id;
        const tags = [...new Set(value.tags)];
        const document = documents.of(context, change);
        const before = change.action === "change" ? await apis.findApi(transaction, organizationId, apiId) : undefined;
        if (change.action === "change" && !before)
          throw new Problem("stale_version", `The API ${change.key} has been deleted.`);
        if (!before) {
          await apis.insertApi(transaction, {
            ...{ id: apiId, organization_id: organizationId, name: value.name, base_url: value.baseUrl ?? null, tags },
            ...{ current_document_id: document?.id ?? uuidv7(), created_at: now, updated_at: now },
          });
          await plans.add(transaction, organizationId);
        }
        if (document) {
          await insertDocument(
            transaction,
            { id: document.id, apiId, organizationId, importedAt: now },
            document.summary,
          );
        }
        if (before && document) {
          const moves = await importInto(transaction, {
            apiId,
            before: before.current_document_id,
            documentId: document.id,
            now,
          });
          const version = storableText(document.summary.inspection.version, 200);
          events.push(
            toApiEvent("document.imported", organizationId, {
              apiId,
              apiName: value.name,
              documentId: document.id,
              version,
            }),
          );
          for (const part of moves.parts)
            events.push(
              toApiEvent("operations.moved", organizationId, { apiId, documentId: document.id, moves: part }),
            );
        }
        const { name, isDisposable } = value;
        await apis.changeApi(transaction, organizationId, apiId, {
          name,
          baseUrl: value.baseUrl ?? null,
          tags,
          isDisposable,
          updatedAt: now,
        });
        const owner = { organizationId, apiId };
        const stored = await listSecrets(transaction, owner);
        const [sharedOnes, ...ofEnvironments] = given;
        const { sendsHostCredentials } = value;
        await coded.storeSettings(transaction, owner, { variables: sharedOnes!.variables, sendsHostCredentials });
        const environments = value.environments.map(({ name, baseUrl }, index) => ({
          ...{ name, baseUrl, variables: ofEnvironments[index]!.variables },
        }));
        await replaceEnvironments(transaction, apiId, environments);
        await replaceSecrets(transaction, owner, "shared", secrets.seal(owner, sharedOnes!, stored));
        const sealed = ofEnvironments.flatMap((one) => secrets.seal(owner, one, stored));
        await replaceSecrets(transaction, owner, "environments", sealed);
        const ofApi = { apiId, name, isImported: document !== undefined };
        events.push(...(await writeWatch(transaction, context, ofApi, value.watch)));
        events.push(toApiEvent(before ? "api.changed" : "api.registered", organizationId, { apiId, name }));
      }
      return isCheck ? [] : events;
    },

    async remove(transaction, ids, { organizationId }) {
      const events = [];
      for (const apiId of ids) {
        if (!(await apis.deleteApi(transaction, organizationId, apiId))) continue;
        await plans.remove(transaction, organizationId);
        events.push(toApiEvent("api.deleted", organizationId, { apiId }));
      }
      contents.removeSoon();
      return events;
    },

    async restored(transaction, ids, { organizationId, now }) {
      await outrunLooks(transaction, { organizationId, apiIds: ids, now });
      const rows = await coded.listNames(transaction, organizationId, ids);
      return rows.map(({ id, name }) => toApiEvent("api.changed", organizationId, { apiId: id, name }));
    },
  };
}

/** Makes a new document the current one, as importing it does. */
async function importInto(
  transaction: Parameters<ServedKind<CodedApi, ApiRegistryTables>["write"]>[0],
  { apiId, before, documentId, now }: { apiId: string; before: string; documentId: string; now: Date },
) {
  await apis.setCurrentDocument(transaction, apiId, documentId, now);
  await renewSeen(transaction, apiId, documentId);
  const moved = await findMoves(transaction, { from: before, to: documentId });
  await followMovedPrefix(transaction, apiId, moved);
  return moved;
}
