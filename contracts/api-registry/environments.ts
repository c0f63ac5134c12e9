import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { completeListSchema, endpoint, type Tag } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { secretVariables } from "./secret-variables.ts";

const tag: Tag = { name: "Environments", description: "Where an API is reached, and with which variables." };

/** A URL that requests can be sent to. */
export const baseUrl = z
  .string()
  .trim()
  .max(4_000, "A base URL has at most 4,000 characters")
  .refine(URL.canParse, { error: "Enter a full URL, e.g. https://api.example.com/v1", abort: true })
  .refine((text) => /^https?:\/\//i.test(text), "A base URL starts with https:// or http://")
  .openapi({ example: "https://api.example.com/v1" });

export const environment = z
  .object({
    name: displayName(z.string().trim().min(1, "Give the environment a name").max(100)).openapi({
      example: "staging",
    }),
    baseUrl,
    variables: z.record(z.string(), z.string()).default({}),
    locationId: z
      .uuid()
      .nullable()
      .optional()
      .describe(
        "Where its tests are sent from, by an agent: unless the run or its circle says otherwise. Null or absent: by the portal. Omitted in a request, an environment of the same name keeps its location.",
      ),
    secretVariables: orNone(secretVariables).describe(
      "Omitted in a request: those of the environment of this name stay. Those without a value keep the stored one.",
    ),
  })
  .openapi("Environment");
export type Environment = z.infer<typeof environment>;

const environmentInput = environment.extend({
  formerName: orNone(z.string().max(100)).describe(
    "The environment's name so far, whose secret variables and location it keeps.",
  ),
});
export type EnvironmentInput = z.infer<typeof environmentInput>;

const params = z.object({ apiId: z.uuid() });

export const listEnvironments = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/environments",
  access: "apis:read",
  tag,
  summary: "Environments of the API",
  description: "Base URLs to choose from when tests run, with their variables.",
  params,
  status: 200,
  response: completeListSchema(environment),
});

export const replaceEnvironments = endpoint({
  method: "put",
  path: "/api/v1/apis/{apiId}/environments",
  access: "apis:write",
  audit: "environments",
  tag,
  summary: "Replaces the environments of the API",
  description: "The complete new list; names are unique.",
  params,
  body: z.object({ items: z.array(environmentInput).max(50) }),
  status: 200,
  response: completeListSchema(environment),
});
