import { z } from "@hono/zod-openapi";
import { listQuery, operation, pageOf, scopes } from "../../kit/contract/operation.ts";
import { emailAddress, fullName } from "./account.ts";
import { organizationRoles } from "./invitations.ts";

export const user = z
  .object({
    id: z.uuid(),
    username: z.string(),
    fullName: z.string(),
    email: z.string(),
    roles: z.array(z.string()),
    disabled: z.boolean(),
    createdAt: z.string(),
  })
  .openapi("User");
export type User = z.infer<typeof user>;

const params = z.object({ userId: z.uuid() });
const heldRoles = z.object({ roles: z.array(z.string()) });
type NamedRoles = (typeof organizationRoles)[number][];
/** Roles may also come as a bare array of their names. */
const rolesInput = z.preprocess(
  (body: NamedRoles | { roles: NamedRoles }) => (Array.isArray(body) ? { roles: body } : body),
  z.object({ roles: z.array(z.enum(organizationRoles)).min(1, "Name at least one role") }),
);

export const listUsers = operation({
  method: "get",
  path: "/api/v1/users",
  access: "users:manage",
  summary: "Users of the organization by username; `query` looks into username, name and e-mail",
  query: listQuery,
  status: 200,
  answer: pageOf(user),
});

export const getUser = operation({
  method: "get",
  path: "/api/v1/users/{userId}",
  access: "users:manage",
  summary: "One user of the organization",
  params,
  status: 200,
  answer: user,
});

/**
 * 409 for the last enabled administrator, the caller's own account, and an address another account has; 403 for an
 * operator's account, unless an operator asks. A disabled user's sessions end at once.
 */
export const changeUser = operation({
  method: "put",
  path: "/api/v1/users/{userId}",
  access: "users:manage",
  audit: "user",
  summary: "Changes a user's name and e-mail, disables or enables them",
  params,
  body: z.object({ fullName, email: emailAddress, disabled: z.boolean() }),
  status: 200,
  answer: user,
});

export const listUserRoles = operation({
  method: "get",
  path: "/api/v1/users/{userId}/roles",
  access: "users:manage",
  summary: "Roles a user holds",
  params,
  status: 200,
  answer: heldRoles,
});

export const addUserRoles = operation({
  method: "post",
  path: "/api/v1/users/{userId}/roles",
  access: "users:manage",
  audit: "roles",
  summary: "Gives a user roles; a bare array of their names will do, too",
  params,
  body: rolesInput,
  status: 200,
  answer: heldRoles,
});

/** 409 when nobody would administrate the organization any more, or the user would hold no role. */
export const removeUserRoles = operation({
  method: "delete",
  path: "/api/v1/users/{userId}/roles",
  access: "users:manage",
  audit: "roles",
  summary: "Takes roles from a user; a bare array of their names will do, too",
  params,
  body: rolesInput,
  status: 200,
  answer: heldRoles,
});

export const listRoles = operation({
  method: "get",
  path: "/api/v1/roles",
  access: "signed-in",
  summary: "Roles an organization may give, and what each may do",
  status: 200,
  answer: z.object({ items: z.array(z.object({ name: z.enum(organizationRoles), scopes: z.array(z.enum(scopes)) })) }),
});
