import { sql } from "kysely";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** Whether an organization requires a second factor that one of its members lacks. */
export const lacksSecondFactor = (userId: string, organizationId: string) => sql<boolean>`(
  exists (
    select from ${table("organizations")} required
    where required.id = ${sql.ref(organizationId)} and required.requires_second_factor
  ) and not exists (
    select from ${table("second_factors")} factor
    where factor.user_id = ${sql.ref(userId)} and factor.confirmed_at is not null
  ) and not exists (
    select from ${table("passkeys")} passkey where passkey.user_id = ${sql.ref(userId)}
  ))`;
