import { z } from "@hono/zod-openapi";
import { endpoint, moment } from "../../kit/contract/endpoint.ts";

export const organization = z
  .object({
    id: z.uuid(),
    name: z.string(),
    kind: z.enum(["individual", "organization"]),
    serviceId: z.string().nullable().describe("The plan named at registration; null when none was."),
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
