import { z } from "@hono/zod-openapi";
import { endpoint, type Tag } from "../kit/endpoint.ts";
import { recaptchaToken } from "./account.ts";

/**
 * Either the configured provider's widget, or a proof of work (ALTCHA 2) solved by the browser; its solution, as base64
 * of JSON, is the `recaptchaToken`.
 */
export const humanCheck = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("provider"), siteKey: z.string(), scriptUrl: z.url() }),
    z.object({
      kind: z.literal("proofOfWork"),
      challenge: z.record(z.string(), z.unknown()).openapi({ example: { parameters: {}, signature: "5f2b61d0" } }),
    }),
  ])
  .openapi("HumanCheck");
export type HumanCheck = z.infer<typeof humanCheck>;

const tag: Tag = { name: "Human check", description: "Protects public forms from bots." };

export const getHumanCheck = endpoint({
  method: "get",
  path: "/auth/v1/human-check",
  access: "public",
  tag,
  summary: "The human check of public forms",
  description:
    "A provider's widget, or a proof of work (ALTCHA 2). Its result is sent as `recaptchaToken`; without it, a stricter rate limit applies.",
  status: 200,
  response: humanCheck,
});

export const admitVisitor = endpoint({
  method: "post",
  path: "/internal/v1/visitors/admit",
  access: "internal",
  audit: { nothingBecause: "It only counts an attempt" },
  tag,
  summary: "Admits a visitor's form to another service: human check and rate limits",
  description: "422 at `recaptchaToken` when the check failed, 429 with Retry-After when the limit is exceeded.",
  body: z.object({
    purpose: z.enum(["contact", "statusUpdates"]),
    clientAddress: z.string().max(100).optional(),
    recaptchaToken,
  }),
  status: 204,
});
