import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, identifier, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { entityTag, ifMatch } from "../kit/headers.ts";

export const locationsTag: Tag = {
  name: "Locations",
  description: "Networks that tests are sent from by agents, such as behind a firewall.",
};

export const location = z
  .object({
    id: identifier,
    name: z.string().openapi({ example: "Berlin office" }),
    description: z.string(),
    version: z.int().describe("Increases with each change; the response's `ETag`."),
    agents: z.object({
      active: z.int().describe("Seen within the last minute."),
      silent: z.int().describe("Registered, and not seen within the last minute."),
    }),
    waiting: z.int().describe("Executions that wait for an agent."),
    running: z.int().describe("Executions that agents hold."),
    lastSeenAt: moment.nullable().describe("When one of its agents last called; null before the first call."),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("Location");
export type Location = z.infer<typeof location>;

export const locationInput = z
  .object({
    name: displayName(z.string().trim().min(1, "Give the location a name").max(100)).openapi({
      example: "Berlin office",
    }),
    description: z.string().trim().max(1_000, "Use at most 1,000 characters").default(""),
  })
  .openapi("LocationInput");
export type LocationInput = z.infer<typeof locationInput>;

export const locationParams = z.object({ locationId: z.uuid() });

const nameTaken = "Another location has this name.";
const stale = "The location was changed since the version in `If-Match`.";

export const listLocations = endpoint({
  method: "get",
  path: "/api/v1/locations",
  access: "tests:read",
  tag: locationsTag,
  summary: "Locations of the organization",
  description: "By name, with what their agents do now.",
  query: listQuery,
  status: 200,
  response: pageSchema(location),
});

export const createLocation = endpoint({
  method: "post",
  path: "/api/v1/locations",
  access: "credentials:manage",
  audit: "location",
  tag: locationsTag,
  summary: "Creates a location",
  description: "Its tests wait until an agent is registered for it.",
  body: locationInput,
  status: 201,
  response: location,
  responseHeaders: [entityTag],
  locationPath: "/api/v1/locations/{id}",
  problems: { conflict: nameTaken },
});

export const getLocation = endpoint({
  method: "get",
  path: "/api/v1/locations/{locationId}",
  access: "tests:read",
  tag: locationsTag,
  summary: "One location",
  description: "With what its agents do now.",
  params: locationParams,
  status: 200,
  response: location,
  responseHeaders: [entityTag],
});

export const changeLocation = endpoint({
  method: "put",
  path: "/api/v1/locations/{locationId}",
  access: "credentials:manage",
  audit: "location",
  tag: locationsTag,
  summary: "Changes name and description of a location",
  description: "Its agents and the settings that name it stay.",
  params: locationParams,
  body: locationInput,
  headers: [ifMatch],
  status: 200,
  response: location,
  responseHeaders: [entityTag],
  problems: { conflict: nameTaken, stale_version: stale },
});

export const deleteLocation = endpoint({
  method: "delete",
  path: "/api/v1/locations/{locationId}",
  access: "credentials:manage",
  audit: "location",
  tag: locationsTag,
  summary: "Deletes a location with its agents",
  description:
    "Its agents are refused from then on, and what waits for them ends as skipped. A circle that names it among several places continues from the others if its rule can still be met. Other runs with a setting that names it are refused until the setting is changed: they never run elsewhere instead.",
  params: locationParams,
  status: 204,
});
