import { type Generated, type Kysely, sql } from "kysely";
import type { AnyTables, Executor } from "../database/database.ts";
import type { AuditTables } from "./audit-table.ts";

export interface AuditChainTables extends AuditTables {
  /** Current end of each organization's chain. */
  audit_chains: { organization_id: string; length: Generated<string>; hash: Generated<Buffer> };
  /** One per record, in commit order. Links remain when retention deletes their records. */
  audit_links: {
    organization_id: string;
    /** From 1. */
    position: string;
    record_id: string;
    recorded_at: Date;
    /** Hash of the record's content. */
    content_hash: Buffer;
    /** Hash of the previous link's hash and of everything in this one. */
    hash: Buffer;
  };
}

/** Hash of a link: of the previous link's hash and the link's own content. */
const hashOfLink = (previous: ReturnType<typeof sql>) => sql`sha256(${previous} || convert_to(jsonb_build_array(
  link.organization_id, link.position, link.record_id, extract(epoch from link.recorded_at)
)::text, 'UTF8') || link.content_hash)`;

/**
 * Each link of a transaction leaves a dead version of the chain's end behind, and a lookup by organization would scan
 * all of them. The ctid of the newest is therefore stored for the transaction and tried first: a visible row there is
 * the chain's end.
 */
async function createLinking(db: Kysely<AnyTables>, schema: string): Promise<void> {
  const [records, links, chains] = ["audit_records", "audit_links", "audit_chains"].map((name) => sql.id(schema, name));
  await sql`
    create or replace function ${sql.id(schema, "link_audit_record")}(record ${records!}) returns void
    language plpgsql as $$
    declare
      place tid := nullif(current_setting('audit.chain_end', true), '')::tid;
      chain ${chains!};
      link ${links!};
    begin
      select * into chain from ${chains!}
      where ctid = place and organization_id = record.organization_id for update;
      if not found then
        insert into ${chains!} (organization_id) values (record.organization_id) on conflict do nothing;
        select * into chain from ${chains!} where organization_id = record.organization_id for update;
        select ctid into place from ${chains!} where organization_id = record.organization_id;
      end if;
      link.organization_id := record.organization_id;
      link.position := chain.length + 1;
      link.record_id := record.id;
      link.recorded_at := record.recorded_at;
      link.content_hash := ${sql.id(schema, "hash_audit_record")}(record);
      link.hash := ${hashOfLink(sql`chain.hash`)};
      insert into ${links!} select link.*;
      update ${chains!} set length = link.position, hash = link.hash
      where ctid = place and organization_id = record.organization_id returning ctid into place;
      perform set_config('audit.chain_end', place::text, true);
    end $$`.execute(db);
}

/**
 * Migration step after `chainAuditRecords`: speeds up many records in one transaction, and word search within one kind
 * of resource.
 */
export function indexAuditRecordKinds(schema: string) {
  return async (db: Kysely<AnyTables>): Promise<void> => {
    await createLinking(db, schema);
    const table = sql.id(schema, "audit_records");
    await sql`create index audit_records_of_kind on ${table} (organization_id, resource_kind, id)`.execute(db);
  };
}

/**
 * Migration step after `createAuditTable`: chains each organization's records, existing ones first. A record is linked
 * when its transaction commits, so the chain is locked only briefly and no other lock is requested meanwhile.
 */
export function chainAuditRecords(schema: string) {
  const table = (name: string) => sql.id(schema, name);
  const [records, links, chains] = ["audit_records", "audit_links", "audit_chains"].map(table) as [
    ReturnType<typeof table>,
    ReturnType<typeof table>,
    ReturnType<typeof table>,
  ];
  return async (db: Kysely<AnyTables>): Promise<void> => {
    await sql`
      create table ${chains} (
        organization_id uuid primary key,
        length bigint not null default 0,
        hash bytea not null default ''
      )`.execute(db);
    await sql`
      create table ${links} (
        organization_id uuid not null,
        position bigint not null,
        record_id uuid not null unique,
        recorded_at timestamptz not null,
        content_hash bytea not null,
        hash bytea not null,
        primary key (organization_id, position)
      )`.execute(db);
    await sql`
      create function ${table("hash_audit_record")}(record ${records}) returns bytea language sql stable as $$
        select sha256(convert_to(jsonb_build_array(
          record.id, record.organization_id, extract(epoch from record.recorded_at), record.actor_kind, record.actor_id,
          record.actor_name, record.client_address, record.request_id, record.operation, record.resource_kind,
          record.resource_id, record.before, record.after
        )::text, 'UTF8'))
      $$`.execute(db);
    await createLinking(db, schema);
    await sql`
      create function ${table("link_new_audit_record")}() returns trigger language plpgsql as $$
      begin
        perform ${table("link_audit_record")}(new);
        return null;
      end $$`.execute(db);
    await sql`
      create constraint trigger linked after insert on ${records} deferrable initially deferred
      for each row execute function ${table("link_new_audit_record")}()`.execute(db);
    await sql`
      create trigger append_only before update or delete on ${links}
      for each row execute function ${table("refuse_audit_change")}()`.execute(db);
    await sql`
      create trigger never_truncated before truncate on ${links}
      for each statement execute function ${table("refuse_audit_change")}()`.execute(db);
    await sql`
      do $$
      declare record ${records};
      begin
        for record in select * from ${records} order by organization_id, id loop
          perform ${table("link_audit_record")}(record);
        end loop;
      end $$`.execute(db);
  };
}

