import { z } from "@hono/zod-openapi";
import { codeProvenance } from "../code/objects.ts";
import { currentDocument, foundManagedObject, managedObjectParams, namedApi, codeTag as tag } from "../code/parts.ts";
import { changedField, codeInput, codePlan, codeToApply, writtenObject } from "../code/plans.ts";
import { endpoint, identifier, moment, onlyReads, pageSchema } from "../kit/endpoint.ts";
import { idempotencyKey } from "../kit/headers.ts";
import { exactTargets } from "./exact-targets.ts";

const megabytes = 1_048_576;
const needsBoth = "The scopes `apis:read` and `tests:read` are needed together.";
const needsToWrite =
  "`apis:write` is needed where APIs are created, changed or deleted, `tests:write` in any case, and `apis:read` and `tests:read`.";

const pulledItem = writtenObject
  .extend({
    id: identifier.describe("A service level and a status page have their circle's."),
    name: z.string(),
    document: currentDocument.optional().describe("Of an API: its current document, whose text `getDocument` returns."),
    applied: z
      .object({
        ...codeProvenance.shape,
        ...{ at: moment, isDrifted: z.boolean().describe("Whether it was changed in the portal since.") },
      })
      .nullable()
      .describe("How files applied it last; null: they never did."),
    drift: z
      .array(changedField)
      .describe("What was changed in the portal since it was applied; at most 100, empty if nothing was."),
  })
  .openapi("PulledObject");
export type PulledItem = z.infer<typeof pulledItem>;

export const pullCode = endpoint({
  method: "get",
  path: "/api/v1/code/objects",
  access: "tests:read",
  tag,
  summary: "Everything that files can hold",
  description: `By kind, in an order in which each object refers to earlier ones only. The first call gives each object its key, which stays when the object is renamed. Secrets are named, never returned; the text of an OpenAPI document is read by api-registry's \`getDocument\`. ${needsBoth}`,
  query: z.object({
    api: namedApi,
    limit: z.coerce.number().int().min(1).max(1_000).default(500).describe("Maximum number of items per page"),
    cursor: z.string().max(1_000).optional().describe("`nextCursor` of the previous page; omitted for the first page"),
    drifted: z
      .enum(["true"])
      .optional()
      .describe("Only objects that were changed in the portal since files applied them; pages may be short"),
  }),
  timeoutSeconds: 60,
  exactNumbers: exactTargets,
  status: 200,
  response: pageSchema(pulledItem).omit({ total: true }),
});

export const planCode = endpoint({
  method: "post",
  path: "/api/v1/code/plan",
  access: "tests:read",
  audit: onlyReads,
  tag,
  summary: "What applying files would change",
  description: `Nothing is stored, except for keys. The objects are validated as by an application; errors are reported at \`objects[12].value.…\`. ${needsBoth}`,
  body: codeInput.openapi({ example: { objects: [] } }),
  maxBodyBytes: 64 * megabytes,
  timeoutSeconds: 120,
  exactNumbers: exactTargets,
  status: 200,
  response: codePlan,
  problems: { plan_limit_reached: "The subscription's plan does not allow that many APIs or tests." },
});

export const applicationStates = ["applying", "deleting", "undoing", "applied", "undone"] as const;

const counts = z.object({ create: z.number().int(), change: z.number().int(), delete: z.number().int() });

export const codeApplication = z
  .object({
    id: identifier,
    state: z
      .enum(applicationStates)
      .describe(
        "`applied` and `undone` are final. Until `deleting`, a refusal undoes everything; deletions are not undone, only completed.",
      ),
    counts: counts.describe("What it does in all."),
    done: counts.describe("What is done of it."),
    problem: z
      .object({
        detail: z.string(),
        errors: z.array(z.object({ path: z.string(), message: z.string() })),
      })
      .nullable()
      .describe("Why it was or is being undone; errors at `objects[12].value.…`."),
    ...codeProvenance.shape,
    startedBy: z.string(),
    startedAt: moment,
    endedAt: moment.nullable(),
  })
  .openapi("CodeApplication");
export type CodeApplication = z.infer<typeof codeApplication>;

export const applyCode = endpoint({
  method: "post",
  path: "/api/v1/code/applications",
  access: "tests:write",
  audit: "code",
  tag,
  summary: "Applies files to the organization",
  description: `As one application, which is completed or undone whole, even if a process ends. Without \`prune\` nothing is deleted. It continues after the response: see the application. ${needsToWrite}`,
  headers: [idempotencyKey],
  body: codeToApply.openapi({ example: { objects: [] } }),
  maxBodyBytes: 64 * megabytes,
  timeoutSeconds: 120,
  exactNumbers: exactTargets,
  status: 202,
  response: codeApplication,
  locationPath: "/api/v1/code/applications/{id}",
  problems: {
    plan_limit_reached: "The subscription's plan does not allow that many APIs or tests.",
    stale_version: "What the plan compared was changed since. Make another plan.",
    conflict:
      "Another application of the organization is under way; or changes made in the portal would be overwritten, which `overwrite` allows; or the `Idempotency-Key` was used for another call.",
  },
});

export const getCodeApplication = endpoint({
  method: "get",
  path: "/api/v1/code/applications/{applicationId}",
  access: "tests:read",
  tag,
  summary: "Progress of an application",
  description: "Stored for 90 days.",
  params: z.object({ applicationId: z.uuid() }),
  status: 200,
  response: codeApplication,
});

export const getManagedObject = endpoint({
  method: "get",
  path: "/api/v1/code/managed-objects/{kind}/{objectId}",
  access: "tests:read",
  tag,
  summary: "Whether files of a repository hold an object",
  description: "Null for an object that no files applied. A service level and a status page have their circle's id.",
  params: managedObjectParams,
  status: 200,
  response: foundManagedObject,
});
