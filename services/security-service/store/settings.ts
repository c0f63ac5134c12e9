import { sql } from "kysely";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import { type InstallationSettings, type SettingName, settingNames, settingSchemas } from "#contracts/kit/settings.ts";
import { type Executor, json } from "../../kit/database/database.ts";
import { type SecurityTables, schemaName } from "./tables.ts";

export type SettingChangeRow = SecurityTables["setting_changes"] & { is_latest: boolean };

/** Settings that are still within their bounds, which may differ from those of a newer version. */
export async function readSet(db: Executor<SecurityTables>): Promise<Partial<InstallationSettings>> {
  const rows = await db.selectFrom("installation_settings").selectAll().execute();
  const known = rows.filter(
    ({ name, value }) =>
      settingNames.includes(name as SettingName) && settingSchemas[name as SettingName].safeParse(value).success,
  );
  return Object.fromEntries(known.map(({ name, value }) => [name, value]));
}

export async function readSettings(db: Executor<SecurityTables>): Promise<InstallationSettings> {
  return { ...defaultSettings, ...(await readSet(db)) };
}

/** Serializes changes of settings until the commit, so that each knows the value before it. */
export async function takeTurn(transaction: Executor<SecurityTables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`${schemaName}.installation_settings`}))`.execute(transaction);
}

/** @param value null restores the default */
export async function storeSetting(
  transaction: Executor<SecurityTables>,
  name: SettingName,
  value: unknown,
): Promise<void> {
  if (value === null) {
    await transaction.deleteFrom("installation_settings").where("name", "=", name).execute();
    return;
  }
  await transaction
    .insertInto("installation_settings")
    .values({ name, value: json(value) })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: json(value) }))
    .execute();
}

export async function insertChange(
  transaction: Executor<SecurityTables>,
  { before, after, ...change }: SecurityTables["setting_changes"],
): Promise<void> {
  const orNull = (value: unknown) => (value === null ? null : json(value));
  await transaction
    .insertInto("setting_changes")
    .values({ ...change, before: orNull(before), after: orNull(after) })
    .execute();
}

const changes = (db: Executor<SecurityTables>) =>
  db
    .selectFrom("setting_changes as change")
    .selectAll("change")
    .select(
      // The newest of its setting: ids are in order of time.
      (select) =>
        select
          .not(
            select.exists(
              select
                .selectFrom("setting_changes as later")
                .select("later.id")
                .whereRef("later.name", "=", "change.name")
                .whereRef("later.id", ">", "change.id"),
            ),
          )
          .as("is_latest"),
    );

export async function listChanges(
  db: Executor<SecurityTables>,
  { beforeId, limit }: { beforeId: string | undefined; limit: number },
): Promise<SettingChangeRow[]> {
  let query = changes(db)
    .orderBy("change.id", "desc")
    .limit(limit + 1);
  if (beforeId) query = query.where("change.id", "<", beforeId);
  return (await query.execute()) as SettingChangeRow[];
}

export async function findChange(db: Executor<SecurityTables>, id: string): Promise<SettingChangeRow | undefined> {
  return (await changes(db).where("change.id", "=", id).executeTakeFirst()) as SettingChangeRow | undefined;
}
