import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";

export const scheduledPlace = z.object({
  testCircleId: z.uuid(),
  locationIds: z.array(z.uuid()).describe("Its own, and those that its tests name."),
  apis: z
    .array(z.object({ apiId: z.uuid(), environment: z.string().nullable() }))
    .describe("APIs of its members, with the environment that it chooses for each."),
  followsEnvironments: z.boolean().describe("Whether its tests are sent from where these environments say."),
});
export type ScheduledPlace = z.infer<typeof scheduledPlace>;

export const listScheduledPlaces = endpoint({
  method: "get",
  path: "/internal/v1/scheduled-places",
  access: "internal",
  summary: "Where circles with a schedule that runs are sent from",
  status: 200,
  response: z.object({ items: z.array(scheduledPlace).describe("At most 5,000.") }),
});
