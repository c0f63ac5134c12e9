import type { Executor } from "../../kit/database/database.ts";
import { storableText } from "./storable-text.ts";
import type { ApiRegistryTables } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

/** The user and the API, which has been found in the caller's organization. */
export interface Chooser {
  apiId: string;
  userId: string;
}

export async function findChosenEnvironment(db: Db, { apiId, userId }: Chooser) {
  return await db
    .selectFrom("chosen_environments as chosen")
    .innerJoin("environments", (join) =>
      join.onRef("environments.api_id", "=", "chosen.api_id").onRef("environments.name", "=", "chosen.environment"),
    )
    .select(["environments.name", "environments.base_url as baseUrl"])
    .where("chosen.api_id", "=", apiId)
    .where("chosen.user_id", "=", userId)
    .executeTakeFirst();
}

export async function chooseEnvironment(db: Db, { apiId, userId }: Chooser, name: string | null): Promise<void> {
  if (name === null) {
    await db.deleteFrom("chosen_environments").where("api_id", "=", apiId).where("user_id", "=", userId).execute();
    return;
  }
  const environment = storableText(name);
  await db
    .insertInto("chosen_environments")
    .values({ api_id: apiId, user_id: userId, environment })
    .onConflict((conflict) => conflict.columns(["api_id", "user_id"]).doUpdateSet({ environment }))
    .execute();
}
