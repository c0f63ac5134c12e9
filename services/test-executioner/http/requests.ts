import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { AddressedRequest } from "#contracts/test-executioner/requests.ts";
import { redacted } from "#libraries/redaction/redactor.ts";
import { secretsOf } from "#libraries/running/captured-secrets.ts";
import { createTemplates } from "#libraries/running/found-values.ts";
import type { Hiding } from "#libraries/running/hiding/hiding.ts";
import { needsOperation } from "#libraries/running/operation-need.ts";
import { addressRequest, prepareRequest, type SendingParts } from "#libraries/running/sending/preparing.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { type ApiSecretLookup, listUsedNames, readApiSecrets } from "../jobs/api-secrets.ts";
import type { FindOperation } from "../jobs/operation-lookup.ts";
import type { RequireApi } from "./apis.ts";
import { sendOnce } from "./sent-once.ts";
import { resolveSurroundings } from "./surroundings.ts";

export interface RequestParts extends SendingParts {
  requireApi: RequireApi;
  findOperation: FindOperation;
  hiding: Hiding;
  readApiSecrets: ApiSecretLookup;
}

/** An address is displayed before it is sent: it never has a secret in it. */
const readNothing: ApiSecretLookup = async (_, names) => ({
  captures: names.map((name) => ({ name, value: redacted, isSecret: true })),
});

export function createRequestHandlers(
  parts: RequestParts,
): Pick<Handlers<typeof testExecutionerContract>, "sendRequest" | "resolveRequest"> {
  /**
   * Requests to send and requests to address only are built the same way.
   * @param read where values of secret variables come from
   */
  async function build(
    body: AddressedRequest,
    call: { organizationId: string; requestId: string },
    read: ApiSecretLookup,
  ) {
    const { organizationId } = call;
    const api = await parts.requireApi(call, body.apiId);
    const surroundings = resolveSurroundings(api, { environment: body.environment }, "environment");
    const { environment, documentId, baseUrls, hasOwnServers, variables, secretVariables } = surroundings;
    const { mayRequireAuthentication } = surroundings;
    const { apiId, method, path } = body;
    const used = listUsedNames({ path, request: body.request, baseUrls }, body.variables);
    const owner = { organizationId, apiId, environment };
    const secrets = await readApiSecrets(read, owner, { used, secretVariables, captures: [] });
    const findOperation = () => parts.findOperation({ organizationId, apiId, documentId, method, path });
    return {
      organizationId,
      method,
      path,
      request: body.request,
      baseUrls,
      operation: needsOperation({ ...body, hasOwnServers }) ? await findOperation() : undefined,
      findOperation,
      mayRequireAuthentication,
      isConfirmed: true,
      templates: createTemplates(
        { row: body.variables ?? {}, captures: secrets.captures, findVariable: (name) => variables[name] },
        parts.clock,
      ),
      secrets: secrets.captures.flatMap(({ value }) => secretsOf(value)),
      unavailableSecret: secrets.unavailable,
    };
  }
  return {
    async sendRequest({ caller: { organizationId }, body, requestId, request: call }) {
      const built = await prepareRequest(parts, {
        ...(await build(body, { organizationId, requestId }, parts.readApiSecrets)),
        hashesBody: true,
      });
      return await sendOnce(parts, built, body.timeoutMilliseconds, call.signal);
    },
    async resolveRequest({ caller: { organizationId }, body, requestId }) {
      return addressRequest(parts, await build(body, { organizationId, requestId }, readNothing));
    },
  };
}
