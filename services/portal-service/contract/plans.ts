import { z } from "@hono/zod-openapi";
import { operation, pageOf } from "../../kit/contract/operation.ts";

/** What an organization subscribes to. */
export const service = z.object({ id: z.string(), name: z.string(), description: z.string() }).openapi("Service");
export type Service = z.infer<typeof service>;

/** null means without limit. */
export const planLimits = z.object({
  apis: z.number().int().nullable(),
  tests: z.number().int().nullable(),
  executionsPerMonth: z.number().int().nullable(),
  shortestIntervalSeconds: z.number().int(),
  members: z.number().int().nullable(),
  retentionDays: z.number().int(),
});

export const servicePricing = z
  .object({
    serviceId: z.string(),
    name: z.string(),
    description: z.string(),
    price: z.object({
      /** Decimal, as in `49.00`; `0.00` for a plan without payment. */
      amount: z.string(),
      /** ISO 4217. */
      currency: z.string(),
      interval: z.enum(["month"]),
    }),
    limits: planLimits,
  })
  .openapi("ServicePricing");
export type ServicePricing = z.infer<typeof servicePricing>;

export const listServices = operation({
  method: "get",
  path: "/api/v1/portal-services",
  access: "public",
  summary: "Services one can subscribe to",
  status: 200,
  answer: pageOf(service),
});

export const listPricing = operation({
  method: "get",
  path: "/api/v1/services-pricing",
  access: "public",
  summary: "Price and limits of every service, the cheapest first",
  status: 200,
  answer: pageOf(servicePricing),
});
