import type { Handlers } from "../../kit/service/service.ts";
import type { testExecutionerContract } from "../contract/contract.ts";
import { needsOperation } from "../domain/operation-need.ts";
import type { Hiding } from "../jobs/hiding.ts";
import type { FindOperation } from "../jobs/operation-lookup.ts";
import { createTemplateRenderer, prepareRequest, type SendingParts } from "../jobs/sending.ts";
import type { RequireApi } from "./apis.ts";
import { sendOnce } from "./sent-once.ts";
import { resolveSurroundings } from "./surroundings.ts";

export function createRequestHandlers(
  parts: SendingParts & {
    requireApi: RequireApi;
    findOperation: FindOperation;
    hiding: Hiding;
  },
): Pick<Handlers<typeof testExecutionerContract>, "sendRequest"> {
  return {
    async sendRequest({ caller, body, requestId, request: call }) {
      const { organizationId } = caller;
      const api = await parts.requireApi({ organizationId, requestId }, body.apiId);
      const chosen = { environment: body.environment };
      const { documentId, baseUrls, variables } = resolveSurroundings(api, chosen, "environment");
      const { apiId, method, path } = body;
      const findOperation = () => parts.findOperation({ organizationId, apiId, documentId, method, path });
      const built = await prepareRequest(parts, {
        organizationId,
        method,
        path,
        request: body.request,
        baseUrls: [body.request.baseUrl, ...baseUrls],
        operation: needsOperation(body) ? await findOperation() : undefined,
        findOperation,
        isConfirmed: true,
        templates: createTemplateRenderer((name) => body.variables?.[name] ?? variables[name], parts.clock),
      });
      return await sendOnce(parts, built, body.timeoutMilliseconds, call.signal);
    },
  };
}
