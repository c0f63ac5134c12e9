import { z } from "@hono/zod-openapi";
import { operation } from "../../kit/contract/operation.ts";
import { orNone } from "../../kit/contract/or-none.ts";
import {
  createdAccount,
  emailAddress,
  mailedToken,
  newAccount,
  recaptchaToken,
  sentCode,
  verificationRequest,
} from "./account.ts";

export const organizationName = z
  .string({ error: "Enter the organization's name" })
  .trim()
  .min(2, "An organization's name has at least 2 characters")
  .max(200, "An organization's name has at most 200 characters")
  .regex(/^\P{Cc}*$/u, "A name is written on one line");

export const registrationRequest = z
  .object({
    email: emailAddress,
    /** The plan wanted; one of portal-service's services. */
    serviceId: orNone(z.string().max(100)),
    /** Registers an organization; without it, an individual. */
    organizationName: orNone(organizationName),
    recaptchaToken,
  })
  .openapi("RegistrationRequest");

export const registration = z
  .object({
    kind: z.enum(["individual", "organization"]),
    email: z.string(),
    serviceId: z.string().nullable(),
    organizationName: z.string().nullable(),
    expiresAt: z.string(),
  })
  .openapi("Registration");
export type Registration = z.infer<typeof registration>;

/**
 * Mails a link that leads to the account. The answer is the same whether or not the address has an account already:
 * its owner is told by mail. 422 for a plan that does not exist or a failed human check, 429 after too many.
 */
export const createRegistrationRequest = operation({
  method: "post",
  path: "/registration/create-request",
  access: "public",
  audit: { nothingBecause: "It is a letter; the account it leads to is recorded" },
  summary: "Asks for an account; a link to complete it is mailed to the address",
  body: registrationRequest,
  status: 202,
  answer: z.object({ email: z.string() }),
});

/** 404 when the token is unknown, used or has ended. Changes nothing. */
export const getRegistration = operation({
  method: "post",
  path: "/registration/request/info",
  access: "public",
  audit: { nothingBecause: "It only asks" },
  summary: "What was asked for with a registration link",
  body: z.object({ token: mailedToken, recaptchaToken }),
  status: 200,
  answer: registration,
});

/** 429 when the last code is younger than half a minute, or too many were sent. */
export const sendRegistrationCode = operation({
  method: "post",
  path: "/registration/send-verification-code",
  access: "public",
  audit: { nothingBecause: "It is a letter" },
  summary: "Mails a six-digit code to the address of a registration",
  body: verificationRequest,
  status: 202,
  answer: sentCode,
});

/**
 * 404 when the token is unknown, used or has ended, or was tried twenty times. 422 at `code` when it is wrong, used up or
 * has ended, at `password` when it is easily guessed, at `username` when it is taken: the code then holds for another
 * try. 409 when the address has got an account meanwhile.
 */
export const createAccount = operation({
  method: "post",
  path: "/registration/create-account",
  access: "public",
  audit: "user",
  summary: "Makes the account of a registration, and its organization with it as administrator",
  body: newAccount,
  status: 201,
  answer: createdAccount,
});
