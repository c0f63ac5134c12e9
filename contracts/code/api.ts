import { z } from "@hono/zod-openapi";
import { apiTag } from "../api-registry/apis.ts";
import { documentWatchInput } from "../api-registry/document-watches.ts";
import { baseUrl, environment } from "../api-registry/environments.ts";
import { maxVariableCharacters, variableName } from "../api-registry/secret-variables.ts";
import { displayName } from "../kit/display-name.ts";
import { orNone } from "../kit/or-none.ts";
import { howSecretsAreWritten, readElsewhere, secretReference } from "./references.ts";

/** The value of a variable that all environments share. */
export const variableValue = z
  .union([z.string().max(maxVariableCharacters), secretReference, readElsewhere])
  .describe(howSecretsAreWritten);
export type VariableValue = z.infer<typeof variableValue>;

const environmentValue = z.union([z.string(), secretReference, readElsewhere]).describe(howSecretsAreWritten);
const { name: environmentName, baseUrl: environmentBaseUrl } = environment.shape;

export const apiCode = z
  .strictObject({
    name: displayName(z.string().trim().min(1, "Give the API a name").max(200)),
    document: z
      .strictObject({
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/, "Enter the SHA-256 in hex")
          .describe("Of the bytes of its main file, in hex."),
      })
      .describe("The current version of its OpenAPI document; the text is read and sent beside the objects."),
    baseUrl: orNone(baseUrl).describe("Omitted: requests go to the document's servers."),
    watch: orNone(z.strictObject(documentWatchInput.shape)).describe(
      "The address of its document that is looked at, how often, and what happens with a new version. Omitted: none is.",
    ),
    tags: z.array(apiTag).max(20).default([]),
    isDisposable: z
      .boolean()
      .default(false)
      .describe("Whether explorations may create, change and delete what they made themselves."),
    sendsHostCredentials: orNone(z.boolean()).describe(
      "For a document without security schemes: whether generated tests send the credentials of their host.",
    ),
    environments: z
      .array(
        z.strictObject({
          ...{ name: environmentName, baseUrl: environmentBaseUrl },
          variables: z.record(z.string(), environmentValue).default({}),
        }),
      )
      .max(50)
      .default([]),
    variables: z
      .record(variableName, variableValue)
      .default({})
      .describe("Shared by all environments, whose own values take precedence."),
  })
  .openapi("ApiAsCode");
export type ApiCode = z.infer<typeof apiCode>;
