/**
 * Lists, filters and searches the users and invitations of an organization of 1,000 and of one of 100,000, alternating,
 * through the service's own handlers; prints the medians and their ratio.
 * Run: npm run bench:people [people]
 */
import { type Kysely, sql } from "kysely";
import type { CallResult } from "../services/kit/client/client.ts";
import type { AnyTables } from "../services/kit/database/database.ts";
import { encodeCursor } from "../services/kit/database/keyset.ts";
import { testEngines } from "../services/kit/testing/databases.ts";
import { addMember, addOrganization, signInAs } from "../services/security-service/testing/members.ts";
import { createSecurityWorld, type SecurityWorld } from "../services/security-service/testing/world.ts";
import { compareLists } from "./compared-lists.ts";

const few = 1_000;
const many = Number(process.argv[2] ?? 100_000);

type Client = Awaited<ReturnType<typeof signInAs>>["client"];
interface Own {
  client: Client;
  /** Cursors into the middle of its lists. */
  middle: { user: string; invitation: string };
}

/**
 * A realistic mix: of the 1,000 and of the 100,000 a few are administrators and a few are disabled; every name has words
 * that all share, and one that is rare. The same number of invitations: a few are open, most were accepted.
 */
async function fill(world: SecurityWorld, name: string, count: number): Promise<Own> {
  const { db } = world as unknown as { db: Kysely<AnyTables> };
  const organizationId = await addOrganization(world, name);
  await addMember(world, organizationId, { username: `${name}-boss`, roles: ["ADMIN"] });
  const { client } = await signInAs(world, `${name}-boss`);
  // Ascending like ids of version 7: each begins with the organization's own.
  const id = (kind: string) =>
    sql`(left(${organizationId}, 13) || ${`-7${kind}-8000-`} || lpad(to_hex(n), 12, '0'))::uuid`;
  await sql`
    insert into security_service.users (id, username, username_key, email, email_key, full_name, password_hash, disabled_at, created_at)
    select ${id("000")}, ${name} || n, ${name} || lpad(n::text, 7, '0'), ${name} || n || '@example.com', ${name} || n || '@example.com',
      case n when ${count - 2} then 'Zenobia Rare' else 'Anna Example' end, '', case when n % ${count / 4} = 3 then now() end, now()
    from generate_series(1, ${count}::int) n`.execute(db);
  await sql`
    insert into security_service.memberships (user_id, organization_id, username_key, roles, created_at)
    select ${id("000")}, ${organizationId}, ${name} || lpad(n::text, 7, '0'),
      case when n % ${count / 4} = 7 then '{ADMIN}' else '{EDITOR}' end::text[], now()
    from generate_series(1, ${count}::int) n`.execute(db);
  await sql`
    insert into security_service.invitations (id, organization_id, email, email_key, roles, status, created_at, expires_at)
    select ${id("001")}, ${organizationId}, ${name} || n || '@example.com', ${name} || n || '@example.com', '{EDITOR}',
      case when n % ${count / 8} = 5 then 'SENT' when n % ${count / 8} = 6 then 'EXPIRED' else 'ACCEPTED' end,
      now(), now() + interval '7 days'
    from generate_series(1, ${count}::int) n`.execute(db);
  await sql`analyze`.execute(db);
  const half = Math.floor(count / 2);
  const middleId = `${organizationId.slice(0, 13)}-7001-8000-${half.toString(16).padStart(12, "0")}`;
  return {
    client,
    middle: {
      user: encodeCursor([`${name}${String(half).padStart(7, "0")}`]),
      invitation: encodeCursor([middleId]),
    },
  };
}

const pages: Record<string, (own: Own) => Promise<CallResult<unknown>>> = {
  users: ({ client }) => client.listUsers({ query: {} }),
  "users, further down": ({ client, middle }) => client.listUsers({ query: { cursor: middle.user } }),
  administrators: ({ client }) => client.listUsers({ query: { role: "ADMIN" } }),
  disabled: ({ client }) => client.listUsers({ query: { state: "disabled" } }),
  "a word all have": ({ client }) => client.listUsers({ query: { query: "exam" } }),
  "a word one has": ({ client }) => client.listUsers({ query: { query: "zeno" } }),
  "a word none has": ({ client }) => client.listUsers({ query: { query: "nobody" } }),
  "a word and a role": ({ client }) => client.listUsers({ query: { query: "anna", role: "ADMIN" } }),
  invitations: ({ client }) => client.listInvitations({ query: {} }),
  "invitations, further": ({ client, middle }) => client.listInvitations({ query: { cursor: middle.invitation } }),
  "not answered": ({ client }) => client.listInvitations({ query: { status: "PENDING,SENT" } }),
  expired: ({ client }) => client.listInvitations({ query: { status: "EXPIRED" } }),
  accepted: ({ client }) => client.listInvitations({ query: { status: "ACCEPTED" } }),
  "the badge's number": ({ client }) => client.countInvitations({ query: { status: "PENDING,SENT" } }),
};

const database = await testEngines()[0].open();
try {
  const world = await createSecurityWorld(database);
  try {
    const small = { count: few, own: await fill(world, "few", few) };
    const large = { count: many, own: await fill(world, "many", many) };
    process.exitCode = (await compareLists(pages, small, large)) ? 0 : 1;
  } finally {
    await world.stop();
  }
} finally {
  await database.close();
}
