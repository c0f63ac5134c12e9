import { uuidv7 } from "uuidv7";
import { toDisplayName } from "#contracts/kit/display-name.ts";
import { notFound } from "#contracts/kit/problem.ts";
import * as apis from "../store/apis.ts";
import { listDocumentProblems, toDocumentVersion } from "../store/documents.ts";
import { listEnvironments } from "../store/environments.ts";
import { listSecrets } from "../store/secret-variables.ts";
import { readVariables } from "../store/variables.ts";
import { type RegistryContext, type RegistryHandlers, requireApi, toApiEvent } from "./context.ts";
import { describe, listOperationTags, requireCurrentDocument } from "./descriptions.ts";
import { deleteReportedApi, insertNewApi } from "./new-api.ts";
import { listSecretVariables } from "./secret-variables.ts";
import { requireFields, requireUsable } from "./source.ts";

type ApiHandlers = Pick<
  RegistryHandlers,
  "listApis" | "registerApi" | "getApi" | "summarizeApi" | "changeApi" | "deleteApi"
>;

const maxDisplayedProblems = 200;

export function createApiHandlers(context: RegistryContext): ApiHandlers {
  const { db, clock, importer, contents, publisher, plans } = context;
  return {
    async listApis({ caller, query }) {
      const page = await apis.listApis(db, caller.organizationId, query);
      return { ...page, tags: await apis.listTags(db, caller.organizationId) };
    },

    async registerApi({ caller, request, requestId, record }) {
      const { organizationId } = caller;
      await plans.requireQuota(organizationId, requestId);
      const session = await importer.open(request, organizationId);
      try {
        requireUsable(session.summary);
        const fields = requireFields(session.summary);
        const apiId = uuidv7();
        const name = fields.name ?? nameFor(session.summary.inspection.title, session.summary.fileName);
        const stored = {
          apiId,
          organizationId,
          name,
          baseUrl: fields.baseUrl ?? null,
          tags: [...new Set(fields.tags)],
        };
        await contents.storeContent(session, (documentId) =>
          db.transaction().execute(async (transaction) => {
            await insertNewApi(context, transaction, { ...stored, documentId }, session.summary);
            await record(transaction, { id: apiId, after: { name, baseUrl: stored.baseUrl, tags: fields.tags } });
          }),
        );
        return apis.toApiSummary(await requireApi(context, organizationId, apiId));
      } finally {
        session.release();
      }
    },

    async getApi({ caller, params }) {
      const { api, document } = await requireCurrentDocument(context, caller.organizationId, params.apiId);
      const problems = await listDocumentProblems(db, document.id, maxDisplayedProblems);
      return {
        ...apis.toApiSummary(api),
        ...(await describe(db, document)),
        operationTags: await listOperationTags(db, document),
        environments: await listEnvironments(db, api.id),
        variables: readVariables(api.variables),
        secretVariables: listSecretVariables(
          await listSecrets(db, { organizationId: api.organization_id, apiId: api.id }),
        ),
        document: toDocumentVersion(document, api.current_document_id),
        problems: problems.items,
      };
    },

    async summarizeApi({ caller, params }) {
      return apis.toApiSummary(await requireApi(context, caller.organizationId, params.apiId));
    },

    async changeApi({ caller, params, body, record }) {
      const { organizationId } = caller;
      const tags = [...new Set(body.tags)];
      await db.transaction().execute(async (transaction) => {
        const before = await apis.findApi(transaction, organizationId, params.apiId);
        const { isDisposable = before?.is_disposable ?? false } = body;
        const change = { ...body, tags, isDisposable, updatedAt: clock.now() };
        if (!before || !(await apis.changeApi(transaction, organizationId, params.apiId, change)))
          throw notFound("API");
        const after = { name: body.name, baseUrl: body.baseUrl, tags, isDisposable };
        await record(transaction, { id: params.apiId, before: auditedApi(before), after });
        const changed = { apiId: params.apiId, name: body.name };
        await publisher.publish(transaction, [toApiEvent("api.changed", organizationId, changed)]);
      });
      return apis.toApiSummary(await requireApi(context, organizationId, params.apiId));
    },

    async deleteApi({ caller, params, record }) {
      const { organizationId } = caller;
      await db.transaction().execute(async (transaction) => {
        const before = await apis.findApi(transaction, organizationId, params.apiId);
        const isDeleted = before && (await deleteReportedApi(context, transaction, { organizationId, ...params }));
        if (!isDeleted) throw notFound("API");
        await record(transaction, { id: params.apiId, before: auditedApi(before) });
      });
      contents.removeSoon();
      return undefined;
    },
  };
}

export function auditedApi({ name, base_url, tags, version, is_disposable: isDisposable }: apis.ApiRow) {
  return { name, baseUrl: base_url, tags, version, isDisposable };
}

function nameFor(title: string, fileName: string | null): string {
  return toDisplayName(title || fileName || "", 200).trim() || "Untitled API";
}
