import { z } from "@hono/zod-openapi";
import { operation } from "../../kit/contract/operation.ts";
import { recaptchaToken } from "./account.ts";

/**
 * Either the configured provider's widget, or a proof of work (ALTCHA 2) that the browser solves by itself; its
 * solution, as base64 of JSON, is the `recaptchaToken`.
 */
export const humanCheck = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("provider"), siteKey: z.string(), scriptUrl: z.string() }),
    z.object({ kind: z.literal("proofOfWork"), challenge: z.record(z.string(), z.unknown()) }),
  ])
  .openapi("HumanCheck");
export type HumanCheck = z.infer<typeof humanCheck>;

export const getHumanCheck = operation({
  method: "get",
  path: "/auth/v1/human-check",
  access: "public",
  summary: "What a form open to everybody has its sender do against machines",
  status: 200,
  answer: humanCheck,
});

/** 422 at `recaptchaToken` when the check failed, 429 with Retry-After after too many. */
export const admitVisitor = operation({
  method: "post",
  path: "/internal/v1/visitors/admit",
  access: "internal",
  audit: { nothingBecause: "It counts a try" },
  summary: "Lets a visitor's form through to another service: human check and limits",
  body: z.object({
    purpose: z.enum(["contact"]),
    clientAddress: z.string().max(100).optional(),
    recaptchaToken,
  }),
  status: 204,
});
