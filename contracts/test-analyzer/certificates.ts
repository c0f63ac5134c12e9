import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";

const tag: Tag = {
  name: "Certificates",
  description:
    "Expiry of the certificates of tested hosts. The rule of the API, else the organization's, notifies 30, 14 and 3 days before, once each; not for a renewed certificate.",
};

export const certificate = z
  .object({
    id: identifier,
    host: z.string().describe("With its port unless that is 443.").openapi({ example: "api.example.com" }),
    validTo: moment,
    daysLeft: z.number().int().describe("Whole days until `validTo`; below 0 it has expired."),
    subject: z.string().openapi({ example: "CN=api.example.com" }),
    issuer: z.string().openapi({ example: "C=US, O=Let's Encrypt, CN=R11" }),
    apiId: z.uuid().describe("API whose test last received it."),
    seenAt: moment.describe("When a test last received it, to the day."),
    warnedDays: z
      .union([z.literal(30), z.literal(14), z.literal(3)])
      .nullable()
      .describe("Days before its expiry at the last warning; null before the first one."),
  })
  .openapi("Certificate");
export type Certificate = z.infer<typeof certificate>;

export const listCertificates = endpoint({
  method: "get",
  path: "/api/v1/certificates",
  access: "tests:read",
  tag,
  summary: "Certificates of tested hosts, the first to expire first",
  description: "The latest certificate of each host. Hosts that no test reached for 31 days are omitted.",
  query: listQuery.omit({ query: true }).extend({
    host: z.string().max(300).optional().describe("Only that of this host"),
    apiId: z.uuid().optional().describe("Only those last received by a test of this API"),
  }),
  status: 200,
  response: pageSchema(certificate),
});
