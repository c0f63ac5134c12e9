import { z } from "@hono/zod-openapi";
import { endpoint, moment, type Tag } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { timeZone } from "../kit/time-zone.ts";
import { emailAddress, fullName, mailedToken, newPassword, shownEmail } from "./account.ts";

const tag: Tag = { name: "Own account", description: "What people change of their own account." };

/** Asked again where a browser left open would give the account away. */
export const currentPassword = z
  .string({ error: "Enter your password" })
  .min(1, "Enter your password")
  .max(1_000, "This is not your password")
  .describe("The password that still holds")
  .openapi({ format: "password", example: "correct horse battery staple" });

/** For changes that an account without a password may make as well. */
export const ownersPassword = z.object({
  currentPassword: orNone(currentPassword).describe(
    "Left out by an account without a password, whose owner signed in at their organization's provider within the last ten minutes",
  ),
});
export const confirmFirst =
  "The account has no password, and its owner did not sign in at their organization's provider within the last ten minutes.";

export const ownAccount = z
  .object({
    id: z.uuid(),
    username: z.string().openapi({ example: "ada" }),
    fullName: z.string().openapi({ example: "Ada Lovelace" }),
    email: z.string().describe("Empty where none is known").openapi({ example: "ada@example.com" }),
    timeZone: timeZone.nullable().describe("Used on pages and in letters. Null: as the browser says"),
    hasPassword: z.boolean().describe("False: its owner signs in with their organization's OpenID provider"),
    takesPassword: z
      .boolean()
      .describe("False: the organization requires single sign-on of its owner, who can choose no password"),
    confirmedUntil: moment
      .nullable()
      .describe(
        "Without a password: until when the sign-in at the provider stands in for it. Null: it has to be repeated first",
      ),
    newEmail: z
      .object({ email: shownEmail, expiresAt: moment.describe("Until when it can be confirmed") })
      .nullable()
      .describe("The address that is yet to be confirmed"),
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
  description: "With the e-mail address that is yet to be confirmed, if there is one.",
  status: 200,
  answer: ownAccount,
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
    "What is left out stays as it is. Access tokens carry both from the next refresh on, the time zone as `zoneinfo`.",
  body: z.object({ fullName, timeZone: timeZone.nullable().describe("Null: as the browser says") }).partial(),
  status: 200,
  answer: ownAccount,
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
    "A wrong password is told at `currentPassword`, an easily guessed new one at `password`. A letter tells the owner.",
  body: z.object({ currentPassword, password: newPassword }),
  status: 204,
  problems: { ...ofPeople, too_many_requests: "Too many tries with a wrong password." },
});

export const changeOwnEmail = endpoint({
  method: "put",
  path: "/api/v1/profile/email",
  access: "own-account",
  audit: "email",
  tag,
  summary: "Mails a link to a new address; the account has it once the link is confirmed",
  description:
    "The answer is the same whether or not another account has the address. A wrong password is told at `currentPassword`, and at `email` an address outside the organization's domains where single sign-on is required of the caller.",
  body: ownersPassword.extend({ email: emailAddress }),
  status: 202,
  answer: ownAccount,
  problems: {
    ...ofPeople,
    forbidden: confirmFirst,
    too_many_requests: "Too many tries with a wrong password, or too many addresses were asked for today.",
  },
});

export const cancelOwnEmail = endpoint({
  method: "delete",
  path: "/api/v1/profile/email",
  access: "own-account",
  audit: "email",
  tag,
  summary: "Gives up the address that is yet to be confirmed",
  description: "The mailed link no longer works. Without one there is nothing to give up.",
  status: 204,
  problems: ofPeople,
});

export const confirmEmail = endpoint({
  method: "post",
  path: "/auth/email/confirm",
  access: "public",
  audit: "email",
  tag,
  summary: "Gives an account the address that its mailed link was sent to",
  description: "The address it had before is told.",
  body: z.object({ token: mailedToken }),
  status: 204,
  problems: {
    not_found: "The link's token is unknown, was used already or has ended.",
    conflict:
      "Another account has this address, or single sign-on is required of this one and the address is outside the organization's domains.",
  },
});
