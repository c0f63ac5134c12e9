import { z } from "@hono/zod-openapi";
import { secretReference } from "#contracts/security-service/secret-references.ts";
import { memberEffect } from "#contracts/test-registry/circle-members.ts";
import { placeRule } from "#contracts/test-registry/circle-places.ts";

const surroundings = z.object({
  schemaVersion: z.literal(1),
  /** Given by the call that started the run; they precede those of environments. */
  variables: z.record(z.string(), z.string()),
  /** Whether values that the call gave for secret variables of APIs are among the captures, whatever the order. */
  givesSecrets: z.literal(true).optional(),
  /** Where values of a circle's secret variables are read when a test uses them. Absent: none is. */
  secretReferences: z.record(z.string(), secretReference).optional(),
  apis: z.array(
    z.object({
      apiId: z.string(),
      apiName: z.string(),
      /** The document that was current at the start; its tests are judged by it. */
      documentId: z.string(),
      /** Whether the document has security schemes. Absent: it has none, or the run is older. */
      mayRequireAuthentication: z.literal(true).optional(),
      environment: z.string().nullable(),
      /** Override, environment and API, in this order of precedence. */
      baseUrls: z.array(z.string().nullable()),
      /** Whether operations may have servers of their own, which precede these; unknown in runs of older versions. */
      hasOwnServers: z.boolean().optional(),
      variables: z.record(z.string(), z.string()),
      /** Its environment's: where its tests are sent from, unless the run or its circle says so. */
      locationId: z.string().optional(),
      /** Names whose values are secret, read when a test uses them. Absent: none is. */
      secretVariables: z.array(z.string()).optional(),
    }),
  ),
  /** Its circle's. */
  locationId: z.string().optional(),
  /**
   * Several places that its circle is sent from; `turn`: the only one of this run, by its index; `deletedIds`: others that
   * its circle names, which were deleted before it.
   */
  places: placeRule
    .extend({
      ids: z.array(z.string().nullable()),
      turn: z.int().optional(),
      deletedIds: z.array(z.string()).optional(),
    })
    .optional(),
  /** As the call that started it chose, for all of it: a location, or `portal`. */
  chosenLocation: z.string().optional(),
  /**
   * If members may change only what the run made: effects of those that have one, by position, and names of the
   * variables that the run generated with a UUID.
   */
  onlyOwn: z.object({ effects: z.record(z.string(), memberEffect), unique: z.array(z.string()).optional() }).optional(),
});

/** State shared by the executions of a run, as of its start. */
export type RunSurroundings = Omit<z.infer<typeof surroundings>, "schemaVersion">;
export type ApiSurroundings = RunSurroundings["apis"][number];

export function writeSurroundings(given: RunSurroundings): string {
  return JSON.stringify({ schemaVersion: 1, ...given } satisfies z.infer<typeof surroundings>);
}

export function parseSurroundings(text: string): RunSurroundings {
  return surroundings.parse(JSON.parse(text));
}
