import { z } from "@hono/zod-openapi";
import { endpoint, onlyReads } from "../kit/endpoint.ts";
import { systemTag as tag } from "../kit/system.ts";

export const targetReasons = [
  "listed",
  "loopback",
  "public",
  "no_address",
  "metadata",
  "own",
  "port",
  "loopback_closed",
  "private",
  "invalid_url",
  "unknown_name",
] as const;
const reason = z.enum(targetReasons).openapi({ example: "private" });

export const checkTarget = endpoint({
  method: "post",
  path: "/api/v1/system/target-checks",
  access: "system:manage",
  audit: onlyReads,
  tag,
  summary: "Whether tests may reach a URL, and why",
  description:
    "Applies the rules of a real request without sending one. The host name is resolved; one forbidden address refuses them all.",
  body: z.object({
    url: z
      .string({ error: "Enter a URL" })
      .trim()
      .min(1, "Enter a URL")
      .max(4_000, "A URL has at most 4,000 characters")
      .openapi({ example: "http://10.0.0.1:8080/health" }),
  }),
  status: 200,
  response: z
    .object({
      isAllowed: z.boolean(),
      reason: reason.describe("The deciding rule."),
      detail: z.string().nullable().describe("What is wrong with the URL.").openapi({ example: null }),
      host: z.string().openapi({ example: "10.0.0.1" }),
      port: z.int().openapi({ example: 8080 }),
      addresses: z
        .array(z.object({ address: z.string().openapi({ example: "10.0.0.1" }), isAllowed: z.boolean(), reason }))
        .describe("Addresses the host currently resolves to; empty for an IP address."),
    })
    .openapi("TargetCheck"),
});
