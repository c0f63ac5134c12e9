import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { credentialInput } from "./credentials.ts";

const tag: Tag = {
  name: "Domains",
  description: "Hosts that an organization tests, and the proof of ownership.",
};

/** A DNS TXT record, or a file at a well-known path. */
export const proofMethods = ["dnsTxt", "wellKnown"] as const;

const method = z
  .enum(proofMethods)
  .describe(
    "Where the proof is looked up: in a DNS TXT record or in a file at a well-known path. A wildcard requires `dnsTxt`, an IP address `wellKnown`.",
  );

export const unsafeMethodRules = ["allowed", "confirmed", "refused"] as const;

const unsafeMethods = z
  .enum(unsafeMethodRules)
  .describe(
    "Requests whose method may change something (POST, PUT, PATCH, DELETE, …): sent; sent only in runs that a person starts (`manual`, `rerun`), not by schedules, pipelines or other programs; or never sent.",
  );

export const verificationStates = ["unverified", "verified"] as const;

export const domain = z
  .object({
    id: identifier,
    name: z
      .string()
      .describe("Host name, with the prefix `*.` for all its subdomains, with a port to restrict it to that port")
      .openapi({ example: "api.example.com" }),
    description: z.string().openapi({ example: "Production of the shop" }),
    verification: z.object({
      state: z.enum(verificationStates),
      method,
      token: z.string().describe("Generated for this domain of this organization; not secret"),
      checkedAt: moment.nullable().describe("Null before the first check"),
      provenAt: moment.nullable().describe("When the proof was last found; null if never"),
      missedChecks: z
        .int()
        .describe(
          "Consecutive daily checks that did not find the verification record of a verified domain; after the third it becomes unverified",
        ),
      failure: z.string().nullable().describe("Why the last check did not find the proof"),
      record: z
        .object({ name: z.string(), value: z.string() })
        .nullable()
        .describe("The expected DNS TXT record; null where there can be none"),
      file: z
        .object({ url: z.string(), content: z.string() })
        .nullable()
        .describe("The expected file, requested over HTTPS and then over HTTP; null where there can be none"),
    }),
    unsafeMethods,
    credentialCount: z.int().describe("Credentials bound to exactly this domain"),
    authorizationConfigCount: z.int().describe("Authorization configs of exactly this domain"),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("Domain");
export type Domain = z.infer<typeof domain>;

export const domainInput = z
  .object({
    name: credentialInput.shape.domain,
    description: orNone(z.string().trim().max(500)).openapi({ example: "Production of the shop" }),
    method: orNone(method),
    unsafeMethods: orNone(unsafeMethods),
  })
  .openapi("DomainInput");
export type DomainInput = z.infer<typeof domainInput>;

const params = z.object({ domain: z.uuid().describe("Id of the domain") });

export const listDomains = endpoint({
  method: "get",
  path: "/api/v1/domains",
  access: "signed-in",
  tag,
  summary: "Domains of the organization, by name",
  description:
    "A domain is created with its first credential. `query` matches the start of words in name and description; all must match.",
  query: listQuery.extend({
    state: z.enum(verificationStates).optional().describe("Only verified or only unverified domains"),
  }),
  status: 200,
  response: pageSchema(domain),
});

export const createDomain = endpoint({
  method: "post",
  path: "/api/v1/domains",
  access: "domains:manage",
  audit: "domain",
  tag,
  summary: "Creates a domain",
  description: "Unverified until a check finds its proof. Other organizations may have a domain of the same name.",
  body: domainInput,
  status: 201,
  response: domain,
  locationPath: "/api/v1/domains/{name}",
  problems: { conflict: "There is a domain of this name." },
});

export const getDomain = endpoint({
  method: "get",
  path: "/api/v1/domains/{domain}",
  access: "signed-in",
  tag,
  summary: "One domain, by its name or id",
  description: "With the proof of ownership to publish and where to publish it.",
  params: z.object({
    domain: z.string().max(300).describe("Name or id of the domain").openapi({ example: "api.example.com" }),
  }),
  status: 200,
  response: domain,
});

export const changeDomain = endpoint({
  method: "put",
  path: "/api/v1/domains/{domain}",
  access: "domains:manage",
  audit: "domain",
  tag,
  summary: "Changes a domain",
  description: "Its name, its token and its verification are unchanged; the next check uses `method`.",
  params,
  body: domainInput,
  status: 200,
  response: domain,
});

export const deleteDomain = endpoint({
  method: "delete",
  path: "/api/v1/domains/{domain}",
  access: "domains:manage",
  audit: "domain",
  tag,
  summary: "Deletes a domain",
  description: "A domain created again has another token, so its proof must be published again.",
  params,
  status: 204,
  problems: { conflict: "Credentials are bound to it." },
});

export const checkDomain = endpoint({
  method: "post",
  path: "/api/v1/domains/{domain}/check",
  access: "domains:manage",
  audit: "domain",
  tag,
  summary: "Checks a domain's proof now",
  description:
    "Verified when it is found. A verified domain stays verified when it is not: only daily checks count, see `missedChecks`.",
  params,
  timeoutSeconds: 40,
  status: 200,
  response: domain,
});
