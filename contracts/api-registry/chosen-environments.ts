import { z } from "@hono/zod-openapi";
import { endpoint, type Tag } from "../kit/endpoint.ts";
import { environment } from "./environments.ts";

const tag: Tag = { name: "Environments", description: "Where an API is reached, and with which variables." };

const params = z.object({ apiId: z.uuid() });

const chosenEnvironment = z
  .object({
    environment: environment
      .pick({ name: true, baseUrl: true })
      .nullable()
      .describe("Null when none is chosen or the chosen one was deleted: requests go to the API's own base URL."),
  })
  .openapi("ChosenEnvironment");

export const getChosenEnvironment = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/chosen-environment",
  access: "apis:read",
  tag,
  summary: "The environment the caller works with",
  description: "Used by runs and requests started from pages; API calls name their own.",
  params,
  status: 200,
  response: chosenEnvironment,
});

export const chooseEnvironment = endpoint({
  method: "put",
  path: "/api/v1/apis/{apiId}/chosen-environment",
  access: "apis:read",
  audit: { nothingBecause: "Personal setting of the caller" },
  tag,
  summary: "Chooses the environment the caller works with",
  description: "Applies to this API and this caller only. Null returns to the API's own base URL.",
  params,
  body: z.object({
    environment: z.string().max(100).nullable().describe("Name of the environment.").openapi({ example: "staging" }),
  }),
  status: 200,
  response: chosenEnvironment,
});
