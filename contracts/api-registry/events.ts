import { z } from "@hono/zod-openapi";
import { event } from "../kit/event.ts";

const named = z.object({ apiId: z.uuid(), name: z.string() });

export const apiRegistered = event("api.registered", named);
/** Its name, base URL, tags, environments or document. */
export const apiChanged = event("api.changed", named);
/** A new version of its document became the current one. */
export const documentImported = event(
  "document.imported",
  z.object({ apiId: z.uuid(), apiName: z.string(), documentId: z.uuid(), version: z.string() }),
);
export const maxMovesPerEvent = 500;
/** Operations whose requests are the same as before, under another path of the document. Parameters: before and after. */
export const operationsMoved = event(
  "operations.moved",
  z.object({
    apiId: z.uuid(),
    documentId: z.uuid(),
    moves: z
      .array(
        z.object({
          method: z.string(),
          from: z.string(),
          to: z.string(),
          parameters: z.array(z.object({ from: z.string(), to: z.string() })),
        }),
      )
      .max(maxMovesPerEvent),
  }),
);
export const apiDeleted = event("api.deleted", z.object({ apiId: z.uuid() }));

const watchProblem = z.object({ reason: z.string(), since: z.iso.datetime() }).nullable();
/** What is the matter with the watched address of its document: all of it, whenever any of it changes. */
export const documentWatched = event(
  "document.watched",
  z.object({
    apiId: z.uuid(),
    apiName: z.string(),
    /** A version that waits for a person. */
    changed: watchProblem,
    /** Unreachable or invalid, several times in a row. */
    unavailable: watchProblem,
    /** Why problems that are not there any more have ended, in a sentence. */
    ending: z.string(),
    by: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  }),
);

export type ApiEvent =
  | z.infer<typeof apiRegistered>
  | z.infer<typeof apiChanged>
  | z.infer<typeof documentImported>
  | z.infer<typeof operationsMoved>
  | z.infer<typeof documentWatched>
  | z.infer<typeof apiDeleted>;
