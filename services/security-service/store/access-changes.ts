import { sql } from "kysely";
import type { AccessChange } from "../../kit/identity/access-state.ts";
import { getScopes } from "../domain/roles.ts";
import { lacksSecondFactor } from "./effective-roles.ts";
import { type SecurityDatabase, schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

interface StoredChange {
  sessionId: string | null;
  userId: string;
  organizationId: string;
  roles: string[] | null;
  lacksFactor: boolean;
}

function accessChange({ sessionId, userId, organizationId, roles, lacksFactor }: StoredChange): AccessChange {
  if (sessionId) return { kind: "session-ended", sessionId };
  const of = { kind: "roles-changed", userId, organizationId } as const;
  if (!roles || !lacksFactor) return { ...of, roles, scopes: getScopes(roles ?? []) };
  return { ...of, roles: [], scopes: [], factorAtProvider: { roles, scopes: getScopes(roles) } };
}

/**
 * Changes that triggers have written (see the migration) since `since`. Transactions that began before it and committed
 * later are read as well, so nothing is missed and some changes are read twice. Roles are the current ones, none while
 * a required second factor is missing.
 */
export async function listAccessChanges(
  db: SecurityDatabase,
  since: string,
): Promise<{ changes: AccessChange[]; next: string }> {
  const { rows } = await sql<{
    next: string;
    changes: StoredChange[];
  }>`
    select
      pg_snapshot_xmin(pg_current_snapshot())::text as next,
      coalesce((
        select json_agg(json_build_object(
          'sessionId', change.session_id, 'userId', change.user_id,
          'organizationId', change.organization_id, 'roles', member.roles,
          'lacksFactor', ${lacksSecondFactor("member.user_id", "member.organization_id")}))
        from ${table("access_changes")} change
        left join ${table("memberships")} member
          on member.user_id = change.user_id and member.organization_id = change.organization_id
        where change.changed_in >= ${since}::xid8 and change.changed_at > now() - interval '10 minutes'
      ), '[]'::json) as changes`.execute(db);
  const [{ next, changes }] = rows as [(typeof rows)[number]];
  return {
    next,
    changes: changes.map(accessChange),
  };
}

export async function purgeAccessChanges(db: SecurityDatabase): Promise<void> {
  await sql`delete from ${table("access_changes")} where changed_at < now() - interval '1 hour'`.execute(db);
}
