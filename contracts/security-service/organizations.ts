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
    serviceId: z.string().nullable().describe("The plan named at registration; null when none was."),
    operates: z.boolean().describe("It operates the installation, and is no customer of it."),
    requiresSecondFactor: z.boolean().describe("Of every member: without one, no role of theirs counts."),
    createdAt: moment,
  })
  .openapi("Organization");

export const getOrganization = endpoint({
  method: "get",
  path: "/internal/v1/organizations/{organizationId}",
  access: "internal",
  summary: "One organization, for the services that show its name",
  params: z.object({ organizationId: z.uuid() }),
  status: 200,
  answer: organization,
});

export const findOrganizations = endpoint({
  method: "get",
  path: "/internal/v1/organizations",
  access: "internal",
  acrossOrganizations: "It names any organization",
  summary:
    "Names of organizations, for lists that only the installation's operator sees: those of ids, or with these words",
  query: z.object({
    ids: identifierList.optional(),
    words: z.string().max(200).optional().describe("Beginnings of words of the name, each of which it has"),
  }),
  status: 200,
  answer: z.object({
    items: z.array(z.object({ id: z.uuid(), name: z.string() })),
    hasMore: z.boolean().describe("More than 200 have these words"),
  }),
});

export const changeOrganization = endpoint({
  method: "put",
  path: "/api/v1/current-organization",
  access: "users:manage",
  audit: "organization",
  tag,
  summary: "Changes the organization's name",
  description: "What it is called from now on, also in letters and on invoices.",
  body: z.object({ name: organizationName }),
  status: 200,
  answer: organization,
});

export const requireSecondFactors = endpoint({
  method: "put",
  path: "/api/v1/current-organization/second-factor",
  access: "users:manage",
  audit: "organization",
  tag,
  summary: "Says whether every member has to have a second factor",
  description:
    "From then on, members without one may only set it up, at once and wherever they are signed in; their API tokens do nothing. It takes somebody who is signed in and has a second factor, not an API token.",
  body: z.object({ required: z.boolean() }),
  status: 200,
  answer: organization,
  problems: {
    conflict: "The caller has no second factor.",
    forbidden: "The scope `users:manage` is needed, and somebody who is signed in: an API token can't do it.",
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
    "Everybody is signed out, and every account of it is gone at once. Subscriptions are cancelled; APIs, tests, schedules, results and all the rest follow within minutes. There is no way back.",
  body: z.object({
    name: z.string().max(200).describe("The organization's name, so that nobody deletes the wrong one"),
  }),
  status: 204,
  problems: {
    conflict: "The organization operates the installation.",
    forbidden: "The scope `users:manage` is needed, and somebody who is signed in: an API token can't do it.",
  },
});
