import type { Executor } from "../../kit/database/database.ts";
import { type Environment, environment } from "../contract/environments.ts";
import { storableText } from "./storable-text.ts";
import type { ApiRegistryTables } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

export async function listEnvironments(db: Db, apiId: string): Promise<Environment[]> {
  const rows = await db
    .selectFrom("environments")
    .select(["name", "base_url", "variables"])
    .where("api_id", "=", apiId)
    .orderBy("position")
    .execute();
  return rows.map(({ name, base_url, variables }) => ({
    name,
    baseUrl: base_url,
    variables: environment.shape.variables.parse(JSON.parse(variables)),
  }));
}

/** Run inside a transaction: the old ones go, the new ones come. */
export async function replaceEnvironments(db: Db, apiId: string, environments: Environment[]): Promise<void> {
  await db.deleteFrom("environments").where("api_id", "=", apiId).execute();
  if (environments.length === 0) return;
  await db
    .insertInto("environments")
    .values(
      environments.map(({ name, baseUrl, variables }, position) => ({
        api_id: apiId,
        position,
        name: storableText(name),
        base_url: storableText(baseUrl),
        variables: JSON.stringify(variables),
      })),
    )
    .execute();
}
