import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, identifier, moment, type Tag } from "../kit/endpoint.ts";
import { confirmFirst, ownersPassword } from "./own-account.ts";
import { recoveryCodes } from "./second-factor.ts";
import { signedIn, signingIn } from "./sessions.ts";

const tag: Tag = {
  name: "Passkeys",
  description: "Keys on a device or in a password manager (WebAuthn), used after the password.",
};
const audit = "passkey";
const ofPeople = { not_found: "The caller is a service or an API token, which have no passkeys." };
const notThere = { not_found: "The caller has no such passkey." };

/** Many devices provide no name. */
export const passkeyName = displayName(
  z
    .string({ error: "Name the passkey" })
    .trim()
    .min(1, "Name the passkey")
    .max(60, "A name has at most 60 characters")
    .regex(/^\P{Cc}*$/u, "A name is written on one line")
    .openapi({ example: "Work laptop" }),
);

export const passkey = z
  .object({ id: identifier, name: passkeyName, createdAt: moment, lastUsedAt: moment.nullable() })
  .openapi("Passkey");
export type Passkey = z.infer<typeof passkey>;

/** Passed to the browser's `navigator.credentials` unread. */
const browserOptions = z
  .looseObject({ challenge: z.string() })
  .openapi({ example: { challenge: "vJ3mQkO1wX7b", rpId: "portal.example.com", userVerification: "preferred" } });
export type BrowserOptions = z.infer<typeof browserOptions>;

const encoded = z
  .string()
  .min(1)
  .max(20_000)
  .regex(/^[\w-]+$/);
const credential = { id: encoded.max(2_000), rawId: encoded.max(2_000), type: z.literal("public-key") };
const transports = z.array(z.string().max(20)).max(10);
const example = { id: "Zm9v", rawId: "Zm9v", type: "public-key" } as const;

const newCredential = z
  .object({
    ...credential,
    response: z.object({ clientDataJSON: encoded, attestationObject: encoded, transports: transports.optional() }),
  })
  .describe("Result of `navigator.credentials.create`, as JSON")
  .openapi({ example: { ...example, response: { clientDataJSON: "e30", attestationObject: "o2Nm" } } });

export const usedCredential = z
  .object({
    ...credential,
    response: z.object({ clientDataJSON: encoded, authenticatorData: encoded, signature: encoded }),
  })
  .describe("Result of `navigator.credentials.get`, as JSON")
  .openapi({
    example: { ...example, response: { clientDataJSON: "e30", authenticatorData: "SZYN", signature: "MEUC" } },
  });

const passkeys = z.object({ items: z.array(passkey) }).openapi("Passkeys");

export const listPasskeys = endpoint({
  method: "get",
  path: "/api/v1/profile/passkeys",
  access: "own-account",
  tag,
  summary: "The caller's passkeys, oldest first",
  description: "At most ten.",
  status: 200,
  response: passkeys,
  problems: ofPeople,
});

export const listUserPasskeys = endpoint({
  method: "get",
  path: "/api/v1/users/{userId}/passkeys",
  access: "users:manage",
  tag,
  summary: "A user's passkeys, oldest first",
  description: "Names and times of creation and last use, without the keys.",
  params: z.object({ userId: z.uuid() }),
  status: 200,
  response: passkeys,
});

export const beginPasskey = endpoint({
  method: "post",
  path: "/api/v1/profile/passkey-options",
  access: "own-account",
  audit: { nothingBecause: "It only returns options" },
  tag,
  summary: "Options for creating a passkey",
  description: "Valid once, for five minutes. A wrong password is reported at `currentPassword`.",
  body: ownersPassword,
  status: 200,
  response: browserOptions,
  problems: {
    ...ofPeople,
    forbidden: confirmFirst,
    conflict: "There are ten passkeys, or the portal is reached by an address for which browsers make none.",
    too_many_requests: "Too many attempts with a wrong password.",
  },
});

export const addPasskey = endpoint({
  method: "post",
  path: "/api/v1/profile/passkeys",
  access: "own-account",
  audit,
  tag,
  summary: "Adds a passkey, required from then on when signing in",
  description:
    "An account's first second factor comes with recovery codes, which are returned once; otherwise the response has none. A rejected passkey is reported at `credential`.",
  body: z.object({ name: passkeyName, credential: newCredential }),
  status: 201,
  response: z.object({ passkey, ...recoveryCodes.shape }).openapi("AddedPasskey"),
  problems: { ...ofPeople, conflict: "There are ten passkeys, or this one is in use already." },
});

export const renamePasskey = endpoint({
  method: "put",
  path: "/api/v1/profile/passkeys/{passkeyId}",
  access: "own-account",
  audit,
  tag,
  summary: "Renames a passkey",
  description: "The name is visible to its owner and to the organization's user managers.",
  params: z.object({ passkeyId: z.uuid() }),
  body: z.object({ name: passkeyName }),
  status: 200,
  response: passkey,
  problems: notThere,
});

export const removePasskey = endpoint({
  method: "delete",
  path: "/api/v1/profile/passkeys/{passkeyId}",
  access: "own-account",
  audit,
  tag,
  summary: "Removes a passkey",
  description:
    "Removing an account's last second factor also removes its recovery codes. A wrong password is reported at `currentPassword`.",
  params: z.object({ passkeyId: z.uuid() }),
  body: ownersPassword,
  status: 204,
  problems: { ...notThere, forbidden: confirmFirst, too_many_requests: "Too many attempts with a wrong password." },
});

const challenge = z.string().min(1).max(200).describe("From the problem").openapi({ example: "9f3c1d7a" });

export const beginSecondStep = endpoint({
  method: "post",
  path: "/auth/login/second-factor/options",
  access: "public",
  audit: { nothingBecause: "It only returns options" },
  tag: signingIn,
  summary: "Second factors that can complete a sign-in",
  description:
    "Requires the `challenge` of the problem `second_factor_required`. Recovery codes are accepted like codes.",
  body: z.object({ challenge }),
  status: 200,
  response: z
    .object({
      app: z.boolean().describe("Codes of an authenticator app are accepted"),
      passkey: browserOptions
        .nullable()
        .describe("Options for `navigator.credentials.get`, valid once; null without passkeys"),
    })
    .openapi("SecondStep"),
  problems: { unauthenticated: "The challenge has expired: sign in again." },
});

export const completePasskeyLogin = endpoint({
  method: "post",
  path: "/auth/login/passkey",
  access: "public",
  audit,
  tag: signingIn,
  summary: "Completes a sign-in with a passkey",
  description: "A rejected passkey is reported at `credential`; then request new options.",
  body: z.object({ challenge, credential: usedCredential }),
  status: 200,
  response: signedIn,
  problems: {
    unauthenticated: "The challenge has expired: sign in again.",
    too_many_requests: "Too many attempts with a wrong code or passkey.",
  },
});
