import { z } from "@hono/zod-openapi";
import { moment } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { codeAddress, codeHash, codeObject, codeProvenance } from "./objects.ts";
import { codeKey, secretName } from "./references.ts";

/** Objects of one call. */
export const maxCodeObjects = 20_000;

/** An object as files have it: without the fields that have their default. */
export const writtenObject = codeAddress.extend({
  value: z.record(z.string(), z.unknown()).describe("As the object's kind has it, without defaults."),
  hash: codeHash,
});
export type WrittenObject = z.infer<typeof writtenObject>;

const codeBase = codeAddress.extend({
  hash: codeHash,
  appliedAt: moment
    .nullish()
    .describe(
      "When files had applied it last by then, null: never. Omitted: what files applied since is not regarded.",
    ),
});
export type CodeBase = z.infer<typeof codeBase>;

/** What a plan and its application are made of. Errors are reported at `objects[12].value.…`. */
export const codeInput = z.object({
  objects: z.array(codeObject).max(maxCodeObjects, "At most 20,000 objects"),
  api: orNone(codeKey).describe(
    "Only this API with its tests: all objects are of it, and no others are compared. Omitted: the whole organization.",
  ),
  base: orNone(z.array(codeBase).max(2 * maxCodeObjects)).describe(
    "The objects as they were when the files were pulled. For those that are not listed, or that files applied since, as they were applied last.",
  ),
  documents: z
    .record(z.string(), z.uuid())
    .default({})
    .describe(
      "By the SHA-256 of an OpenAPI document that is new: `staged.id` of its inspection with `keep=true`, which sent the text.",
    ),
  secrets: z
    .record(secretName, z.string().min(1).max(100_000))
    .default({})
    .describe("Values of secrets that the objects name. A value that is not sent stays as it is stored."),
});
export type CodeInput = z.infer<typeof codeInput>;

export const codeActions = ["create", "change", "delete"] as const;
export type CodeAction = (typeof codeActions)[number];

export const changedField = z.object({
  path: z
    .string()
    .describe("Within `value`; empty for the whole of it.")
    .openapi({ example: "request.query[0].value" }),
  before: z.unknown().optional().describe("Omitted: it was not given."),
  after: z.unknown().optional().describe("Omitted: it is no longer given."),
});
export type ChangedField = z.infer<typeof changedField>;

export const plannedChange = codeAddress
  .extend({
    name: z.string().describe("In the portal, or of a new object in the files."),
    action: z.enum(codeActions),
    changedIn: z
      .enum(["files", "portal", "both"])
      .describe(
        "Where it was changed since the base. `portal` and `both`: applying overwrites a change that was made in the portal.",
      ),
    fields: z.array(changedField).describe("What applying changes, at most 100; empty for a new or a deleted object."),
    portalFields: z
      .array(changedField)
      .describe("What was changed in the portal since it was applied last, where that is known; at most 100."),
    secrets: z.array(secretName).describe("Secrets whose value will be set."),
  })
  .openapi("PlannedChange");
export type PlannedChange = z.infer<typeof plannedChange>;

const counts = z.object({
  create: z.number().int(),
  change: z.number().int(),
  delete: z.number().int(),
  unchanged: z.number().int(),
});

export const codePlan = z
  .object({
    version: z.string().describe("Of what the plan compares. An application names it."),
    items: z.array(plannedChange).describe("In the order of the files; deletions last. They happen only with `prune`."),
    counts,
    missingSecrets: z.array(secretName).describe("Secrets without a stored value, which applying needs."),
    missingDocuments: z
      .array(z.string())
      .describe("SHA-256 of documents that are not the current one, and were not named in `documents`."),
  })
  .openapi("CodePlan");
export type CodePlan = z.infer<typeof codePlan>;

export const codeToApply = codeInput.extend({
  version: orNone(z.string().max(200)).describe(
    "Of the plan that was looked at; another one is refused. Omitted: as things are then.",
  ),
  prune: z.boolean().default(false).describe("Whether objects that the files don't have are deleted."),
  overwrite: z.boolean().default(false).describe("Whether changes that were made in the portal may be overwritten."),
  provenance: codeProvenance.default({ repository: "", commit: "" }),
});
export type CodeToApply = z.infer<typeof codeToApply>;
