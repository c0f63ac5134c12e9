import { z } from "@hono/zod-openapi";
import { endpoint, moment, type Tag } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { timeZone } from "../kit/time-zone.ts";
import { emailAddress, fullName, mailedToken, newPassword, returnedEmail } from "./account.ts";

const tag: Tag = { name: "Own account", description: "Settings of the caller's own account." };

/** Confirmed by password, because a browser left open would otherwise give the account away. */
export const currentPassword = z
  .string({ error: "Enter your password" })
  .min(1, "Enter your password")
  .max(1_000, "This is not your password")
  .describe("The current password")
  .openapi({ format: "password", example: "correct horse battery staple" });

/** For changes that an account without a password may also make. */
export const ownersPassword = z.object({
  currentPassword: orNone(currentPassword).describe(
    "Omitted for an account without a password, whose owner must have signed in at the organization's provider within the last ten minutes",
  ),
});
export const confirmFirst =
  "The account has no password, and its owner did not sign in at their organization's provider within the last ten minutes.";

export const ownAccount = z
  .object({
    id: z.uuid(),
    username: z.string().openapi({ example: "ada" }),
    fullName: z.string().openapi({ example: "Ada Lovelace" }),
    email: z.string().describe("Empty if unknown").openapi({ example: "ada@example.com" }),
    timeZone: timeZone.nullable().describe("Used on pages and in emails. Null: the browser's"),
    hasPassword: z.boolean().describe("False: the user signs in with the organization's OpenID provider"),
    takesPassword: z.boolean().describe("False: the organization requires single sign-on, so no password can be set"),
    confirmedUntil: moment
      .nullable()
      .describe(
        "Without a password: until when the sign-in at the provider replaces it. Null: the user must sign in there again first",
      ),
    newEmail: z
      .object({ email: returnedEmail, expiresAt: moment.describe("Until when it can be confirmed") })
      .nullable()
      .describe("The address awaiting confirmation"),
  })
  .openapi("OwnAccount");
export type OwnAccount = z.infer<typeof ownAccount>;

const ofPeople = { not_found: "The caller is a service or an API token, which have no account." };

export const getOwnAccount = endpoint({
  method: "get",
  path: "/api/v1/profile",
  access: "own-account",
  tag,
  summary: "The caller's own account",
  description: "Includes an email address awaiting confirmation, if any.",
  status: 200,
  response: ownAccount,
  problems: ofPeople,
});

export const changeOwnAccount = endpoint({
  method: "put",
  path: "/api/v1/profile",
  access: "own-account",
  audit: "user",
  tag,
  summary: "Changes the caller's own name and time zone",
  description:
    "Omitted fields are unchanged. Access tokens carry both from the next refresh on, the time zone as `zoneinfo`.",
  body: z.object({ fullName, timeZone: timeZone.nullable().describe("Null: the browser's") }).partial(),
  status: 200,
  response: ownAccount,
  problems: ofPeople,
});

export const changeOwnPassword = endpoint({
  method: "put",
  path: "/api/v1/profile/password",
  access: "own-account",
  audit: "password",
  tag,
  summary: "Changes the caller's own password and ends their other sessions",
  description:
    "A wrong password is reported at `currentPassword`, an easily guessed new one at `password`. The owner is notified by email.",
  body: z.object({ currentPassword, password: newPassword }),
  status: 204,
  problems: { ...ofPeople, too_many_requests: "Too many attempts with a wrong password." },
});

export const changeOwnEmail = endpoint({
  method: "put",
  path: "/api/v1/profile/email",
  access: "own-account",
  audit: "email",
  tag,
  summary: "Emails a link to a new address, which takes effect when the link is confirmed",
  description:
    "The response is the same whether or not another account has the address. A wrong password is reported at `currentPassword`; if the caller must use single sign-on, an address outside the organization's domains is reported at `email`.",
  body: ownersPassword.extend({ email: emailAddress }),
  status: 202,
  response: ownAccount,
  problems: {
    ...ofPeople,
    forbidden: confirmFirst,
    too_many_requests: "Too many attempts with a wrong password, or too many addresses requested today.",
  },
});

export const cancelOwnEmail = endpoint({
  method: "delete",
  path: "/api/v1/profile/email",
  access: "own-account",
  audit: "email",
  tag,
  summary: "Discards the address awaiting confirmation",
  description: "The emailed link no longer works. Has no effect if there is none.",
  status: 204,
  problems: ofPeople,
});

export const confirmEmail = endpoint({
  method: "post",
  path: "/auth/email/confirm",
  access: "public",
  audit: "email",
  tag,
  summary: "Confirms a new email address by its link",
  description: "The previous address is notified.",
  body: z.object({ token: mailedToken }),
  status: 204,
  problems: {
    not_found: "The link's token is unknown, was already used or has expired.",
    conflict:
      "Another account has this address, or single sign-on is required of this one and the address is outside the organization's domains.",
  },
});
