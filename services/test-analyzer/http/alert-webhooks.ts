import { z } from "zod";
import { alertWebhook } from "#contracts/test-analyzer/alert-webhooks.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { sampleMessages } from "../domain/alert/samples.ts";
import { writeWebhook } from "../domain/alert/written.ts";

/** Creates the handler that documents webhook bodies. */
export function createWebhookHandlers({
  portalOrigin,
}: {
  portalOrigin(): string;
}): Pick<Handlers<typeof testAnalyzerContract>, "describeWebhooks"> {
  return {
    async describeWebhooks() {
      return {
        examples: sampleMessages().map((message) => ({
          kind: message.kind,
          body: writeWebhook(message, portalOrigin()),
        })),
        // The input schema: receivers must accept additional members.
        schema: z.toJSONSchema(alertWebhook, { io: "input" }),
      };
    },
  };
}
