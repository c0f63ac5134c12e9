import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, pageSchema } from "../kit/endpoint.ts";

const emailSummary = z.object({
  id: z.uuid(),
  to: z.string(),
  replyTo: z.string().nullable(),
  subject: z.string(),
  sentAt: moment,
});
export type SandboxEmailSummary = z.infer<typeof emailSummary>;

export const listSandboxMail = endpoint({
  method: "get",
  path: "/internal/v1/sandbox/mail",
  access: "internal",
  summary: "Emails in the local mailbox, newest first",
  description: "404 unless this installation stores its own email: only the embedded default without MAIL_URL does.",
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(emailSummary),
});

export const getSandboxLetter = endpoint({
  method: "get",
  path: "/internal/v1/sandbox/mail/{letterId}",
  access: "internal",
  summary: "One email in the local mailbox",
  params: z.object({ letterId: z.uuid() }),
  status: 200,
  response: emailSummary.extend({ text: z.string(), html: z.string() }),
});
