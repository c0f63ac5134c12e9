import { z } from "@hono/zod-openapi";
import { endpoint, pageSchema, type Tag } from "../kit/endpoint.ts";
import { planLimits, planStatus } from "../kit/plan.ts";

const tag: Tag = { name: "Plans", description: "What an organization subscribes to." };

const serviceId = z.string().openapi({ example: "team" });
const planName = z.string().openapi({ example: "Team" });
const planDescription = z.string().openapi({ example: "For a team that releases every week." });

/** Plans an organization can subscribe to. */
export const service = z.object({ id: serviceId, name: planName, description: planDescription }).openapi("Service");
export type Service = z.infer<typeof service>;

export const servicePricing = z
  .object({
    serviceId,
    name: planName,
    description: planDescription,
    price: z.object({
      amount: z.string().describe("Decimal, e.g. `49.00`; `0.00` for a plan without payment."),
      currency: z.string().describe("ISO 4217."),
      interval: z.enum(["month"]),
    }),
    trialDays: z
      .number()
      .int()
      .describe("Free days before the first payment, for organizations that have never subscribed; 0 for none."),
    limits: planLimits,
  })
  .openapi("ServicePricing");
export type ServicePricing = z.infer<typeof servicePricing>;

export const listServices = endpoint({
  method: "get",
  path: "/api/v1/portal-services",
  access: "public",
  tag,
  summary: "Services that can be subscribed to",
  description: "One per plan.",
  status: 200,
  response: pageSchema(service),
});

export const listPricing = endpoint({
  method: "get",
  path: "/api/v1/services-pricing",
  access: "public",
  tag,
  summary: "Price and limits of every service, cheapest first",
  description: "Null in `limits` means unlimited.",
  status: 200,
  response: pageSchema(servicePricing),
});

export const getPlan = endpoint({
  method: "get",
  path: "/internal/v1/plan",
  access: "internal",
  summary: "Limits of the caller's organization; later ones are sent as `plan.changed`",
  status: 200,
  response: planStatus,
});
