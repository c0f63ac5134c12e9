import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import type { AnyTables } from "../database/database.ts";

/** PostgreSQL schema in which pg-boss keeps its tables. */
export const queueSchema = "job_queue";

export type QueueExecutor = Kysely<AnyTables> | Transaction<AnyTables>;

export async function run<Row>(executor: QueueExecutor, text: string, parameters: unknown[] = []): Promise<Row[]> {
  return (await executor.executeQuery<Row>(CompiledQuery.raw(text, parameters))).rows;
}

/**
 * pg-boss sends its maintenance as one text that begins and commits by itself. When such a text fails half-way the
 * connection stays inside the broken transaction and would refuse whatever comes next, so it is rolled back here.
 */
export async function runWholeText(database: Kysely<AnyTables>, text: string, parameters: unknown[] = []) {
  if (parameters.length > 0) return { rows: await run<Record<string, unknown>>(database, text, parameters) };
  return await database.connection().execute(async (connection) => {
    try {
      return { rows: await run<Record<string, unknown>>(connection, text) };
    } catch (error) {
      await run(connection, "rollback").catch(() => {});
      throw error;
    }
  });
}

/**
 * pg-boss's own fetch, with two differences: groups can be left out (a tenant at its cap must not fill the batch), and
 * a job sent in this very microsecond is due, so that a wake-up right after the commit finds it.
 * $1 queue, $2 how many, $3 groups to leave out.
 */
export const fetchStatement = `
  with next as (
    select id from ${queueSchema}.job
    where name = $1 and state < 'active' and start_after <= now()
      and (singleton_key is null or singleton_key <> all($3::text[]))
    order by priority desc, created_on, id
    limit $2
    for update skip locked
  )
  update ${queueSchema}.job job set
    state = 'active',
    started_on = now(),
    retry_count = case when job.started_on is not null then job.retry_count + 1 else job.retry_count end
  from next
  where job.name = $1 and job.id = next.id
  returning job.id, job.data as payload, job.singleton_key as "group", job.retry_count as "retryCount", job.priority`;

/**
 * Moves the start of the lease; pg-boss takes a job for lost once `started_on + expire_in` has passed.
 * Here and below only the attempt that holds a job counts: a frozen worker that comes back must not touch what its
 * successor holds. $1 queue, $2 ids, $3 attempts.
 */
export const extendStatement = `
  update ${queueSchema}.job job set started_on = now()
  from unnest($2::uuid[], $3::int[]) as held(id, attempt)
  where job.name = $1 and job.id = held.id and job.state = 'active' and job.retry_count = held.attempt - 1
  returning job.id`;

/** Ends jobs. $1 queue, $2 ids, $3 attempts. */
export const completeStatement = `
  delete from ${queueSchema}.job job
  using unnest($2::uuid[], $3::int[]) as done(id, attempt)
  where job.name = $1 and job.id = done.id and job.state = 'active' and job.retry_count = done.attempt - 1`;

/** Hands jobs back as if never fetched: the attempt is not counted. $1 queue, $2 ids, $3 attempts. */
export const releaseStatement = `
  update ${queueSchema}.job job
  set state = (case when job.retry_count > 0 then 'retry' else 'created' end)::${queueSchema}.job_state,
    started_on = null, start_after = now()
  from unnest($2::uuid[], $3::int[]) as held(id, attempt)
  where job.name = $1 and job.id = held.id and job.state = 'active' and job.retry_count = held.attempt - 1`;

/** How many jobs a group has waiting. $1 queue, $2 group. */
export const backlogStatement = `
  select count(*)::int as waiting from ${queueSchema}.job
  where name = $1 and state < 'active' and singleton_key = $2`;

/** One process owns the embedded database, so at its start whatever is active was left by a dead one. */
export const requeueAbandonedStatement = `
  update ${queueSchema}.job set state = 'retry', start_after = now()
  where state = 'active' and retry_count < retry_limit`;

export const listExhaustedStatement = `
  select name, id from ${queueSchema}.job where state = 'active' and retry_count >= retry_limit`;
