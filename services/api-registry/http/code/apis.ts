import { type Selectable, sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { ApiCode } from "#contracts/code/api.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { Change, CodeContext, ServedKind } from "../../../kit/code/code-kind.ts";
import { limitReached } from "../../../kit/plan/limit-problem.ts";
import * as apis from "../../store/apis.ts";
import { insertDocument } from "../../store/documents.ts";
import { listEnvironmentsByApi, replaceEnvironments } from "../../store/environments.ts";
import { followMovedPrefix } from "../../store/moved-base-urls.ts";
import { findMoves } from "../../store/moved-operations.ts";
import { renewSeen } from "../../store/seen-dependencies.ts";
import { storableText } from "../../store/storable-text.ts";
import type { ApiRegistryTables, ApiTable } from "../../store/tables.ts";
import { readVariables } from "../../store/variables.ts";
import { type RegistryContext, toApiEvent } from "../context.ts";
import type { StoredDocuments } from "./documents.ts";

type StoredApi = Selectable<ApiTable> & { sha256: string; format: "json" | "yaml" };

/** APIs of files. */
export function createApiKind(
  { db, plans, contents }: RegistryContext,
  documents: StoredDocuments,
): ServedKind<ApiCode, ApiRegistryTables> {
  async function readCurrent(changes: readonly Change[], organizationId: string): Promise<Map<string, string>> {
    const ids = changes.map(({ id }) => id);
    const rows = await db
      .selectFrom("apis")
      .innerJoin("documents", "documents.id", "apis.current_document_id")
      .select(["apis.id", "documents.sha256"])
      .where("apis.organization_id", "=", organizationId)
      .where("apis.id", "=", sql<string>`any(${ids}::uuid[])`)
      .execute();
    return new Map(rows.map(({ id, sha256 }) => [id, sha256]));
  }

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
    sideTables: [{ table: "environments", column: "api_id" }],

    async list(executor, { ids, apiId, after, limit }, { organizationId }) {
      let query = executor
        .selectFrom("apis")
        .innerJoin("documents", "documents.id", "apis.current_document_id")
        .selectAll("apis")
        .select(["documents.sha256", "documents.format"])
        .where("apis.organization_id", "=", organizationId)
        .orderBy("apis.id")
        .limit(limit);
      if (ids) query = query.where("apis.id", "=", sql<string>`any(${ids}::uuid[])`);
      if (apiId) query = query.where("apis.id", "=", apiId);
      if (after) query = query.where("apis.id", ">", after);
      const rows: StoredApi[] = await query.execute();
      const environments = await listEnvironmentsByApi(
        executor,
        rows.map(({ id }) => id),
      );
      return rows.map((row) => ({
        ...{ id: row.id, name: row.name, document: { id: row.current_document_id, format: row.format } },
        value: {
          ...{ name: row.name, document: { sha256: row.sha256 }, baseUrl: row.base_url ?? undefined, tags: row.tags },
          ...{ isDisposable: row.is_disposable, sendsHostCredentials: row.sends_host_credentials ?? undefined },
          environments: environments.get(row.id) ?? [],
          variables: readVariables(row.variables),
        } as unknown as JsonRecord,
      }));
    },

    async resolve(changes, context, fail) {
      await requireQuota(changes, context);
      const current = await readCurrent(changes, context.organizationId);
      return changes.map((change) => {
        const input = change.value as unknown as ApiCode;
        const report = fail(change);
        const { sha256 } = input.document;
        if (current.get(change.id) !== sha256 && !context.documents[sha256]) {
          context.missingDocuments.add(sha256);
          if (!context.isCheck) report("document.sha256", "Send the document's text");
        }
        input.environments.forEach(({ name }, index) => {
          if (input.environments.findIndex((other) => other.name === name) < index)
            report(`environments[${index}].name`, "There is another environment of this name");
        });
        if (Object.keys(input.variables).length > 1_000) report("variables", "An API has at most 1,000 variables");
        return { change, input };
      });
    },

    async write(transaction, items, context) {
      const { organizationId, now, isCheck } = context;
      const events = [];
      for (const { change, input } of items) {
        const apiId = change.id;
        const tags = [...new Set(input.tags)];
        const document = documents.of(context, change);
        const before = change.action === "change" ? await apis.findApi(transaction, organizationId, apiId) : undefined;
        if (change.action === "change" && !before)
          throw new Problem("stale_version", `The API ${change.key} was deleted meanwhile.`);
        if (!before) {
          await apis.insertApi(transaction, {
            ...{ id: apiId, organization_id: organizationId, name: input.name, base_url: input.baseUrl ?? null, tags },
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
              apiName: input.name,
              documentId: document.id,
              version,
            }),
          );
          for (const part of moves.parts)
            events.push(
              toApiEvent("operations.moved", organizationId, { apiId, documentId: document.id, moves: part }),
            );
        }
        const { name, isDisposable } = input;
        await apis.changeApi(transaction, organizationId, apiId, {
          name,
          baseUrl: input.baseUrl ?? null,
          tags,
          isDisposable,
          updatedAt: now,
        });
        await transaction
          .updateTable("apis")
          .set({
            variables: JSON.stringify(input.variables),
            sends_host_credentials: input.sendsHostCredentials ?? null,
          })
          .where("organization_id", "=", organizationId)
          .where("id", "=", apiId)
          .execute();
        await replaceEnvironments(transaction, apiId, input.environments);
        events.push(toApiEvent(before ? "api.changed" : "api.registered", organizationId, { apiId, name }));
      }
      // Without their documents, new APIs of a check are not listed, and nothing of them stays.
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

    async restored(transaction, ids, { organizationId }) {
      const rows = await transaction
        .selectFrom("apis")
        .select(["id", "name"])
        .where("organization_id", "=", organizationId)
        .where("id", "=", sql<string>`any(${ids}::uuid[])`)
        .execute();
      return rows.map(({ id, name }) => toApiEvent("api.changed", organizationId, { apiId: id, name }));
    },
  };
}

/** Makes a new document the current one, as importing it does. */
async function importInto(
  transaction: Parameters<ServedKind<ApiCode, ApiRegistryTables>["write"]>[0],
  { apiId, before, documentId, now }: { apiId: string; before: string; documentId: string; now: Date },
) {
  await apis.setCurrentDocument(transaction, apiId, documentId, now);
  await renewSeen(transaction, apiId, documentId);
  const moved = await findMoves(transaction, { from: before, to: documentId });
  await followMovedPrefix(transaction, apiId, moved);
  return moved;
}
