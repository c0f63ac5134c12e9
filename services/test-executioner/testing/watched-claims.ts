import { sql } from "kysely";
import { expect } from "vitest";
import type { Database } from "../../kit/database/database.ts";

/** Records every claim: which worker (by the name of its connections) claimed which execution. */
export async function watchClaims({ kysely }: Database) {
  await sql`create table claims_seen (
    number serial primary key, execution_id uuid, path text, worker text default current_setting('application_name'))`.execute(
    kysely,
  );
  await sql`create function note_claim() returns trigger language plpgsql security definer as
    'begin insert into public.claims_seen (execution_id, path) values (new.id, new.path); return null; end'`.execute(
    kysely,
  );
  await sql`create trigger note_claim after update on test_executioner.unfinished_executions for each row
    when (new.claims > old.claims) execute function note_claim()`.execute(kysely);
  return {
    /** Ends the leases of a dead worker, as time would. */
    async endLeases(worker: string) {
      const connections = async () => {
        const { rows } = await sql`select 1 from pg_stat_activity
          where datname = current_database() and application_name = ${worker}`.execute(kysely);
        return rows.length;
      };
      await expect.poll(connections).toBe(0);
      await sql`update test_executioner.unfinished_executions execution set leased_until = now() - interval '1 second'
        where state = 'running' and ${worker} = (
          select worker from claims_seen where execution_id = execution.id order by number desc limit 1)`.execute(
        kysely,
      );
    },
    /** The last worker that claimed it; undefined before the first. */
    async getHolder(executionId: string) {
      const { rows } = await sql<{ worker: string }>`
        select worker from claims_seen where execution_id = ${executionId} order by number desc limit 1`.execute(
        kysely,
      );
      return rows[0]?.worker;
    },
    /** The workers that claimed it, in order. */
    async list() {
      const { rows } = await sql<{ path: string; workers: string[] }>`
        select path, array_agg(worker order by number) as workers from claims_seen group by execution_id, path`.execute(
        kysely,
      );
      return rows;
    },
  };
}
