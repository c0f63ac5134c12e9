import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, identifier, moment, onlyReads, type Tag } from "../kit/endpoint.ts";
import { idempotencyKey } from "../kit/headers.ts";
import { orNone } from "../kit/or-none.ts";
import { exactTargets } from "./exact-targets.ts";
import { readableFormats } from "./import-formats.ts";
import { createdTest } from "./test-batches.ts";
import { testInput } from "./tests.ts";

const tag: Tag = {
  name: "Imports",
  description:
    "Tests and circles from files of Postman, Bruno, Insomnia, Hurl, `.http`, HAR and Arazzo. Nothing in a file is ever run.",
};

/** Of all files together, before archives are unpacked. */
export const maximumImportBytes = 10_000_000;

const importFile = z.object({
  name: displayName(z.string().min(1).max(500)).describe("With its folders: `pets/create.bru`."),
  text: orNone(z.string().max(maximumImportBytes)),
  base64: orNone(z.string().max(14_000_000)).describe("Instead of `text`, for a ZIP archive."),
});

export const importFiles = z.array(importFile).min(1, "Choose a file").max(2_000);
export type ImportFiles = z.infer<typeof importFiles>;

/** Files, or those of an earlier preview. */
export const importSource = z.union([z.object({ files: importFiles }), z.object({ draft: z.uuid() })]);
export type ImportSource = z.infer<typeof importSource>;

const choices = z.object({
  source: importSource,
  format: orNone(z.enum(readableFormats)).describe("Omitted: recognized."),
  apiId: orNone(z.uuid()).describe(
    "Omitted: an API is registered with a document made from the requests; or it is the one that an earlier import of the same collection registered under this name.",
  ),
  apiName: orNone(displayName(z.string().trim().min(1).max(200))).describe(
    "Of the new API; omitted: the collection's name.",
  ),
  environment: orNone(z.string().max(300)).describe(
    "Name of an environment of the files, with whose values requests are matched and in which new circles run. Omitted: the first one.",
  ),
  unmatched: z.boolean().default(false).describe("Also creates tests of requests that are of no operation of the API."),
  toApi: z
    .boolean()
    .default(false)
    .describe("Sends all tests to the API's base URL. Otherwise a request to another host keeps that host."),
  circles: z.boolean().default(true).describe("Creates a circle for each folder or workflow, and one for them all."),
  leaveOut: z
    .array(z.string().max(2_000))
    .max(5_000)
    .default([])
    .describe("Ids of requests, circles and environments of the preview."),
});
export type ImportInput = z.infer<typeof choices>;

const example = {
  source: {
    files: [
      {
        name: "books.http",
        text: "### List books\nGET https://api.example.com/books\n",
      },
    ],
  },
};

export const importedRequest = z
  .object({
    id: z.string(),
    file: z.string(),
    line: z.number().int(),
    name: z.string(),
    folders: z.array(z.string()),
    method: z.string(),
    url: z.string().describe("As in the file."),
    operation: z
      .object({ method: z.string(), path: z.string(), operationId: z.string().nullable() })
      .nullable()
      .describe("The operation of the API that it is of."),
    baseUrl: z.string().nullable().describe("Where its test is sent, if not to the API's base URL."),
    state: z
      .enum(["new", "changed", "unchanged", "edited", "exists", "unmatched", "left_out", "unusable"])
      .describe(
        "`new`: a test is created. `changed`: the test that came from this request before is changed. `unchanged`: it stays, since the request says the same as then. `edited`: it stays, since it was changed in the portal, although the request says something else now. `exists`: the API has a test of this operation and name, which stays. `unmatched`: of no operation. `left_out`: as requested. `unusable`: a test can't say it; see the losses.",
      ),
    test: z.union([testInput, z.null()]).describe("The test, without its secrets."),
  })
  .openapi("ImportedRequest");
export type ImportedRequest = z.infer<typeof importedRequest>;

const loss = z
  .object({
    file: z.string(),
    line: z.number().int().describe("From 1; 0 where it is of no line."),
    of: z.string().describe("Name of the request, folder or variable."),
    what: z.string(),
    reason: z.string(),
  })
  .openapi("ImportLoss");
export type ImportLoss = z.infer<typeof loss>;

const circle = z.object({ id: z.uuid(), name: z.string() });

