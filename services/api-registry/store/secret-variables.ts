import { type Kysely, sql } from "kysely";
import type { SecretVariable } from "#contracts/api-registry/secret-variables.ts";
import { type SecretReference, secretReference } from "#contracts/security-service/secret-references.ts";
import { type AnyTables, type Executor, json } from "../../kit/database/database.ts";
import { storableText } from "./storable-text.ts";
import { type ApiRegistryTables, schemaName } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

/** A migration step. Secret variables are apart from plain ones, so that no list of those can contain one. */
export async function createSecretVariables(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${sql.id(schemaName, "secret_variables")} (
      organization_id uuid not null,
      api_id uuid not null references ${sql.id(schemaName, "apis")} on delete cascade,
      environment text collate "C" not null,
      name text collate "C" not null,
      value text,
      reference jsonb,
      primary key (api_id, environment, name)
    )`.execute(db);
}

/** In place of an environment: the variables that all of them share. */
export const shared = "";

export interface StoredSecret {
  environment: string;
  name: string;
  /** Sealed; null with a reference. */
  value: string | null;
  reference?: SecretReference;
}

/** An environment's name as it is stored. */
export const environmentKey = (name: string) => storableText(name);

/** Without its value. */
export const toSecretVariable = ({ name, reference }: StoredSecret): SecretVariable => ({
  ...{ name, value: null },
  ...(reference ? { reference } : {}),
});

/** By API, in order of environments and names. */
export async function listSecretsByApi(
  db: Db,
  apiIds: readonly string[],
  organizationId?: string,
): Promise<Map<string, StoredSecret[]>> {
  const rows = await db
    .selectFrom("secret_variables")
    .select(["api_id", "environment", "name", "value", "reference"])
    .where("api_id", "=", sql<string>`any(${[...apiIds]}::uuid[])`)
    .$if(organizationId !== undefined, (query) => query.where("organization_id", "=", organizationId!))
    .orderBy("environment")
    .orderBy("name")
    .execute();
  const secrets = new Map<string, StoredSecret[]>();
  for (const { api_id, environment, name, value, reference } of rows) {
    const own = secrets.get(api_id) ?? [];
    secrets.set(api_id, own);
    own.push({
      ...{ environment, name, value },
      ...(reference === null ? {} : { reference: secretReference.parse(reference) }),
    });
  }
  return secrets;
}

/** Of one API; none of another organization's. */
export async function listSecrets(
  db: Db,
  { organizationId, apiId }: { organizationId: string; apiId: string },
): Promise<StoredSecret[]> {
  return (await listSecretsByApi(db, [apiId], organizationId)).get(apiId) ?? [];
}

/** Replaces those of all environments, or the ones they share; run inside a transaction. */
export async function replaceSecrets(
  db: Db,
  { organizationId, apiId }: { organizationId: string; apiId: string },
  of: "environments" | "shared",
  secrets: readonly StoredSecret[],
): Promise<void> {
  await db
    .deleteFrom("secret_variables")
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .where("environment", of === "shared" ? "=" : "<>", shared)
    .execute();
  if (secrets.length === 0) return;
  const rows = secrets.map(({ environment, name, value, reference }) => ({
    ...{ organization_id: organizationId, api_id: apiId, environment, name, value },
    reference: reference === undefined ? null : json(reference),
  }));
  await db.insertInto("secret_variables").values(rows).execute();
}
