import { z } from "@hono/zod-openapi";
import { endpoint, identifier, moment, onlyReads, type Tag } from "../kit/endpoint.ts";
import { codeAddress, codeHash, codeKinds, codeProvenance } from "./objects.ts";
import { codeActions, writtenObject } from "./plans.ts";
import { codeKey, secretName } from "./references.ts";

export const codeTag: Tag = {
  name: "Assurance as code",
  description: "What an organization has, as objects that files of a repository hold: read, compared and applied.",
};

/** By key: ids of APIs, of tests (`api/test`), of circles and of channels, those that the application creates included. */
export const codeReferences = z.object({
  api: z.record(z.string(), z.uuid()).default({}),
  test: z.record(z.string(), z.uuid()).default({}),
  circle: z.record(z.string(), z.uuid()).default({}),
  alertChannel: z.record(z.string(), z.uuid()).default({}),
});
export type CodeReferences = z.infer<typeof codeReferences>;

const secrets = z.record(secretName, z.string()).default({});

/** Of an API; its text is read by api-registry's `getDocument`. */
export const currentDocument = z.object({ id: z.uuid(), format: z.enum(["json", "yaml"]) });

/** One object of a part, as the application reads it. */
export const partObject = writtenObject.extend({
  id: z.uuid(),
  document: currentDocument.optional(),
  name: z.string(),
  secretsDiffer: z.array(secretName).describe("Secrets whose given value is not the stored one."),
  applied: codeProvenance
    .extend({ hash: codeHash, at: moment, value: z.record(z.string(), z.unknown()) })
    .nullable()
    .describe("How files applied it last; null: they never did."),
});
export type PartObject = z.infer<typeof partObject>;

export const partChange = codeAddress.extend({
  index: z.number().int().describe("Of the object in the call, for errors; -1 for a deletion."),
  action: z.enum(codeActions),
  id: z.uuid(),
  value: z.record(z.string(), z.unknown()).optional(),
  hash: codeHash.optional(),
  before: codeHash.optional().describe("The object's hash in the plan: another one is refused."),
});
export type PartChange = z.infer<typeof partChange>;

export const partChanges = z.object({
  applicationId: z.uuid(),
  mode: z.enum(["check", "apply"]),
  changes: z.array(partChange),
  references: codeReferences,
  documents: z.record(z.string(), z.uuid()).default({}),
  secrets,
  provenance: codeProvenance,
  environments: z
    .record(z.string(), z.array(z.string()))
    .describe("Names of an API's environments afterwards, by its key."),
  kept: z
    .array(codeAddress.extend({ id: z.uuid() }))
    .describe("Objects that the files have as they are: from then on, files hold them."),
});
export type PartChanges = z.infer<typeof partChanges>;

const internal = { access: "internal" } as const;
const oncePerApplication = { nothingBecause: "The application is recorded once, with what started it" };
const applicationParams = z.object({ applicationId: z.uuid() });

/** An object that files hold, as its page shows it. */
export const managedObject = z
  .object({
    ...codeAddress.shape,
    ...codeProvenance.shape,
    appliedAt: moment,
    isDrifted: z.boolean().describe("Whether it was changed in the portal since it was applied."),
  })
  .openapi("ManagedObject");
export type ManagedObject = z.infer<typeof managedObject>;

export const managedObjectParams = z.object({
  kind: z.enum(codeKinds).describe("Kind of the object").openapi({ example: "test" }),
  objectId: identifier,
});
export const foundManagedObject = z.object({ managed: managedObject.nullable() });

/** Calls between the service that holds an application and those that own objects; the same of each. */
export const codePartContract = {
  exportCodeObjects: endpoint({
    ...internal,
    method: "post",
    path: "/internal/v1/code/objects",
    audit: onlyReads,
    summary: "Objects of the service, with keys",
    description: "Gives keys to objects that have none. In pages, by kind and id.",
    body: z.object({
      kinds: z.array(z.enum(codeKinds)),
      apiId: z.uuid().optional().describe("Only this API, and its tests"),
      after: z.object({ kind: z.enum(codeKinds), id: z.uuid() }).nullable(),
      limit: z.number().int().min(1).max(5_000),
      references: codeReferences,
      secrets,
    }),
    timeoutSeconds: 60,
    status: 200,
    response: z.object({ items: z.array(partObject), isLast: z.boolean() }),
  }),

  changeCodeObjects: endpoint({
    ...internal,
    method: "post",
    path: "/internal/v1/code/changes",
    audit: oncePerApplication,
    summary: "Checks or applies an application's part",
    description:
      "`check` stores nothing. `apply` is one transaction; repeated for an application and its kind of actions, it has no further effect.",
    body: partChanges,
    timeoutSeconds: 180,
    status: 200,
    response: z.object({
      errors: z.array(z.object({ path: z.string(), message: z.string() })),
      missingSecrets: z.array(secretName),
      missingDocuments: z.array(z.string()),
    }),
    problems: {
      plan_limit_reached: "The plan allows no more.",
      stale_version: "An object was changed since the plan.",
    },
  }),

  undoCodeChanges: endpoint({
    ...internal,
    method: "post",
    path: "/internal/v1/code/applications/{applicationId}/undo",
    audit: oncePerApplication,
    summary: "Restores what an application's part changed",
    description: "Deletes what it created. Idempotent; unknown applications have nothing to undo.",
    params: applicationParams,
    timeoutSeconds: 180,
    status: 204,
  }),

  forgetCodeChanges: endpoint({
    ...internal,
    method: "post",
    path: "/internal/v1/code/applications/{applicationId}/forget",
    audit: oncePerApplication,
    summary: "Deletes what an application stored to be undone",
    params: applicationParams,
    status: 204,
  }),

  findManagedObject: endpoint({
    ...internal,
    method: "get",
    path: "/internal/v1/code/managed-objects/{kind}/{objectId}",
    summary: "Whether files hold an object of the service",
    params: managedObjectParams,
    status: 200,
    response: foundManagedObject,
  }),
};

export const namedApi = codeKey.optional().describe("Only this API with its tests, by key");
