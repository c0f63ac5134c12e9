import { Problem } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testExecutionerContract } from "../contract/contract.ts";
import { needsOperation } from "../domain/operation-need.ts";
import type { Hiding } from "../jobs/hiding.ts";
import type { FindOperation } from "../jobs/operation-lookup.ts";
import {
  createTemplateRenderer,
  Interrupted,
  prepareRequest,
  type SendingParts,
  sendPrepared,
} from "../jobs/sending.ts";
import type { RequireApi } from "./apis.ts";
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
      const operation = needsOperation(body)
        ? await parts.findOperation({
            organizationId,
            apiId: body.apiId,
            documentId,
            method: body.method,
            path: body.path,
          })
        : undefined;
      const built = await prepareRequest(parts, {
        organizationId,
        method: body.method,
        path: body.path,
        request: body.request,
        baseUrls: [body.request.baseUrl, ...baseUrls],
        operation,
        templates: createTemplateRenderer((name) => body.variables?.[name] ?? variables[name], parts.clock),
      });
      const nothing = { number: 1, request: null, response: null, phases: null };
      if (!built.ok) {
        return {
          ...nothing,
          startedAt: parts.clock.now().toISOString(),
          durationMilliseconds: 0,
          cause: built.cause,
        };
      }
      const { prepared } = built;
      const sent = await sendPrepared(parts, prepared, body.timeoutMilliseconds, call.signal).catch(
        (error: unknown) => {
          if (error instanceof Interrupted) throw new Problem("service_unavailable", "The request was interrupted.");
          throw error;
        },
      );
      const { startedAt, durationMilliseconds, phases } = sent;
      const outcome = sent.outcome === "failed" ? { cause: sent.cause } : { response: sent.received };
      const attempt = { ...nothing, startedAt, durationMilliseconds, phases, request: sent.sent, ...outcome };
      const unhidden = { tries: [{ attempt, verifications: [] }], captured: {}, filledAssertions: [] };
      const { tries } = await parts.hiding.hide(unhidden, sent.secrets);
      return tries[0]!.attempt;
    },
  };
}
