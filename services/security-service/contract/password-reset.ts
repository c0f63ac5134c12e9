import { z } from "@hono/zod-openapi";
import { operation } from "../../kit/contract/operation.ts";
import { emailAddress, mailedToken, newPassword, recaptchaToken } from "./account.ts";

/** The answer is the same whether or not an account has this address. */
export const requestPasswordReset = operation({
  method: "post",
  path: "/auth/password-reset/request",
  access: "public",
  audit: { nothingBecause: "It is a letter; what it leads to is recorded" },
  summary: "Mails a link for choosing a new password, if an account has this address",
  body: z.object({ email: emailAddress, recaptchaToken }),
  status: 202,
  answer: z.object({ email: z.string() }),
});

/** 404 when the token is unknown, used or has ended; 422 at `password` when it is easily guessed. */
export const completePasswordReset = operation({
  method: "post",
  path: "/auth/password-reset/complete",
  access: "public",
  audit: "password",
  summary: "Sets a new password by a mailed link and ends every session of the account",
  body: z.object({ token: mailedToken, password: newPassword }),
  status: 204,
});
