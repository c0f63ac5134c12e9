import { z } from "@hono/zod-openapi";
import { completeListSchema, endpoint, listQuery, moment, pageSchema, scopes, type Tag } from "../kit/endpoint.ts";
import { timeZone } from "../kit/time-zone.ts";
import { emailAddress, fullName } from "./account.ts";
import { organizationRoles } from "./invitations.ts";
import { session } from "./sessions.ts";

const tag: Tag = { name: "Users", description: "Members of the organization and their roles." };

export const user = z
  .object({
    id: z.uuid(),
    username: z.string().openapi({ example: "ada" }),
    fullName: z.string().openapi({ example: "Ada Lovelace" }),
    email: z.string().describe("Empty if unknown").openapi({ example: "ada@example.com" }),
    timeZone: timeZone.nullable().describe("Used for times in emails. Null: none was selected, and UTC is used"),
    roles: z.array(z.string()).openapi({ example: ["EDITOR"] }),
    disabled: z.boolean().describe("Can't sign in").openapi({ example: false }),
    secondFactor: z.boolean().describe("Signing in asks for a code after the password").openapi({ example: true }),
    createdAt: moment,
  })
  .openapi("User");
export type User = z.infer<typeof user>;

/** An organization's roles and the operator's. */
export const userRoles = ["SYSTEM_ADMIN", ...organizationRoles] as const;

const params = z.object({ userId: z.uuid() });
const assignedRoles = z.object({ roles: z.array(z.string()).openapi({ example: ["EDITOR"] }) });
type NamedRoles = (typeof organizationRoles)[number][];
/** A bare array of role names is also accepted. */
const rolesInput = z.preprocess(
  (body: NamedRoles | { roles: NamedRoles }) => (Array.isArray(body) ? { roles: body } : body),
  z.object({ roles: z.array(z.enum(organizationRoles)).min(1, "Name at least one role") }),
);

export const listUsers = endpoint({
  method: "get",
  path: "/api/v1/users",
  access: "users:manage",
  tag,
  summary: "Users of the organization, by username",
  description: "`query` is beginnings of words of username, name and email address, all of which must match.",
  query: listQuery.extend({
    role: z.enum(userRoles).optional().describe("Only users with this role"),
    state: z.enum(["enabled", "disabled"]).optional().describe("Only users who can, or who can't, sign in"),
  }),
  status: 200,
  response: pageSchema(user),
});

export const getUser = endpoint({
  method: "get",
  path: "/api/v1/users/{userId}",
  access: "users:manage",
  tag,
  summary: "One user of the organization",
  description: "Profile and roles of the user.",
  params,
  status: 200,
  response: user,
});

export const changeUser = endpoint({
  method: "put",
  path: "/api/v1/users/{userId}",
  access: "users:manage",
  audit: "user",
  tag,
  summary: "Changes a user's name and email, disables or enables them",
  description:
    "Omitted fields are unchanged. A disabled user's sessions end immediately. A new email address is announced to both the old and the new mailbox; changing it requires a signed-in user, not an API token, and callers change their own in the profile.",
  params,
  body: z.object({ fullName, email: emailAddress, disabled: z.boolean() }).partial(),
  status: 200,
  response: user,
  problems: {
    plan_limit_reached: "The plan allows no more members; disabled members are not counted.",
    conflict: "It is the last enabled administrator or the caller's own account, or another account has the address.",
    forbidden:
      "Requires the scope `users:manage`, and a signed-in user for an email address; an operator's account can only be changed by operators.",
    too_many_requests: "Too many addresses were changed today.",
  },
});

export const listUserSessions = endpoint({
  method: "get",
  path: "/api/v1/users/{userId}/sessions",
  access: "users:manage",
  tag,
  summary: "Where a user is signed in, newest first",
  description: "One per sign-in that has not ended. `current` marks the session of this request.",
  params,
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(session),
});

export const endUserSessions = endpoint({
  method: "delete",
  path: "/api/v1/users/{userId}/sessions",
  access: "users:manage",
  audit: "user",
  tag,
  summary: "Signs a user out everywhere",
  description: "Their sessions end immediately; they may sign in again.",
  params,
  status: 204,
  problems: {
    forbidden: "Requires the scope `users:manage`; an operator can only be signed out by operators.",
  },
});

export const resetSecondFactor = endpoint({
  method: "delete",
  path: "/api/v1/users/{userId}/second-factor",
  access: "users:manage",
  audit: "second-factor",
  tag,
  summary: "Removes a user's second factor, for users who have lost it",
  description:
    "Also deletes its recovery codes. The user's sessions end immediately and they are notified by email; until they set up a new one, they sign in with the password only.",
  params,
  status: 204,
  problems: {
    forbidden:
      "Requires the scope `users:manage` and a signed-in user: API tokens are refused. An operator's can only be removed by operators.",
    conflict: "The user has no second factor, or it is the caller's own, which is disabled in the profile.",
  },
});

export const listUserRoles = endpoint({
  method: "get",
  path: "/api/v1/users/{userId}/roles",
  access: "users:manage",
  tag,
  summary: "Roles of a user",
  description: "By name; `/api/v1/roles` lists what each allows.",
  params,
  status: 200,
  response: assignedRoles,
});

export const addUserRoles = endpoint({
  method: "post",
  path: "/api/v1/users/{userId}/roles",
  access: "users:manage",
  audit: "roles",
  tag,
  summary: "Assigns roles to a user",
  description: "A bare array of role names is also accepted. Existing roles remain.",
  params,
  body: rolesInput,
  status: 200,
  response: assignedRoles,
  problems: {
    forbidden: "Requires the scope `users:manage`; an operator's account can only be changed by operators.",
    conflict: "This change of the user's roles is not allowed.",
  },
});

export const removeUserRoles = endpoint({
  method: "delete",
  path: "/api/v1/users/{userId}/roles",
  access: "users:manage",
  audit: "roles",
  tag,
  summary: "Removes roles from a user",
  description: "A bare array of role names is also accepted. Access granted by the removed roles ends within seconds.",
  params,
  body: rolesInput,
  status: 200,
  response: assignedRoles,
  problems: {
    forbidden: "Requires the scope `users:manage`; an operator's account can only be changed by operators.",
    conflict: "The organization would have no administrator, or the user no role.",
  },
});

export const listRoles = endpoint({
  method: "get",
  path: "/api/v1/roles",
  access: "signed-in",
  tag,
  summary: "Roles an organization may assign, and what each allows",
  description: "The operator's role is excluded.",
  status: 200,
  response: completeListSchema(z.object({ name: z.enum(organizationRoles), scopes: z.array(z.enum(scopes)) })),
});
