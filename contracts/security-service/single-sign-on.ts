import { z } from "@hono/zod-openapi";
import { endpoint, moment, type Tag } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { emailAddress } from "./account.ts";
import { organizationRoles } from "./invitations.ts";
import { signedIn } from "./sessions.ts";

const tag: Tag = {
  name: "Single sign-on",
  description: "An organization's own OpenID provider, used by its members to sign in.",
};

const loopbackNames = ["127.0.0.1", "localhost", "[::1]"];

/** The code and the secret are sent to it, so the connection must be encrypted, except on the loopback interface. */
const issuer = z
  .string({ error: "Enter the issuer" })
  .trim()
  .max(500, "Use at most 500 characters")
  .refine((text) => {
    const url = URL.parse(text);
    if (!url || url.search || url.hash || url.username || url.password) return false;
    return url.protocol === "https:" || (url.protocol === "http:" && loopbackNames.includes(url.hostname));
  }, "Enter a URL that starts with https://, e.g. https://login.example.com")
  .describe("As the provider spells it; `/.well-known/openid-configuration` is read below it")
  .openapi({ example: "https://login.example.com" });

export const roleRule = z.object({
  value: z.string().trim().min(1).max(200, "Use at most 200 characters").openapi({ example: "api-editors" }),
  role: z.enum(organizationRoles),
});

const settings = {
  issuer,
  clientId: z
    .string({ error: "Enter the client ID" })
    .trim()
    .min(1, "Enter the client ID")
    .max(500, "Use at most 500 characters")
    .openapi({ example: "api-assurance" }),
  domains: z
    .array(z.string().trim().toLowerCase().max(253))
    .min(1, "Choose at least one domain")
    .max(50, "Choose at most 50 domains")
    .describe("Verified domains of the organization: people with an email address there sign in with the provider")
    .openapi({ example: ["example.com"] }),
  rolesClaim: z
    .string()
    .trim()
    .max(200, "Use at most 200 characters")
    .describe(
      "The claim that determines roles, a string or a list of strings. Empty: roles are assigned in the portal.",
    )
    .openapi({ example: "groups" }),
  roles: z
    .array(roleRule)
    .max(100, "Use at most 100 values")
    .describe("The role assigned by each value; several values add up"),
  usualRole: z
    .enum(organizationRoles)
    .nullable()
    .describe("For people without a matching value; null: they can't sign in"),
  createsAccounts: z
    .boolean()
    .describe("Whether people without an account get one when they first sign in; otherwise they can't sign in"),
  isRequired: z
    .boolean()
    .describe(
      "Whether people with an address at one of the domains are refused to sign in by password, except administrators",
    ),
};

export const singleSignOn = z.object({ ...settings, updatedAt: moment }).openapi("SingleSignOn");
export type SingleSignOn = z.infer<typeof singleSignOn>;

export const singleSignOnInput = z
  .object({
    ...settings,
    clientSecret: orNone(z.string().min(1, "Enter the client secret").max(2_000, "Use at most 2,000 characters"))
      .describe("Never returned. Omitted, it is unchanged unless the issuer changes.")
      .openapi({ format: "password", example: "8aZ3kQ0pV5xT1cRw" }),
  })
  .openapi("SingleSignOnInput");
export type SingleSignOnInput = z.infer<typeof singleSignOnInput>;

const path = "/api/v1/current-organization/single-sign-on";
const inPerson = "Requires the scope `users:manage` and a signed-in user: API tokens are refused.";

export const getSingleSignOn = endpoint({
  method: "get",
  path,
  access: "users:manage",
  tag,
  summary: "The organization's OpenID provider",
  description: "The values to register with a provider are returned even if none is configured.",
  status: 200,
  response: z.object({
    singleSignOn: singleSignOn.nullable().describe("Null without a provider"),
    redirectUri: z
      .string()
      .describe("To register with the provider")
      .openapi({ example: "https://portal.example.com/login/single-sign-on/return" }),
    verifiedDomains: z
      .array(z.string())
      .describe("Available values")
      .openapi({ example: ["example.com"] }),
    membersWithoutPassword: z.int().describe("They need a password, set by email, once the provider is deleted"),
  }),
});

