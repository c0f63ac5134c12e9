import { z } from "@hono/zod-openapi";
import { endpoint, moment, type Tag } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { organizationName } from "./registration.ts";

const tag: Tag = { name: "Organization", description: "The organization the caller works in." };

export const organization = z
  .object({
    id: z.uuid(),
    name: z.string(),
    kind: z.enum(["individual", "organization"]),
    serviceId: z.string().nullable().describe("The plan selected at registration; null if none was."),
    operates: z.boolean().describe("It operates the installation and is not a customer."),
    requiresSecondFactor: z.boolean().describe("Required of every member: without one, none of their roles apply."),
    createdAt: moment,
  })
  .openapi("Organization");

export const getOrganization = endpoint({
  method: "get",
  path: "/internal/v1/organizations/{organizationId}",
  access: "internal",
  summary: "One organization, for services that display its name",
  params: z.object({ organizationId: z.uuid() }),
  status: 200,
  response: organization,
});

export const findOrganizations = endpoint({
  method: "get",
  path: "/internal/v1/organizations",
  access: "internal",
  acrossOrganizations: "It names any organization",
  summary: "Names of organizations by id or by words, for lists that only operators see",
  query: z.object({
    ids: identifierList.optional(),
    words: z.string().max(200).optional().describe("Beginnings of words of the name, all of which must match"),
  }),
  status: 200,
  response: z.object({
    items: z.array(z.object({ id: z.uuid(), name: z.string() })),
    hasMore: z.boolean().describe("More than 200 match"),
  }),
});

export const changeOrganization = endpoint({
  method: "put",
  path: "/api/v1/current-organization",
  access: "users:manage",
  audit: "organization",
  tag,
  summary: "Changes the organization's name",
  description: "Also changes emails and invoices from now on.",
  body: z.object({ name: organizationName }),
  status: 200,
  response: organization,
});

export const requireSecondFactors = endpoint({
  method: "put",
  path: "/api/v1/current-organization/second-factor",
  access: "users:manage",
  audit: "organization",
  tag,
  summary: "Sets whether every member must have a second factor",
  description:
    "Takes effect immediately: members without one may only set it up, wherever they are signed in, and their API tokens are refused. Requires a signed-in user with a second factor, not an API token.",
  body: z.object({ required: z.boolean() }),
  status: 200,
  response: organization,
  problems: {
    conflict: "The caller has no second factor.",
    forbidden: "Requires the scope `users:manage` and a signed-in user: API tokens are refused.",
  },
});

export const deleteOrganization = endpoint({
  method: "delete",
  path: "/api/v1/current-organization",
  access: "users:manage",
  acrossOrganizations: "The operator's organization keeps the record of it",
  audit: "organization",
  tag,
  summary: "Deletes the organization with everything in it",
  description:
    "All members are signed out and their accounts deleted immediately. Subscriptions are cancelled; APIs, tests, schedules, results and everything else are deleted within minutes. This can't be undone.",
  body: z.object({
    name: z.string().max(200).describe("The organization's name, as confirmation"),
  }),
  status: 204,
  problems: {
    conflict: "The organization operates the installation.",
    forbidden: "Requires the scope `users:manage` and a signed-in user: API tokens are refused.",
  },
});
