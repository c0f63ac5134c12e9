import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { locationParams, locationsTag } from "./locations.ts";

export const maxAffectedCircles = 200;

export const affectedCircle = z.object({
  testCircleId: z.uuid(),
  name: z.string(),
  apiIds: z.array(z.uuid()).describe("APIs of its members."),
  continues: z
    .boolean()
    .describe("Whether its runs are sent from its remaining places. Otherwise they are refused until it is changed."),
  placesLeft: z.int().describe("Places that remain, the portal included; 0 if the location is its only one."),
  placesNeeded: z.int().describe("Places that its rule needs at least."),
});
export type AffectedCircle = z.infer<typeof affectedCircle>;

export const describeLocationDeletion = endpoint({
  method: "get",
  path: "/api/v1/locations/{locationId}/deletion",
  access: "tests:read",
  tag: locationsTag,
  summary: "What deleting a location would do to circles",
  description:
    "A circle that names it among several places continues from those that remain, if its rule can still be met. Tests and environments that name it are listed by `GET /tests` and `GET /apis`.",
  params: locationParams,
  status: 200,
  response: z.object({
    circles: z.array(affectedCircle).describe(`By name, at most ${maxAffectedCircles}.`),
    total: z.int().describe("Circles that name it."),
  }),
});