export const setSingleSignOn = endpoint({
  method: "put",
  path,
  access: "users:manage",
  audit: "singleSignOn",
  tag,
  summary: "Sets the organization's OpenID provider",
  description:
    "The provider's metadata is read before anything is stored; errors in it are reported at `issuer`. Operators of the installation always sign in by password.",
  body: singleSignOnInput,
  status: 200,
  response: singleSignOn,
  timeoutSeconds: 30,
  problems: { forbidden: inPerson },
});

export const deleteSingleSignOn = endpoint({
  method: "delete",
  path,
  access: "users:manage",
  audit: "singleSignOn",
  tag,
  summary: "Deletes the organization's OpenID provider",
  description: "From then on all members sign in by password. Those without one choose one by email.",
  status: 204,
  problems: { forbidden: inPerson, not_found: "There is none." },
});

/** State of a sign-in, bound to the browser in which it began. */
const startedSignOn = z.object({
  organizationId: z.uuid(),
  state: z.string().max(200),
  nonce: z.string().max(200),
  codeVerifier: z.string().max(200),
});
export type StartedSignOn = z.infer<typeof startedSignOn>;
const returned = startedSignOn.extend({
  returned: z.string().max(8_000).describe("Query parameters that the provider returned"),
});

export const startSingleSignOn = endpoint({
  method: "post",
  path: "/internal/v1/single-sign-on/start",
  access: "internal",
  acrossOrganizations: "It is not known yet who signs in",
  audit: { nothingBecause: "The sign-in is not complete yet" },
  summary: "Provider URL for signing in with this address, or for an organization to test its provider",
  body: z.union([
    z.object({ email: emailAddress }),
    z.object({
      organizationId: z.uuid(),
      asksAgain: z
        .boolean()
        .optional()
        .describe("Requires a fresh sign-in even with an active session at the provider"),
    }),
  ]),
  status: 200,
  response: startedSignOn.extend({ url: z.string(), organizationName: z.string() }),
  timeoutSeconds: 30,
});

export const finishSingleSignOn = endpoint({
  method: "post",
  path: "/internal/v1/single-sign-on/finish",
  access: "internal",
  acrossOrganizations: "It is not known yet who signs in",
  audit: "user",
  summary: "Signs in a user who returns from the provider",
  body: returned,
  status: 200,
  response: signedIn,
  timeoutSeconds: 30,
});

export const confirmSingleSignOn = endpoint({
  method: "post",
  path: "/internal/v1/single-sign-on/confirm",
  access: "internal",
  acrossOrganizations: "The response identifies the user",
  audit: { nothingBecause: "The confirmed action is recorded" },
  summary: "Confirms that the signed-in user has signed in at the provider again",
  body: returned.extend({ userId: z.uuid(), sessionId: z.uuid() }),
  status: 204,
  timeoutSeconds: 30,
});

export const signOnTrial = z.object({
  email: z.string(),
  claims: z.array(z.string()).describe("Names of the claims received, without their values"),
  roleValues: z.array(z.string()),
  roles: z.array(z.string()).describe("Roles granted by the claims"),
  usedSecondFactor: z.boolean(),
  fault: z.string().nullable().describe("Why this person would not be signed in"),
});

export const trySingleSignOn = endpoint({
  method: "post",
  path: "/internal/v1/single-sign-on/try",
  access: "internal",
  acrossOrganizations: "The response identifies the user",
  audit: { nothingBecause: "It only asks" },
  summary: "Result of a test sign-in at the provider; no session is created",
  body: returned,
  status: 200,
  response: signOnTrial,
  timeoutSeconds: 30,
});
