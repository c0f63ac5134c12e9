import type { z } from "@hono/zod-openapi";
import { type Kysely, sql } from "kysely";
import { test } from "#contracts/test-registry/tests.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/** Fields never used in searches, in one column. */
const definition = test.pick({
  request: true,
  assertions: true,
  checks: true,
  maximumResponseMilliseconds: true,
  captures: true,
  data: true,
  retry: true,
  waitUntil: true,
  timeoutMilliseconds: true,
  locationId: true,
});
export type TestDefinition = z.infer<typeof definition>;

/** Version of the form above; another form gets the next version, and its own reader. */
export const definitionVersion = 1;

export function parseDefinition(stored: { definition: unknown; definition_version: number }): TestDefinition {
  if (stored.definition_version !== definitionVersion) {
    throw new Error(`a test's definition is stored in form ${stored.definition_version}`);
  }
  return definition.parse(stored.definition);
}

export function parseTags(stored: unknown): string[] {
  return test.shape.tags.parse(stored);
}

export async function addDefinitionVersion(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${sql.id(schemaName, "tests")} add column definition_version integer not null default 1`.execute(
    db,
  );
}
