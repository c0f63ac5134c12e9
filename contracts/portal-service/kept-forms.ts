import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";

/** How long somebody has to sign in again and find the form as it was typed. */
export const keptFormSeconds = 600;

/**
 * Keeps what somebody typed into a form that came after their session had ended, sealed by the portal. Of each account the
 * newest few are kept.
 */
export const keepForm = endpoint({
  method: "post",
  path: "/internal/v1/kept-forms",
  access: "internal",
  audit: { nothingBecause: "It is not sent yet, and gone within minutes" },
  summary: "Keeps a form while its sender signs in",
  body: z.object({ userId: z.uuid(), sealed: z.string().max(4 * 1_048_576) }),
  status: 201,
  answer: z.object({ id: z.uuid() }),
});

/** 404 for another account's, and after ten minutes. */
export const getKeptForm = endpoint({
  method: "get",
  path: "/internal/v1/kept-forms/{formId}",
  access: "internal",
  summary: "A kept form of this account",
  params: z.object({ formId: z.uuid() }),
  query: z.object({ userId: z.uuid() }),
  status: 200,
  answer: z.object({ sealed: z.string() }),
});
