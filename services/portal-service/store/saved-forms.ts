import type { PortalDatabase, PortalTables } from "./tables.ts";

/** One for each tab that may be open; older ones are removed. */
const maxPerAccount = 5;

/** Stores a form, and removes expired ones and those beyond this account's limit. */
export async function addSavedForm(db: PortalDatabase, form: PortalTables["kept_forms"], now: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto("kept_forms").values(form).execute();
    const newest = transaction
      .selectFrom("kept_forms")
      .select("id")
      .where("user_id", "=", form.user_id)
      .orderBy("id", "desc")
      .limit(maxPerAccount);
    await transaction
      .deleteFrom("kept_forms")
      .where((row) =>
        row.or([row("ends_at", "<=", now), row("user_id", "=", form.user_id).and("id", "not in", newest)]),
      )
      .execute();
  });
}

export async function findSavedForm(
  db: PortalDatabase,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<{ sealed: string } | undefined> {
  return await db
    .selectFrom("kept_forms")
    .select("sealed")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("ends_at", ">", now)
    .executeTakeFirst();
}
