import { z } from "@hono/zod-openapi";
import { endpoint, type Tag } from "../kit/endpoint.ts";

const tag: Tag = {
  name: "Variables",
  description: "Values that tests of an API reference as `{{name}}`, in any environment.",
};

export const variableName = z
  .string()
  .regex(/^[A-Za-z_][\w-]{0,99}$/, "Use letters, digits, _ and -, starting with a letter");

const variables = z
  .record(variableName, z.string().max(10_000))
  .refine((all) => Object.keys(all).length <= 1_000, "At most 1,000 variables");

const answer = z.object({ variables: z.record(z.string(), z.string()) });
const params = z.object({ apiId: z.uuid() });

export const getVariables = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/variables",
  access: "apis:read",
  tag,
  summary: "Variables of the API",
  description: "An environment's variables take precedence over those of the same name.",
  params,
  status: 200,
  response: answer,
});

export const replaceVariables = endpoint({
  method: "put",
  path: "/api/v1/apis/{apiId}/variables",
  access: "apis:write",
  audit: "variables",
  tag,
  summary: "Replaces the variables of the API",
  description: "The complete new list.",
  params,
  body: z.object({ variables }),
  status: 200,
  response: answer,
});

export const setVariables = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/variables",
  access: "tests:write",
  audit: "variables",
  tag,
  summary: "Sets variables of the API",
  description: "Only the named ones; the others are unchanged.",
  params,
  body: z.object({ variables }),
  status: 200,
  response: answer,
});
