import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { AddressedRequest } from "#contracts/test-executioner/requests.ts";
import type { Hiding } from "#libraries/running/hiding/hiding.ts";
import { needsOperation } from "#libraries/running/operation-need.ts";
import { addressRequest, prepareRequest, type SendingParts } from "#libraries/running/sending/preparing.ts";
import { createTemplateRenderer } from "#libraries/running/sending/template-renderer.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { FindOperation } from "../jobs/operation-lookup.ts";
import type { RequireApi } from "./apis.ts";
import { sendOnce } from "./sent-once.ts";
import { resolveSurroundings } from "./surroundings.ts";

export interface RequestParts extends SendingParts {
  requireApi: RequireApi;
  findOperation: FindOperation;
  hiding: Hiding;
}

export function createRequestHandlers(
  parts: RequestParts,
): Pick<Handlers<typeof testExecutionerContract>, "sendRequest" | "resolveRequest"> {
  /** Requests to send and requests to address only are built the same way. */
  async function build(body: AddressedRequest, call: { organizationId: string; requestId: string }) {
    const { organizationId } = call;
    const api = await parts.requireApi(call, body.apiId);
    const { documentId, baseUrls, hasOwnServers, variables, mayRequireAuthentication } = resolveSurroundings(
      api,
      { environment: body.environment },
      "environment",
    );
    const { apiId, method, path } = body;
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
      templates: createTemplateRenderer((name) => body.variables?.[name] ?? variables[name], parts.clock),
    };
  }
  return {
    async sendRequest({ caller: { organizationId }, body, requestId, request: call }) {
      const built = await prepareRequest(parts, {
        ...(await build(body, { organizationId, requestId })),
        hashesBody: true,
      });
      return await sendOnce(parts, built, body.timeoutMilliseconds, call.signal);
    },
    async resolveRequest({ caller: { organizationId }, body, requestId }) {
      return addressRequest(parts, await build(body, { organizationId, requestId }));
    },
  };
}
