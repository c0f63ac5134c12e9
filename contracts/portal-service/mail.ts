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
  summary: "How mail leaves",
  description: "Set by `MAIL_URL` and `MAIL_FROM`. User and password of the mail server are never told.",
  status: 200,
  answer: z
    .object({
      way: z
        .enum(["server", "mailbox", "none"])
        .describe("`mailbox`: it stays in this installation, to be read at `/sandbox/mail`; `none`: it can't be sent."),
      server: z.string().nullable().openapi({ example: "mail.example.com:587" }),
      sender: z.string().nullable().openapi({ example: "API Assurance <portal@example.com>" }),
    })
    .openapi("Mail"),
});

export const sendTestLetter = endpoint({
  method: "post",
  path: "/api/v1/system/mail/test-letters",
  // As long as a mail server may stall.
  mayTakeSeconds: 45,
  access,
  audit: "test-letter",
  tag,
  summary: "Hands a test letter to the mail server",
  description: "Tried once and at once, past the queue, so that the answer is the mail server's own.",
  body: z.object({ address: emailAddress }),
  status: 200,
  answer: z
    .object({
      isTaken: z.boolean().describe("The mail server took it. Whether it arrives is seen in the mailbox."),
      words: z
        .string()
        .nullable()
        .describe("What the mail server said when it did not.")
        .openapi({ example: "Invalid login: 535 Authentication failed" }),
    })
    .openapi("TestLetterResult"),
  problems: { service_unavailable: "This installation can't send mail: its operator sets MAIL_URL and MAIL_FROM." },
});
