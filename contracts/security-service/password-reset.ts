import { z } from "@hono/zod-openapi";
import { endpoint, type Tag } from "../kit/endpoint.ts";
import { emailAddress, mailedToken, newPassword, recaptchaToken, returnedEmail } from "./account.ts";

const tag: Tag = { name: "Password reset", description: "Reset a forgotten password." };

export const requestPasswordReset = endpoint({
  method: "post",
  path: "/auth/password-reset/request",
  access: "public",
  audit: { nothingBecause: "It only sends an email; the new password is recorded" },
  tag,
  summary: "Emails a link for choosing a new password, if an account has this address",
  description: "The response is the same whether or not an account has this address.",
  body: z.object({ email: emailAddress, recaptchaToken }),
  status: 202,
  response: z.object({ email: returnedEmail }),
  problems: { too_many_requests: "Too many forms from this network." },
});

export const completePasswordReset = endpoint({
  method: "post",
  path: "/auth/password-reset/complete",
  access: "public",
  audit: "password",
  tag,
  summary: "Sets a new password by an emailed link and ends every session of the account",
  description: "An easily guessed password is reported at `password`.",
  body: z.object({ token: mailedToken, password: newPassword }),
  status: 204,
  problems: {
    not_found: "The link's token is unknown, was already used or has expired.",
    too_many_requests: "Too many forms from this network.",
  },
});
