import { z } from "@hono/zod-openapi";
import { actor } from "../kit/actor.ts";
import { endpoint } from "../kit/endpoint.ts";
import { credentialInput } from "./credentials.ts";

/** For test-registry, which imports files of other tools. */
export const takeCredentials = endpoint({
  method: "post",
  path: "/internal/v1/imported-credentials",
  access: "internal",
  audit: "credential",
  summary: "Stores credentials from files under ids that the caller chose",
  description:
    "One transaction. One whose name is taken gets a number behind it; one whose id is stored already stays as it is.",
  body: z.object({ items: z.array(credentialInput.extend({ id: z.uuid() })).max(100), actor }),
  status: 200,
  response: z.object({
    items: z
      .array(z.object({ id: z.uuid(), name: z.string(), domain: z.string() }))
      .describe("In the order of the call."),
  }),
});
