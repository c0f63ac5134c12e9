import { z } from "@hono/zod-openapi";
import { endpoint, onlyReads } from "../kit/endpoint.ts";
import { circleOfTest } from "../test-registry/affected-tests.ts";
import { documentForm, documentSource, readsDocument } from "./document-sources.ts";
import { documentsTag } from "./documents.ts";
import { operationKey } from "./resources.ts";

export const operationChange = z
  .object({
    kind: z.enum(["operation", "webhook"]).describe("A webhook is sent by the API; its `path` is its name."),
    method: z.string(),
    path: z.string(),
    pathBefore: z
      .string()
      .optional()
      .describe("The path of the current version, if clients send the same requests as before to another path."),
    breaking: z.boolean(),
    reasons: z.array(z.string()).describe("What changed, one sentence per change: those of `changes`."),
    changes: z
      .array(
        z.object({
          rule: z.string().describe("Stable key of the rule, such as `request.property.removed-closed`."),
          breaking: z.boolean().describe("Whether clients may break. What can't be decided may."),
          sentence: z.string(),
        }),
      )
      .describe("The first 30, the breaking ones first. Where very much changes, later operations have one."),
    moreCount: z.number().int().describe("Changes that are not listed."),
    tests: z
      .object({
        total: z.number().int(),
        items: z
          .array(
            z.object({
              id: z.uuid(),
              name: z.string(),
              effects: z
                .array(
                  z.object({
                    part: z.enum(["assertion", "capture", "request"]),
                    position: z.number().int().optional().describe("Of the assertion or capture, from 1."),
                    sentence: z.string(),
                  }),
                )
                .optional()
                .describe("What of the test breaks; omitted where it was not reviewed."),
              circles: z.array(circleOfTest).optional().describe("The first 10 that run it, by name."),
            }),
          )
          .describe("The first 20 by name."),
      })
      .optional()
      .describe(
        "Tests of the operation; omitted while test-registry is unavailable, and for callers who may not read tests.",
      ),
  })
  .openapi("OperationChange");
export type OperationChange = z.infer<typeof operationChange>;

export const lifeChange = z
  .object({
    resource: z.string().describe("Key of the resource in the new version; in the current one if it was removed."),
    name: z.string().openapi({ example: "review of a book" }),
    steps: z.array(
      z.object({
        rule: z.enum(["life.began", "life.ended", "step.added", "step.removed", "step.replaced", "need", "identifier"]),
        sentence: z.string().openapi({
          example:
            "The life of a book changes: DELETE /books/{bookId} is no longer there, so what a run creates stays.",
        }),
        operations: z.array(operationKey).describe("Those that the sentence names."),
      }),
    ),
    circles: z
      .array(circleOfTest)
      .optional()
      .describe("The first 10 that name a test which creates one; omitted where `tests` of an operation are."),
  })
  .openapi("LifeChange");
export type LifeChange = z.infer<typeof lifeChange>;

export const baseUrlChange = z
  .object({
    environment: z.string().nullable().describe("Null: the API's own base URL."),
    before: z.string(),
    after: z.string().describe("The same where it stays: not every operation moved, or it does not end with the part."),
    sent: z
      .object({ before: z.string(), after: z.string() })
      .describe("Where requests of one of the moved operations go. Other ones than before if these differ."),
  })
  .openapi("BaseUrlChange");
export type BaseUrlChange = z.infer<typeof baseUrlChange>;

export const compareDocument = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/documents/compare",
  access: "apis:read",
  audit: onlyReads,
  tag: documentsTag,
  summary: "What a new version would change",
  description: "Operations added, changed (breaking or not, and why) and removed, each with its tests. Stores nothing.",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({ source: documentSource }),
  otherBodies: { "multipart/form-data": documentForm },
  ...readsDocument,
  status: 200,
  response: z.object({
    added: z.array(operationChange),
    changed: z.array(operationChange),
    removed: z.array(operationChange),
    unchangedCount: z.number().int(),
    lives: z
      .object({
        items: z.array(lifeChange).describe("The first 50: first those that end, then those that change."),
        moreCount: z.number().int(),
      })
      .optional()
      .describe(
        "What changes of the lives of resources: create, read, in the list, change, delete, gone. Omitted while the resources of the current version are being found.",
      ),
    baseUrls: z
      .array(baseUrlChange)
      .describe(
        "Base URLs of the API and its environments, where a part of the address moves between servers and paths. An import changes them so that requests stay the same.",
      ),
  }),
});
