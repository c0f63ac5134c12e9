import { z } from "@hono/zod-openapi";
import { endpoint, onlyReads, type Tag } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { secretReference } from "../security-service/secret-references.ts";
import { maxVariableCharacters, secretVariable, secretVariables, variableName } from "./secret-variables.ts";

const tag: Tag = {
  name: "Variables",
  description: "Values that tests of an API reference as `{{name}}`, in any environment.",
};

export const variables = z
  .record(variableName, z.string().max(maxVariableCharacters))
  .refine((all) => Object.keys(all).length <= 1_000, "At most 1,000 variables");

const answer = z.object({ variables: z.record(z.string(), z.string()), secretVariables: z.array(secretVariable) });
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
  description: "The complete new list. Omitted `secretVariables` stay; those without a value keep the stored one.",
  params,
  body: z.object({ variables, secretVariables: orNone(secretVariables) }),
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
  description: "Only the named ones; the others are unchanged. A secret variable remains secret with its new value.",
  params,
  body: z.object({ variables, secretVariables: orNone(secretVariables) }),
  status: 200,
  response: answer,
});

/** For the executioner, the only reader of the values of secret variables. */
export const openSecretVariables = endpoint({
  method: "post",
  path: "/internal/v1/opened-secret-variables",
  access: "internal",
  audit: onlyReads,
  summary: "Secret variables of an API and one of its environments with their values",
  body: z.object({
    apiId: z.uuid(),
    environment: z.string().max(100).nullable(),
    names: z.array(variableName).max(400),
  }),
  status: 200,
  response: z.object({
    items: z
      .array(
        z.object({
          name: z.string(),
          value: z.string().nullable().describe("Null with a reference."),
          reference: secretReference.optional(),
        }),
      )
      .describe("Those of the environment precede those of the API; unknown names are omitted."),
  }),
});
