import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { systemTag as tag } from "../kit/system.ts";
import { emailAddress } from "../security-service/account.ts";

const access = "system:manage" as const;

export const getMail = endpoint({
  method: "get",
  path: "/api/v1/system/mail",
  access,
  tag,
  summary: "How email is sent",
  description: "Set by `MAIL_URL` and `MAIL_FROM`. User and password of the mail server are never returned.",
  status: 200,
  response: z
    .object({
      way: z
        .enum(["server", "mailbox", "none"])
        .describe(
          "`mailbox`: stored in this installation and readable at `/sandbox/mail`; `none`: email cannot be sent.",
        ),
      server: z.string().nullable().openapi({ example: "mail.example.com:587" }),
      sender: z.string().nullable().openapi({ example: "API Assurance <portal@example.com>" }),
    })
    .openapi("Mail"),
});

export const sendTestLetter = endpoint({
  method: "post",
  path: "/api/v1/system/mail/test-letters",
  // The longest a mail server may take.
  timeoutSeconds: 45,
  access,
  audit: "test-letter",
  tag,
  summary: "Sends a test email to the mail server",
  description: "One immediate attempt that bypasses the queue, so the response is the mail server's own.",
  body: z.object({ address: emailAddress }),
  status: 200,
  response: z
    .object({
      isTaken: z.boolean().describe("The mail server accepted it. Delivery can only be verified in the mailbox."),
      words: z
        .string()
        .nullable()
        .describe("The mail server's error message.")
        .openapi({ example: "Invalid login: 535 Authentication failed" }),
    })
    .openapi("TestLetterResult"),
  problems: { service_unavailable: "This installation can't send email: its operator sets MAIL_URL and MAIL_FROM." },
});
