import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";

/** How long a user has to sign in again and recover the submitted form. */
export const storedFormSeconds = 600;

/**
 * Stores a form that was submitted after the session had ended, encrypted by the portal. Only the newest few are stored
 * per account.
 */
export const keepForm = endpoint({
  method: "post",
  path: "/internal/v1/kept-forms",
  access: "internal",
  audit: { nothingBecause: "It is not submitted yet, and deleted within minutes" },
  summary: "Stores a form while its sender signs in",
  body: z.object({ userId: z.uuid(), sealed: z.string().max(4 * 1_048_576) }),
  status: 201,
  response: z.object({ id: z.uuid() }),
});

/** 404 for another account's form, and after ten minutes. */
export const getKeptForm = endpoint({
  method: "get",
  path: "/internal/v1/kept-forms/{formId}",
  access: "internal",
  summary: "A stored form of this account",
  params: z.object({ formId: z.uuid() }),
  query: z.object({ userId: z.uuid() }),
  status: 200,
  response: z.object({ sealed: z.string() }),
});
