import type { Executor } from "../../kit/database/database.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;
export type RegistrationRow = SecurityTables["registrations"];

export async function insertRegistration(db: Db, row: RegistrationRow): Promise<void> {
  await db.insertInto("registrations").values(row).execute();
}

export async function findRegistration(db: Db, registrationId: string): Promise<RegistrationRow | undefined> {
  return await db.selectFrom("registrations").selectAll().where("id", "=", registrationId).executeTakeFirst();
}
