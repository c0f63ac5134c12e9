import { z } from "zod";
import { alertWebhook } from "#contracts/test-analyzer/alert-webhooks.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { sampleMessages } from "../domain/alert/samples.ts";
import { writeWebhook } from "../domain/alert/written.ts";

/** Makes the handler of what webhooks are sent. */
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
        // As input: receivers may not count on there being no other members.
        schema: z.toJSONSchema(alertWebhook, { io: "input" }),
      };
    },
  };
}
