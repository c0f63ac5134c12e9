import { z } from "@hono/zod-openapi";
import { sql } from "kysely";
import { roleRule } from "#contracts/security-service/single-sign-on.ts";
import { type Executor, json } from "../../kit/database/database.ts";
import type { SingleSignOnTables } from "./single-sign-on-tables.ts";
import { type SecurityTables, schemaName } from "./tables.ts";

type Db = Executor<SecurityTables>;

type Stored = SingleSignOnTables["single_sign_ons"];
export type SingleSignOnRow = Omit<Stored, "roles"> & { roles: z.infer<typeof roleRules> };

const roleRules = z.array(roleRule);

const readSingleSignOn = <Row extends Stored>(row: Row) => ({ ...row, roles: roleRules.parse(row.roles) });

export const domainTakenConstraint = "single_sign_on_domains_name";

export async function findSingleSignOn(db: Db, organizationId: string): Promise<SingleSignOnRow | undefined> {
  const row = await db
    .selectFrom("single_sign_ons")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row && readSingleSignOn(row);
}

/** The provider that addresses at this domain sign in with. */
export async function findByDomain(db: Db, domain: string): Promise<(SingleSignOnRow & { name: string }) | undefined> {
  const row = await db
    .selectFrom("single_sign_on_domains as claimed")
    .innerJoin("domains", "domains.id", "claimed.domain_id")
    .innerJoin("single_sign_ons", "single_sign_ons.organization_id", "claimed.organization_id")
    .innerJoin("organizations", "organizations.id", "claimed.organization_id")
    .selectAll("single_sign_ons")
    .select("organizations.name")
    .where("claimed.name", "=", domain)
    .where("domains.state", "=", "verified")
    .executeTakeFirst();
  return row && readSingleSignOn(row);
}

/** The chosen domains that are still proven; the others do not count. */
export async function listSignOnDomains(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("single_sign_on_domains as claimed")
    .innerJoin("domains", "domains.id", "claimed.domain_id")
    .select("claimed.name")
    .where("claimed.organization_id", "=", organizationId)
    .where("domains.state", "=", "verified")
    .orderBy("claimed.name")
    .execute();
  return rows.map(({ name }) => name);
}

export async function isSignOnDomain(db: Db, organizationId: string, domainId: string): Promise<boolean> {
  const row = await db
    .selectFrom("single_sign_on_domains")
    .select("name")
    .where("organization_id", "=", organizationId)
    .where("domain_id", "=", domainId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function listVerifiedDomains(db: Db, organizationId: string): Promise<{ id: string; name: string }[]> {
  return await db
    .selectFrom("domains")
    .select(["id", "name"])
    .where("organization_id", "=", organizationId)
    .where("state", "=", "verified")
    .orderBy("name")
    .execute();
}

/** Throws the unique violation `single_sign_on_domains_name` when a domain is another organization's. */
export async function storeSingleSignOn(
  db: Db,
  { roles, ...row }: SingleSignOnRow,
  domains: readonly { id: string; name: string }[],
): Promise<void> {
  const stored = { ...row, roles: json(roles) };
  const { organization_id, ...changes } = stored;
  await db
    .insertInto("single_sign_ons")
    .values(stored)
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(changes))
    .execute();
  await db.deleteFrom("single_sign_on_domains").where("organization_id", "=", organization_id).execute();
  const names = domains.map(({ name }) => name);
  await sql`select ${sql.id(schemaName, "free_unproven_domains")}(${names}::text[])`.execute(db);
  await db
    .insertInto("single_sign_on_domains")
    .values(domains.map(({ id, name }) => ({ name, domain_id: id, organization_id })))
    .execute();
}

/**
 * Also deletes its links to accounts.
 * @returns false when it did not exist
 */
export async function removeSingleSignOn(db: Db, organizationId: string): Promise<boolean> {
  await db.deleteFrom("provider_subjects").where("organization_id", "=", organizationId).execute();
  const result = await db
    .deleteFrom("single_sign_ons")
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function findSubject(
  db: Db,
  by: { organizationId: string; issuer: string } & ({ subject: string } | { userId: string }),
): Promise<{ subject: string; user_id: string } | undefined> {
  const query = db
    .selectFrom("provider_subjects")
    .select(["subject", "user_id"])
    .where("organization_id", "=", by.organizationId)
    .where("issuer", "=", by.issuer);
  return await ("subject" in by
    ? query.where("subject", "=", by.subject)
    : query.where("user_id", "=", by.userId)
  ).executeTakeFirst();
}

export async function insertSubject(db: Db, row: SingleSignOnTables["provider_subjects"]): Promise<void> {
  await db.insertInto("provider_subjects").values(row).execute();
}

/**
 * Members who may not sign in by password: single sign-on is required, a domain of it is proven, and the provider knows
 * them or their address is at the domain.
 */
function refusedMembers(db: Db) {
  return db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .innerJoin("single_sign_ons", "single_sign_ons.organization_id", "memberships.organization_id")
    .innerJoin("single_sign_on_domains as claimed", "claimed.organization_id", "memberships.organization_id")
    .innerJoin("domains", "domains.id", "claimed.domain_id")
    .select("users.id")
    .where("single_sign_ons.is_required", "=", true)
    .where("domains.state", "=", "verified")
    .where(({ or, exists, selectFrom }) =>
      or([
        sql<boolean>`claimed.name = split_part(users.email_key, '@', -1)`,
        exists(
          selectFrom("provider_subjects as known")
            .select("known.user_id")
            .whereRef("known.user_id", "=", "users.id")
            .whereRef("known.issuer", "=", "single_sign_ons.issuer")
            .whereRef("known.organization_id", "=", "single_sign_ons.organization_id"),
        ),
      ]),
    )
    .where(sql<boolean>`not memberships.roles && array['ADMIN', 'SYSTEM_ADMIN']`);
}

/** Whether an account may not sign in by password. One statement for all accounts, so that its time reveals nothing. */
export async function refusesPassword(db: Db, userId: string): Promise<boolean> {
  const row = await refusedMembers(db).where("memberships.user_id", "=", userId).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Ends sessions and sign-ins begun with a password by members who may no longer use one. */
export async function endPasswordSessions(db: Db, organizationId: string, now: Date): Promise<void> {
  const refused = refusedMembers(db).where("memberships.organization_id", "=", organizationId);
  await db
    .updateTable("sessions")
    .set({ ended_at: now, ended_because: "single_sign_on_required" })
    .where("organization_id", "=", organizationId)
    .where("user_id", "in", refused)
    .where("signed_on_at", "is", null)
    .where("ended_at", "is", null)
    .execute();
}

export async function countMembersWithoutPassword(db: Db, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("memberships.organization_id", "=", organizationId)
    .where("users.password_hash", "=", "")
    .where("users.disabled_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