export interface AuditBreak {
  /** Position in the chain; null for a record outside of it. */
  position: number | null;
  recordId: string | null;
  recordedAt: Date | null;
  /**
   * `removed`: the record is missing. `changed`: its content differs. `cut`: links are missing or differ. `added`: the
   * record is not in the chain.
   */
  kind: "removed" | "changed" | "cut" | "added";
}

const linksPerStep = 10_000;
const maxBreaks = 50;

interface Where {
  schema: string;
  organizationId: string;
  /** Older records have been deleted by retention. */
  retainedSince: Date;
}

interface Step {
  position: string;
  record_id: string;
  recorded_at: Date;
  hash: Buffer;
  kind: AuditBreak["kind"] | null;
}

/** Broken links of a step, and its last link. */
async function listBrokenLinks(
  db: Executor<AuditChainTables>,
  { schema, organizationId, retainedSince }: Where,
  { after, hash, last }: { after: number; hash: Buffer; last: number },
): Promise<Step[]> {
  const { rows } = await sql<Step>`
    with step as (
      select link.*,
        link.position = 1 + lag(link.position, 1, ${after}::bigint) over places
          and link.hash = ${hashOfLink(sql`lag(link.hash, 1, ${hash}::bytea) over places`)} as follows
      from ${sql.id(schema, "audit_links")} link
      where link.organization_id = ${organizationId} and link.position > ${after} and link.position <= ${last}
      window places as (order by link.position)
    ), judged as (
      select step.position, step.record_id, step.recorded_at, step.hash, case
        when not step.follows then 'cut'
        when record.id is null then case when step.recorded_at >= ${retainedSince} then 'removed' end
        when step.content_hash <> ${sql.id(schema, "hash_audit_record")}(record) then 'changed'
      end as kind
      from step
      left join ${sql.id(schema, "audit_records")} record
        on record.id = step.record_id and record.organization_id = step.organization_id
    )
    select * from judged
    where kind is not null or position = (select max(position) from step)
    order by position limit ${maxBreaks + 1}`.execute(db);
  return rows;
}

/** Records that were inserted without a link. */
async function listAdded(db: Executor<AuditChainTables>, { schema, organizationId }: Where): Promise<AuditBreak[]> {
  const { rows } = await sql<{ id: string; recorded_at: Date }>`
    select record.id, record.recorded_at from ${sql.id(schema, "audit_records")} record
    where record.organization_id = ${organizationId} and not exists (
      select from ${sql.id(schema, "audit_links")} link where link.record_id = record.id
    )
    order by record.id limit ${maxBreaks}`.execute(db);
  return rows.map(({ id, recorded_at }) => ({ position: null, recordId: id, recordedAt: recorded_at, kind: "added" }));
}

/** Verifies an organization's chain step by step. Reports at most the first 50 breaks. */
export async function checkAuditChain(
  db: Executor<AuditChainTables>,
  where: Where,
): Promise<{ length: number; hash: string; breaks: AuditBreak[] }> {
  const chain = await db
    .selectFrom("audit_chains")
    .select(["length", "hash"])
    .where("organization_id", "=", where.organizationId)
    .executeTakeFirst();
  const length = Number(chain?.length ?? 0);
  const cut = (position: number) => ({ position, recordId: null, recordedAt: null, kind: "cut" as const });
  const breaks: AuditBreak[] = [];
  let [after, hash] = [0, Buffer.alloc(0) as Buffer];
  while (after < length && breaks.length < maxBreaks) {
    const last = Math.min(after + linksPerStep, length);
    const steps = await listBrokenLinks(db, where, { after, hash, last });
    for (const { position, record_id, recorded_at, kind } of steps) {
      if (kind) breaks.push({ position: Number(position), recordId: record_id, recordedAt: recorded_at, kind });
    }
    const end = steps.at(-1);
    if (Number(end?.position) !== last) breaks.push(cut(last));
    after = last;
    hash = end ? Buffer.from(end.hash) : hash;
  }
  const isWhole = breaks.length === 0 && chain !== undefined;
  if (isWhole && !hash.equals(Buffer.from(chain.hash))) breaks.push(cut(length));
  if (breaks.length < maxBreaks) breaks.push(...(await listAdded(db, where)));
  return { length, hash: Buffer.from(chain?.hash ?? []).toString("hex"), breaks: breaks.slice(0, maxBreaks) };
}
