import { z } from "@hono/zod-openapi";

const surroundings = z.object({
  schemaVersion: z.literal(1),
  /** Given by the call that started the run; they go before those of environments. */
  variables: z.record(z.string(), z.string()),
  apis: z.array(
    z.object({
      apiId: z.string(),
      apiName: z.string(),
      /** The document that was current at the start; what its tests are judged by. */
      documentId: z.string(),
      environment: z.string().nullable(),
      /** Override, environment and API, in this order of precedence. */
      baseUrls: z.array(z.string().nullable()),
      variables: z.record(z.string(), z.string()),
    }),
  ),
});

/** What the executions of one run share, as it was at its start. */
export type RunSurroundings = Omit<z.infer<typeof surroundings>, "schemaVersion">;
export type ApiSurroundings = RunSurroundings["apis"][number];

export function writeSurroundings(given: RunSurroundings): string {
  return JSON.stringify({ schemaVersion: 1, ...given } satisfies z.infer<typeof surroundings>);
}

export function parseSurroundings(text: string): RunSurroundings {
  return surroundings.parse(JSON.parse(text));
}
