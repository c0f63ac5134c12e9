import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageOf, type Tag } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { credentialInput } from "./credentials.ts";

const tag: Tag = {
  name: "Domains",
  description: "Hosts that an organization tests, and the proof that they are its own.",
};

/** In a DNS TXT record, or in a file at a well-known path. */
export const proofMethods = ["dnsTxt", "wellKnown"] as const;

const method = z
  .enum(proofMethods)
  .describe(
    "Where the proof is looked for: in a DNS TXT record or in a file at a well-known path. A wildcard takes `dnsTxt`, an address `wellKnown`.",
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
      .describe("Host name, with `*.` in front for all its subdomains, with a port when only that port is meant")
      .openapi({ example: "api.example.com" }),
    description: z.string().openapi({ example: "Production of the shop" }),
    verification: z.object({
      state: z.enum(verificationStates),
      method,
      token: z.string().describe("Made for this domain of this organization; it is no secret"),
      checkedAt: moment.nullable().describe("Null before the first check"),
      provenAt: moment.nullable().describe("When the proof was found last; null when it never was"),
      missedChecks: z
        .int()
        .describe("Daily checks in a row that found the proof of a verified domain missing; the third unverifies it"),
      failure: z.string().nullable().describe("Why the last check did not find the proof"),
      record: z
        .object({ name: z.string(), value: z.string() })
        .nullable()
        .describe("The DNS TXT record that is looked for; null where there can be none"),
      file: z
        .object({ url: z.string(), content: z.string() })
        .nullable()
        .describe("The file that is looked for, by https and then by http; null where there can be none"),
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

const params = z.object({ domain: z.uuid().describe("The domain's id") });

export const listDomains = endpoint({
  method: "get",
  path: "/api/v1/domains",
  access: "signed-in",
  tag,
  summary: "Domains of the organization, by name",
  description:
    "A domain is there from the first credential that names it. `query` is beginnings of words of name and description; all of them have to be there.",
  query: listQuery.extend({
    state: z.enum(verificationStates).optional().describe("Keeps those that are verified, or those that are not"),
  }),
  status: 200,
  answer: pageOf(domain),
});

export const createDomain = endpoint({
  method: "post",
  path: "/api/v1/domains",
  access: "domains:manage",
  audit: "domain",
  tag,
  summary: "Creates a domain",
  description: "It is unverified until a check finds its proof. Other organizations may have one of the same name.",
  body: domainInput,
  status: 201,
  answer: domain,
  makes: "/api/v1/domains/{name}",
  problems: { conflict: "There is a domain of this name." },
});

export const getDomain = endpoint({
  method: "get",
  path: "/api/v1/domains/{domain}",
  access: "signed-in",
  tag,
  summary: "One domain, by its name",
  description: "With what has to stand where for the proof that it is the organization's own.",
  params: z.object({
    domain: z.string().max(300).describe("The domain's name").openapi({ example: "api.example.com" }),
  }),
  status: 200,
  answer: domain,
});

export const changeDomain = endpoint({
  method: "put",
  path: "/api/v1/domains/{domain}",
  access: "domains:manage",
  audit: "domain",
  tag,
  summary: "Changes a domain",
  description: "It keeps its name, its token and whether it is verified; the next check looks where `method` says.",
  params,
  body: domainInput,
  status: 200,
  answer: domain,
});

export const deleteDomain = endpoint({
  method: "delete",
  path: "/api/v1/domains/{domain}",
  access: "domains:manage",
  audit: "domain",
  tag,
  summary: "Deletes a domain",
  description: "A domain made again has another token, so that its proof has to be given anew.",
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
  summary: "Looks for a domain's proof now",
  description:
    "Verified when it is found. A verified domain stays so when it is not: only daily checks count, see `missedChecks`.",
  params,
  mayTakeSeconds: 40,
  status: 200,
  answer: domain,
});
