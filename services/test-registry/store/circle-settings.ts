import { z } from "@hono/zod-openapi";
import { type Kysely, sql } from "kysely";
import { secretReference } from "#contracts/security-service/secret-references.ts";
import { type AnyTables, json } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const storedVariable = z.object({
  name: z.string(),
  /** Encrypted if it is secret; empty with a reference. */
  value: z.string(),
  secret: z.boolean(),
  /** Where the secret is read instead. */
  reference: secretReference.optional(),
});
export type StoredVariable = z.infer<typeof storedVariable>;

/** Never used in searches. */
const settings = z.object({
  /** Name of the environment, keyed by API. */
  environments: z.record(z.string(), z.string()),
  variables: z.array(storedVariable),
});
export type CircleSettings = z.infer<typeof settings>;

/** Version of the form above; another form gets the next version, and its own reader. */
export const settingsVersion = 1;

export function writeCircleSettings({ environments, variables }: CircleSettings) {
  return { environments: json(environments), variables: json(variables), settings_version: settingsVersion };
}

export function parseCircleSettings({
  settings_version: version,
  ...stored
}: {
  environments: unknown;
  variables: unknown;
  settings_version: number;
}): CircleSettings {
  if (version !== settingsVersion) throw new Error(`a circle's settings are stored in form ${version}`);
  return settings.parse(stored);
}

export async function addSettingsVersion(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${sql.id(schemaName, "test_circles")}
    add column settings_version integer not null default 1`.execute(db);
}
