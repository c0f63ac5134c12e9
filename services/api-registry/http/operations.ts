import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import { notFound } from "#contracts/kit/problem.ts";
import { createDocumentServersLookup, type DocumentServers, getReplacedServers } from "../store/document-servers.ts";
import { findDocument } from "../store/documents.ts";
import { findOperations, listOperations, type StoredOperation } from "../store/operations.ts";
import { type RegistryContext, type RegistryHandlers, requireApi } from "./context.ts";

type OperationHandlers = Pick<RegistryHandlers, "listOperations" | "findOperations" | "getOperation" | "getWebhook">;

export function createOperationHandlers(context: RegistryContext): OperationHandlers {
  const { db } = context;
  const findDocumentServers = createDocumentServersLookup(db);

  async function findOne(
    organizationId: string,
    apiId: string,
    kind: "operation" | "webhook",
    wanted: { method: string; path: string },
  ): Promise<Response> {
    const api = await requireApi(context, organizationId, apiId);
    const found = await findOperations(db, api.current_document_id, kind, [wanted]);
    const [operation] = found;
    if (!operation) throw notFound(kind);
    const servers = await findDocumentServers(api.current_document_id);
    return jsonResponse(operationText({ apiId, version: api.specification_version, servers }, operation));
  }

  return {
    async listOperations({ caller, params, query }) {
      const api = await requireApi(context, caller.organizationId, params.apiId);
      const document = { id: api.current_document_id, operationCount: api.operation_count };
      return await listOperations(db, document, query);
    },

    getOperation: ({ caller, params: { apiId, method, pathName } }) =>
      findOne(caller.organizationId, apiId, "operation", { method, path: pathName }),

    getWebhook: ({ caller, params: { apiId, method, webhookName } }) =>
      findOne(caller.organizationId, apiId, "webhook", { method, path: webhookName }),

    async findOperations({ caller, params, body }) {
      const api = await requireApi(context, caller.organizationId, params.apiId);
      const document = body.documentId
        ? await findDocument(db, caller.organizationId, body.documentId)
        : { id: api.current_document_id, api_id: api.id, specification_version: api.specification_version };
      if (document?.api_id !== api.id) throw notFound("document");
      const found = await findOperations(db, document.id, "operation", body.operations);
      const servers = await findDocumentServers(document.id);
      const of = { apiId: api.id, version: document.specification_version, servers };
      const items = found.map((operation) => operationText(of, operation));
      const sends = api.sends_host_credentials === true && !api.has_security_schemes;
      return jsonResponse(`{"items":[${items.join(",")}]${sends ? ',"sendsHostCredentials":true' : ""}}`);
    },
  };
}

/** The response's JSON from stored JSON texts: parsing and serializing them would double the cost of every page. */
function operationText(
  { apiId, version, servers }: { apiId: string; version: SpecificationVersion; servers: DocumentServers },
  operation: StoredOperation,
): string {
  const components = operation.components.map(({ reference, body }) => `${JSON.stringify(reference)}:${body}`);
  const documentServers = getReplacedServers(operation.described, servers);
  const replaced = documentServers === undefined ? "" : `"documentServers":${documentServers},`;
  return `{"apiId":${JSON.stringify(apiId)},"specificationVersion":${JSON.stringify(version)},"operation":${operation.described},${replaced}"components":{${components.join(",")}},"securitySchemes":${operation.securitySchemes}}`;
}

function jsonResponse(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json" } });
}
