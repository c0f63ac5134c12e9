import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Credential } from "#contracts/security-service/credentials.ts";
import { available, required } from "~/backend/responses";
import { findNeedOfOperation } from "~/features/authentication/find-need.server";
import { findLocationChoices } from "~/features/locations/location-choices.server";
import type { OperationKey } from "~/features/operation/operation-key";
import { findRequestServer } from "~/features/operation/request-server";
import { findEnvironmentInUse } from "~/features/runs/environment-in-use.server";
import { resolveSchema } from "~/features/schema-view/read-schema";
import { typeInWords } from "~/features/schema-view/schema-words";
import type { Viewer } from "~/session/guards";
import type { EditedOperation, EditorContext } from "./editor-props.ts";

/** The documented operation; undefined when the API's current document does not have it. */
export async function findOperation({ backend }: Viewer, apiId: string, { method, path }: OperationKey) {
  const answer = await backend.apiRegistry.getOperation({ params: { apiId, method, pathName: path } });
  return answer.ok || answer.status !== 404 ? required(answer) : undefined;
}

/** The operation as the editor displays it, and the default target of its requests. */
export async function findOperationContext(
  viewer: Viewer,
  apiId: string,
  operation: OperationKey,
): Promise<Pick<EditorContext, "operation" | "baseUrl">> {
  const [api, chosen, described] = await Promise.all([
    viewer.backend.apiRegistry.summarizeApi({ params: { apiId } }).then(required),
    findEnvironmentInUse(viewer, apiId),
    findOperation(viewer, apiId, operation),
  ]);
  const { baseUrl } = findRequestServer(chosen, api.effectiveBaseUrl, described);
  return { operation: described ? documented(described) : undocumented(operation), baseUrl };
}

/** The editor's input besides the test. */
export async function loadEditorContext(
  viewer: Viewer,
  apiId: string,
  operation: OperationKey,
): Promise<EditorContext> {
  const [api, chosen, described, credentials, locations] = await Promise.all([
    viewer.backend.apiRegistry.summarizeApi({ params: { apiId } }).then(required),
    findEnvironmentInUse(viewer, apiId),
    findOperation(viewer, apiId, operation),
    viewer.backend.securityService.listCredentials({ query: { limit: 200, usedBy: "false" } }).then(available),
    findLocationChoices(viewer),
  ]);
  const { baseUrl, ownServerNote } = findRequestServer(chosen, api.effectiveBaseUrl, described);
  return {
    apiId,
    baseUrl,
    ownServerNote,
    environment: chosen?.name,
    locations,
    mayStore: viewer.may("credentials:manage"),
    need: described && (await findNeedOfOperation(viewer, described, baseUrl)),
    operation: described ? documented(described) : undocumented(operation),
    credentials: (credentials?.items ?? []).map(({ id, name, domain, type }) => ({
      id,
      label: `${name} (${credentialWords[type]}, ${domain})`,
    })),
  };
}

function documented({ operation, components, securitySchemes }: OperationWithComponents): EditedOperation {
  return {
    method: operation.method,
    path: operation.path,
    documented: true,
    summary: operation.summary,
    deprecated: operation.deprecated,
    parameters: operation.parameters.map(({ name, in: place, required: isRequired, description, schema }) => ({
      name,
      in: place,
      required: isRequired,
      description: description.slice(0, 300),
      type: schema === undefined ? "" : typeInWords(resolveSchema(schema, "", components).schema, components),
    })),
    bodyMediaTypes: operation.requestBody?.content.map(({ mediaType }) => mediaType) ?? [],
    responseStatuses: operation.responseStatuses,
    securitySchemes: securitySchemes.map((scheme) => ({ name: scheme.name, label: schemeLabel(scheme) })),
    security: operation.security.map((alternative) => alternative.map(({ schemeName }) => schemeName)),
  };
}

function undocumented({ method, path }: OperationKey): EditedOperation {
  return {
    method,
    path,
    documented: false,
    summary: "",
    deprecated: false,
    parameters: [],
    bodyMediaTypes: [],
    responseStatuses: [],
    securitySchemes: [],
    security: [],
  };
}

const credentialWords: Record<Credential["type"], string> = {
  basic: "Basic",
  bearer: "Bearer",
  apiKey: "API key",
  oauth2ClientCredentials: "OAuth 2.0",
  digest: "Digest",
  mutualTls: "mutual TLS",
  awsSignatureV4: "AWS Signature v4",
};

function schemeLabel({ name, type, in: place, parameterName, scheme }: SecurityScheme): string {
  if (type === "apiKey") return `${name}, API key ${parameterName} in ${place}`;
  return type === "http" ? `${name}, HTTP ${scheme}` : `${name}, ${type}`;
}
