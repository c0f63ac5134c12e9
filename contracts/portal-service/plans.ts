import { z } from "@hono/zod-openapi";
import { endpoint, pageOf, type Tag } from "../kit/endpoint.ts";
import { planLimits, planStanding } from "../kit/plan.ts";

const tag: Tag = { name: "Plans", description: "What an organization subscribes to." };

const serviceId = z.string().openapi({ example: "team" });
const planName = z.string().openapi({ example: "Team" });
const planDescription = z.string().openapi({ example: "For a team that releases every week." });

/** What an organization subscribes to. */
export const service = z.object({ id: serviceId, name: planName, description: planDescription }).openapi("Service");
export type Service = z.infer<typeof service>;

export const servicePricing = z
  .object({
    serviceId,
    name: planName,
    description: planDescription,
    price: z.object({
      amount: z.string().describe("Decimal, as in `49.00`; `0.00` for a plan without payment."),
      currency: z.string().describe("ISO 4217."),
      interval: z.enum(["month"]),
    }),
    trialDays: z
      .number()
      .int()
      .describe("Free days before the first payment, for organizations that never subscribed; 0 for none."),
    limits: planLimits,
  })
  .openapi("ServicePricing");
export type ServicePricing = z.infer<typeof servicePricing>;

export const listServices = endpoint({
  method: "get",
  path: "/api/v1/portal-services",
  access: "public",
  tag,
  summary: "Services one can subscribe to",
  description: "One for each plan.",
  status: 200,
  answer: pageOf(service),
});

export const listPricing = endpoint({
  method: "get",
  path: "/api/v1/services-pricing",
  access: "public",
  tag,
  summary: "Price and limits of every service, the cheapest first",
  description: "What a plan costs and allows; null in `limits` means without limit.",
  status: 200,
  answer: pageOf(servicePricing),
});

export const getPlan = endpoint({
  method: "get",
  path: "/internal/v1/plan",
  access: "internal",
  summary: "What the plan of the caller's organization allows; as later ones are told, see `plan.changed`",
  status: 200,
  answer: planStanding,
});
