import { z } from "@hono/zod-openapi";
import { endpoint, moment, type Tag } from "../kit/endpoint.ts";
import { confirmFirst, ownersPassword } from "./own-account.ts";
import { signedIn, signingIn } from "./sessions.ts";

const tag: Tag = {
  name: "Second factor",
  description: "Codes by an authenticator app (TOTP, RFC 6238), used after the password.",
};

/** From the app, or a recovery code; spaces are ignored. */
export const oneTimeCode = z
  .string({ error: "Enter the code" })
  .transform((text) => text.replace(/[\s-]/g, "").toLowerCase())
  .pipe(z.string().min(1, "Enter the code").max(20, "The code is shorter"))
  .describe("Six digits from the app; spaces and hyphens are ignored")
  .openapi({ example: "123456" });

export const secondFactor = z
  .object({
    enabled: z.boolean().describe("Codes of an authenticator app are accepted"),
    enabledAt: moment.nullable(),
    passkeys: z.int().describe("Number of passkeys, each an alternative to the app").openapi({ example: 1 }),
    recoveryCodesLeft: z.int().describe("Number of unused recovery codes").openapi({ example: 10 }),
  })
  .openapi("SecondFactor");
export type SecondFactor = z.infer<typeof secondFactor>;

export const recoveryCodes = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .describe("Returned only here; only hashes are stored")
      .openapi({ example: ["k4m2x-9qf7t", "b8c3z-w5hnd"] }),
  })
  .openapi("RecoveryCodes");

const ofPeople = { not_found: "The caller is a service or an API token, which have no second factor." };
const passwordTries = {
  ...ofPeople,
  forbidden: confirmFirst,
  too_many_requests: "Too many attempts with a wrong password.",
};

export const getSecondFactor = endpoint({
  method: "get",
  path: "/api/v1/profile/second-factor",
  access: "own-account",
  tag,
  summary: "The caller's second factors",
  description: "Includes the number of recovery codes left.",
  status: 200,
  response: secondFactor,
  problems: ofPeople,
});

export const beginSecondFactor = endpoint({
  method: "post",
  path: "/api/v1/profile/second-factor",
  access: "own-account",
  audit: "second-factor",
  tag,
  summary: "Creates the secret of a second factor",
  description:
    "Required at sign-in once a first code is confirmed. Replaces one that is not yet confirmed. A wrong password is reported at `currentPassword`.",
  body: ownersPassword,
  status: 200,
  response: z
    .object({
      uri: z
        .string()
        .describe("Content of the QR code; contains the secret")
        .openapi({ example: "otpauth://totp/API%20Assurance:ada?issuer=API%20Assurance&secret=JBSWY3DPEHPK3PXP" }),
    })
    .openapi("BegunSecondFactor"),
  problems: { ...passwordTries, conflict: "There is a second factor. Disable it first." },
});

export const confirmSecondFactor = endpoint({
  method: "put",
  path: "/api/v1/profile/second-factor",
  access: "own-account",
  audit: "second-factor",
  tag,
  summary: "Enables the second factor with a first code of the app",
  description: "The response contains the recovery codes, once. A wrong code is reported at `code`.",
  body: z.object({ code: oneTimeCode }),
  status: 200,
  response: recoveryCodes,
  problems: {
    ...ofPeople,
    conflict: "There is nothing to confirm: start again.",
    too_many_requests: "Too many attempts with a wrong code.",
  },
});

export const renewRecoveryCodes = endpoint({
  method: "post",
  path: "/api/v1/profile/second-factor/recovery-codes",
  access: "own-account",
  audit: "second-factor",
  tag,
  summary: "Creates new recovery codes; the previous ones no longer work",
  description: "A wrong password is reported at `currentPassword`.",
  body: ownersPassword,
  status: 200,
  response: recoveryCodes,
  problems: { ...passwordTries, conflict: "There is no second factor." },
});

export const removeSecondFactor = endpoint({
  method: "delete",
  path: "/api/v1/profile/second-factor",
  access: "own-account",
  audit: "second-factor",
  tag,
  summary: "Disables the second factor",
  description: "Also deletes its recovery codes. A wrong password is reported at `currentPassword`.",
  body: ownersPassword,
  status: 204,
  problems: passwordTries,
});

export const completeLogin = endpoint({
  method: "post",
  path: "/auth/login/second-factor",
  access: "public",
  audit: { nothingBecause: "Sessions list when each began" },
  tag: signingIn,
  summary: "Completes a sign-in with a code of the second factor, or a recovery code",
  description: "Requires the `challenge` of the problem `second_factor_required`. A wrong code is reported at `code`.",
  body: z.object({
    challenge: z.string().min(1).max(200).describe("From the problem").openapi({ example: "9f3c1d7a" }),
    code: oneTimeCode,
  }),
  status: 200,
  response: signedIn,
  problems: {
    unauthenticated: "The challenge has expired: sign in again.",
    too_many_requests: "Too many attempts with a wrong code.",
  },
});
