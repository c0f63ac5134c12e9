import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageOf, type Tag } from "../kit/endpoint.ts";

const tag: Tag = {
  name: "Certificates",
  description:
    "When the certificates of tested hosts end. The rule of the API, else the organization's, is told 30, 14 and 3 days before, once each; of a renewed one nothing.",
};

export const certificate = z
  .object({
    id: identifier,
    host: z.string().describe("With its port where that is not 443.").openapi({ example: "api.example.com" }),
    validTo: moment,
    daysLeft: z.number().int().describe("Whole days until `validTo`; below 0 it has ended."),
    subject: z.string().openapi({ example: "CN=api.example.com" }),
    issuer: z.string().openapi({ example: "C=US, O=Let's Encrypt, CN=R11" }),
    apiId: z.uuid().describe("API whose test met it last."),
    seenAt: moment.describe("When a test met it, to the day."),
    warnedDays: z
      .union([z.literal(30), z.literal(14), z.literal(3)])
      .nullable()
      .describe("How many days before its end it was warned of last; null before the first time."),
  })
  .openapi("Certificate");
export type Certificate = z.infer<typeof certificate>;

export const listCertificates = endpoint({
  method: "get",
  path: "/api/v1/certificates",
  access: "tests:read",
  tag,
  summary: "Certificates of tested hosts, the first to end first",
  description: "One for each host: what it showed last. Hosts that no test reached for 31 days are left out.",
  query: listQuery.omit({ query: true }).extend({
    host: z.string().max(300).optional().describe("Keeps that of this host"),
    apiId: z.uuid().optional().describe("Keeps those that a test of this API met last"),
  }),
  status: 200,
  answer: pageOf(certificate),
});
