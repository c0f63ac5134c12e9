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
      .describe("Null where nothing was chosen, or it is no more: requests go to the API's own base URL."),
  })
  .openapi("ChosenEnvironment");

export const getChosenEnvironment = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/chosen-environment",
  access: "apis:read",
  tag,
  summary: "The environment that the caller works with",
  description: "Runs and requests started from pages use it; calls of the API name theirs.",
  params,
  status: 200,
  answer: chosenEnvironment,
});

export const chooseEnvironment = endpoint({
  method: "put",
  path: "/api/v1/apis/{apiId}/chosen-environment",
  access: "apis:read",
  audit: { nothingBecause: "Its chooser's own mark" },
  tag,
  summary: "Chooses the environment that the caller works with",
  description: "Of this API, and of nobody else. Null goes back to the API's own base URL.",
  params,
  body: z.object({ environment: z.string().max(100).nullable().describe("Its name.") }),
  status: 200,
  answer: chosenEnvironment,
});
