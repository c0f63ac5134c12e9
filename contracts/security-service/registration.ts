import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, moment, onlyReads, type Tag } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import {
  createdAccount,
  emailAddress,
  mailedToken,
  newAccount,
  recaptchaToken,
  returnedEmail,
  sentCode,
  verificationRequest,
} from "./account.ts";

export const organizationName = displayName(
  z
    .string({ error: "Enter the organization's name" })
    .trim()
    .min(2, "An organization's name has at least 2 characters")
    .max(200, "An organization's name has at most 200 characters")
    .regex(/^\P{Cc}*$/u, "A name is written on one line")
    .openapi({ example: "Example Ltd" }),
);

const tag: Tag = { name: "Registration", description: "Create an account." };

export const registrationRequest = z
  .object({
    email: emailAddress,
    serviceId: orNone(z.string().max(100)).describe("The selected plan; one of portal-service's services."),
    organizationName: orNone(organizationName).describe("Registers an organization; without it, an individual."),
    recaptchaToken,
  })
  .openapi("RegistrationRequest");

export const registration = z
  .object({
    kind: z.enum(["individual", "organization"]),
    email: returnedEmail,
    serviceId: z.string().nullable().describe("The selected plan").openapi({ example: "team" }),
    organizationName: z.string().nullable().openapi({ example: "Example Ltd" }),
    expiresAt: moment,
  })
  .openapi("Registration");
export type Registration = z.infer<typeof registration>;

export const createRegistrationRequest = endpoint({
  method: "post",
  path: "/registration/create-request",
  access: "public",
  audit: { nothingBecause: "It only sends an email; the account created with it is recorded" },
  tag,
  summary: "Requests an account; a link to complete it is emailed to the address",
  description:
    "The response is the same whether or not the address has an account already; if it has, its owner is notified by email.",
  body: registrationRequest,
  status: 202,
  response: z.object({ email: returnedEmail }),
  problems: {
    forbidden: "Accounts are by invitation only.",
    invalid_input: "A value needs correction, there is no such plan, or the human check failed (at `recaptchaToken`).",
    too_many_requests: "Too many forms from this network.",
  },
});

export const getRegistration = endpoint({
  method: "post",
  path: "/registration/request/info",
  access: "public",
  audit: onlyReads,
  tag,
  summary: "Content of a registration link",
  description: "Changes nothing: mail scanners follow links.",
  body: z.object({ token: mailedToken, recaptchaToken }),
  status: 200,
  response: registration,
  problems: {
    forbidden: "Accounts are by invitation only.",
    not_found: "The link's token is unknown, was already used or has expired.",
    too_many_requests: "Too many forms from this network.",
  },
});

export const sendRegistrationCode = endpoint({
  method: "post",
  path: "/registration/send-verification-code",
  access: "public",
  audit: { nothingBecause: "It only sends an email" },
  tag,
  summary: "Emails a six-digit code to the address of a registration",
  description: "Only the newest code is valid.",
  body: verificationRequest,
  status: 202,
  response: sentCode,
  problems: {
    forbidden: "Accounts are by invitation only.",
    not_found: "The link's token is unknown, was already used or has expired.",
    too_many_requests: "The last code is younger than half a minute, or too many were sent.",
  },
});

export const createAccount = endpoint({
  method: "post",
  path: "/registration/create-account",
  access: "public",
  audit: "user",
  tag,
  summary: "Creates the account of a registration, and its organization with it as administrator",
  description:
    "A wrong code, an easily guessed password and a taken username are reported at `code`, `password` and `username`; the code then remains valid for another attempt.",
  body: newAccount,
  status: 201,
  response: createdAccount,
  problems: {
    forbidden: "Accounts are by invitation only.",
    not_found: "The link's token is unknown, was already used, has expired or was tried twenty times.",
    conflict: "The address now has an account.",
    too_many_requests: "Too many forms from this network.",
  },
});
