import { sql } from "kysely";
import { type Environment, type EnvironmentInput, environment } from "#contracts/api-registry/environments.ts";
import type { Executor } from "../../kit/database/database.ts";
import { ownServers } from "./document-servers.ts";
import { listSecretsByApi, toSecretVariable } from "./secret-variables.ts";
import { storableText } from "./storable-text.ts";
import type { ApiRegistryTables } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

export async function listEnvironments(db: Db, apiId: string): Promise<Environment[]> {
  return (await listEnvironmentsByApi(db, [apiId])).get(apiId) ?? [];
}

/** By API, in order; APIs without environments are omitted. */
export async function listEnvironmentsByApi(db: Db, apiIds: string[]): Promise<Map<string, Environment[]>> {
  const rows = await db
    .selectFrom("environments")
    .select(["api_id", "name", "base_url", "variables", "location_id"])
    .where("api_id", "=", sql<string>`any(${apiIds}::uuid[])`)
    .orderBy("position")
    .execute();
  const secrets = await listSecretsByApi(db, apiIds);
  const environments = new Map<string, Environment[]>();
  for (const { api_id, name, base_url: baseUrl, variables, location_id } of rows) {
    const own = environments.get(api_id) ?? [];
    environments.set(api_id, own);
    own.push({
      ...{ name, baseUrl, variables: environment.shape.variables.parse(JSON.parse(variables)) },
      ...(location_id === null ? {} : { locationId: location_id }),
      secretVariables: (secrets.get(api_id) ?? [])
        .filter((secret) => secret.environment === name)
        .map(toSecretVariable),
    });
  }
  return environments;
}

const maxApis = 5_000;

/** For each API the base URL in use, its environments' and those of operations with servers of their own; by name. */
export async function listBaseUrls(db: Db, organizationId: string) {
  const rows = await db
    .selectFrom("apis")
    .innerJoin("documents", "documents.id", "apis.current_document_id")
    .leftJoin("environments", "environments.api_id", "apis.id")
    .select(["apis.id as apiId", "apis.name"])
    .select([
      sql<
        string[]
      >`array_remove(coalesce(apis.base_url, documents.server_url) || array_agg(environments.base_url), null)`.as(
        "baseUrls",
      ),
      ownServers.as("ownServers"),
    ])
    .where("apis.organization_id", "=", organizationId)
    .groupBy(["apis.id", "documents.id"])
    .orderBy("apis.name_key")
    .orderBy("apis.id")
    .limit(maxApis)
    .execute();
  return rows.map(({ ownServers: own, baseUrls, ...api }) => ({
    ...api,
    baseUrls: own === null ? baseUrls : [...new Set([...baseUrls, ...listUrls(own)])],
  }));
}

function listUrls(text: string): string[] {
  const urls: unknown = JSON.parse(text);
  return Array.isArray(urls) ? urls.filter((url) => typeof url === "string" && URL.canParse(url)) : [];
}

/**
 * Replaces all of them; run inside a transaction. One that does not say where it is keeps its location, by its former
 * name.
 */
export async function replaceEnvironments(db: Db, apiId: string, environments: EnvironmentInput[]): Promise<void> {
  const before = await db
    .deleteFrom("environments")
    .where("api_id", "=", apiId)
    .returning(["name", "location_id"])
    .execute();
  const locations = new Map(before.map(({ name, location_id }) => [name, location_id]));
  if (environments.length === 0) return;
  await db
    .insertInto("environments")
    .values(
      environments.map(({ name, formerName = name, baseUrl, variables, locationId }, position) => ({
        api_id: apiId,
        position,
        name: storableText(name),
        base_url: storableText(baseUrl),
        variables: JSON.stringify(variables),
        location_id: locationId === undefined ? (locations.get(storableText(formerName)) ?? null) : locationId,
      })),
    )
    .execute();
}
