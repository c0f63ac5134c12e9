import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { moment } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";

/** Stored as written; compared case-insensitively. RFC 5321 allows 254 characters. */
export const emailAddress = z
  .string({ error: "Enter an email address" })
  .trim()
  .max(254, "An email address has at most 254 characters")
  .pipe(z.email("Enter an email address, e.g. name@example.com"))
  .openapi({ format: "email", example: "ada@example.com" });

/** In responses. */
export const returnedEmail = z.string().openapi({ format: "email", example: "ada@example.com" });

/** No `@`, so that no username can be mistaken for another user's email address at sign-in. */
export const newUsername = z
  .string({ error: "Choose a username" })
  .trim()
  .min(3, "A username has at least 3 characters")
  .max(50, "A username has at most 50 characters")
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, "Use letters, digits, dots, hyphens and underscores")
  .openapi({ example: "ada" });

export const shortestPassword = 15;
export const longestPassword = 200;

/**
 * NIST SP 800-63B-4, section 3.1.1.2: at least 15 characters for a single-factor password, at least 64 allowed, any
 * character, no composition rules. The service also refuses common and easily guessed ones.
 */
export const newPassword = z
  .string({ error: "Choose a password" })
  .min(shortestPassword, `Use at least ${shortestPassword} characters; a few words are easy to remember`)
  .max(longestPassword, `A password has at most ${longestPassword} characters`)
  .openapi({ format: "password", example: "correct horse battery staple" });

export const fullName = displayName(
  z
    .string({ error: "Enter your name" })
    .trim()
    .min(1, "Enter your name")
    .max(200, "Use at most 200 characters")
    .regex(/^\P{Cc}*$/u, "A name is written on one line")
    .openapi({ example: "Ada Lovelace" }),
);

export const verificationCode = z
  .string({ error: "Enter the code from the email" })
  .transform((text) => text.replace(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "The code has six digits"))
  .describe("Six digits; spaces are ignored")
  .openapi({ example: "123456" });

export const mailedToken = z.string().min(1).max(200).describe("From an emailed link").openapi({ example: "9f3c1d7a" });

export const recaptchaToken = orNone(z.string().max(8_000))
  .describe("Token of the human check; without it, a stricter rate limit applies")
  .openapi({ example: "eyJjaGFsbGVuZ2UiOnt9fQ==" });

/** Self-registration, with the token and the code that were emailed. */
export const newAccount = z
  .object({
    token: mailedToken,
    code: verificationCode,
    fullName,
    username: newUsername,
    password: newPassword,
  })
  .openapi("NewAccount");

export const createdAccount = z
  .object({
    id: z.uuid(),
    username: z.string().openapi({ example: "ada" }),
    serviceId: z
      .string()
      .nullable()
      .describe("The plan picked at registration: a paid one is yet to be subscribed to.")
      .openapi({ example: "team" }),
  })
  .openapi("CreatedAccount");

/** Requests a code by email to the address that the token belongs to. */
export const verificationRequest = z.object({ token: mailedToken, recaptchaToken }).openapi("VerificationRequest");

export const sentCode = z
  .object({
    expiresAt: moment.describe("When the code expires."),
  })
  .openapi("SentCode");
