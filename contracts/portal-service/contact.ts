import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, type Tag } from "../kit/endpoint.ts";
import { emailAddress, fullName, recaptchaToken, returnedEmail } from "../security-service/account.ts";

const tag: Tag = { name: "Contact", description: "Messages from visitors." };

export const contactMessage = z
  .object({
    name: fullName,
    email: emailAddress,
    subject: displayName(
      z
        .string({ error: "Say what it is about" })
        .trim()
        .min(1, "Say what it is about")
        .max(200, "A subject has at most 200 characters")
        .regex(/^\P{Cc}*$/u, "A subject is written on one line")
        .openapi({ example: "Prices" }),
    ),
    message: z
      .string({ error: "Write your message" })
      .trim()
      .min(1, "Write your message")
      .max(10_000, "A message has at most 10,000 characters")
      .openapi({ example: "How much is it for forty people?" }),
    recaptchaToken,
  })
  .openapi("ContactMessage");

export const sendContactMessage = endpoint({
  method: "post",
  path: "/api/v1/contact-messages",
  access: "public",
  audit: { nothingBecause: "It only sends an email" },
  tag,
  summary: "Emails a message to the operators of the portal",
  description: "The response contains the address that a reply will be sent to.",
  body: contactMessage,
  status: 202,
  response: z.object({ email: returnedEmail }),
  problems: {
    too_many_requests: "Too many forms from this network.",
    invalid_input: "A value needs correction, or the human check failed (at `recaptchaToken`).",
  },
});
