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

/** With which provider addresses at this domain sign in. */
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

/** The chosen domains that are still proven: one that is not counts for nothing. */
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

/** Throws the unique violation `single_sign_on_domains_name` where a domain is another organization's. */
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

/** Who was known to it is forgotten with it. @returns false when there was none */
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
 * Members who may not sign in by password: a provider is required that proved a domain, and knows them or has the domain of
 * their address.
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

/** Whether an account may not sign in by password. One statement for everybody, so that its time tells nothing. */
export async function refusesPassword(db: Db, userId: string): Promise<boolean> {
  const row = await refusedMembers(db).where("memberships.user_id", "=", userId).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Ends what was begun with passwords by members who may not use them any more. */
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