const sourceStates = ["new", "changed", "unchanged", "edited"] as const;
const result = {
  format: z.enum(readableFormats),
  losses: z.array(loss).describe("What the files say and is not carried over; at most 5,000."),
};

export const importPreview = z
  .object({
    ...result,
    name: z.string().describe("Of the collection."),
    environments: z.array(z.string()).describe("Those of the files, by name."),
    apiEnvironments: z
      .array(
        z.object({
          ...{ id: z.string(), name: z.string(), baseUrl: z.string() },
          variables: z.array(z.string()).describe("Names."),
          secretVariables: z.array(z.string()).describe("Names of those that are stored as secrets."),
          state: z.enum(sourceStates).describe("As of requests."),
        }),
      )
      .describe("Environments of the files that the API has afterwards, each with its variables."),
    requests: z.array(importedRequest),
    api: z
      .object({ id: z.uuid(), name: z.string() })
      .nullable()
      .describe("The API that the tests are of; null: one will be registered."),
    circles: z.array(
      z.object({
        ...{ id: z.string(), name: z.string(), members: z.number().int() },
        state: z.enum(sourceStates).describe("As of requests."),
      }),
    ),
    credentials: z
      .array(
        z.object({
          ...{ name: z.string(), domain: z.string(), type: z.string(), tests: z.number().int() },
          isNew: z.boolean().describe("False: an import stored it before."),
        }),
      )
      .describe("Secrets of the files: each is stored as a credential for its host."),
    secretVariables: z.array(z.string()).describe("Names of secrets that become variables of circles."),
    secretApiVariables: z.array(z.string()).describe("Names of secrets that become secret variables of the API."),
    variables: z.record(z.string(), z.string()).describe("Variables that the API gets."),
    storesCredentials: z
      .boolean()
      .describe("Whether the caller may store credentials. Otherwise secrets are left out."),
    draft: z
      .object({ id: z.uuid(), expiresAt: moment })
      .optional()
      .describe("The files, stored encrypted for an hour; present when `keep` requested it."),
  })
  .openapi("ImportPreview");
export type ImportPreview = z.infer<typeof importPreview>;

export const imported = z
  .object({
    ...result,
    id: identifier,
    apiId: z.uuid(),
    apiName: z.string(),
    isNewApi: z.boolean(),
    tests: z.array(createdTest).describe("New ones."),
    changedTests: z.array(createdTest),
    circles: z.array(circle).describe("New ones."),
    changedCircles: z.array(circle),
    environments: z.array(z.string()).describe("Names of environments that the API got, or whose values changed."),
    credentials: z.array(z.object({ id: z.uuid(), name: z.string(), domain: z.string() })),
    variables: z
      .array(z.string())
      .describe("Names of variables that all environments of the API got, secret ones included."),
    existing: z.number().int().describe("Requests whose test was there already, and stays as it was."),
  })
  .openapi("Imported");
export type Imported = z.infer<typeof imported>;

const shared = {
  method: "post",
  access: "tests:write",
  tag,
  // Base64 and JSON make it longer.
  maxBodyBytes: 16_000_000,
  timeoutSeconds: 120,
  exactNumbers: exactTargets,
} as const;

const readsFiles = "The files can't be read, such as a damaged archive, is reported at `source`.";

export const previewImport = endpoint({
  ...shared,
  path: "/api/v1/imports/preview",
  audit: onlyReads,
  summary: "Shows what an import would create and what it would lose",
  description: `Creates nothing. ${readsFiles}`,
  body: choices
    .extend({ keep: z.boolean().default(false).describe("Stores the files for an hour: see `draft`.") })
    .openapi({ example }),
  status: 200,
  response: importPreview,
});

export const importTests = endpoint({
  ...shared,
  path: "/api/v1/imports",
  audit: "import",
  summary: "Imports tests, circles, environments, credentials and variables from files",
  description: `All or nothing. What came from the same collection before is recognized: it is changed where the files changed, unless it was changed in the portal, too. Other tests that the API has by method, path and name stay as they are. ${readsFiles}`,
  body: choices.openapi({ example: { ...example, apiName: "Books" } }),
  status: 201,
  response: imported,
  headers: [idempotencyKey],
  problems: {
    plan_limit_reached: "The plan allows no more tests or APIs; nothing was created.",
    conflict: "The `Idempotency-Key` was used for another import.",
    too_many_requests: "Another import of the organization has been under way for a minute.",
  },
});
