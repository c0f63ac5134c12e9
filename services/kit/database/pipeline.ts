import type { Kysely, QueryExecutorProvider } from "kysely";
import type { AnyTables } from "./database.ts";

/** A transaction, or a pipeline in one. */
export interface InTransaction extends QueryExecutorProvider {
  readonly isTransaction: true;
}

/**
 * A transaction in which statements that start before others have returned are sent together, and executed in the
 * order in which they started: independent statements cost one round trip. They qualify tables with their schemas. The
 * commit is sent with the `last` ones, whose results are not awaited. If any fails, the transaction fails.
 */
export async function inPipeline<Result extends { last: Promise<unknown>[] }>(
  db: Kysely<AnyTables>,
  send: (pipeline: InTransaction) => Promise<Result>,
): Promise<Result> {
  const result = await db.transaction().execute((transaction) => {
    const executor = transaction.getExecutor().withoutPlugins();
    return executor.provideConnection(async (connection) => {
      const pipeline = executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) });
      const sent = await send({ isTransaction: true, getExecutor: () => pipeline });
      for (const statement of sent.last) statement.catch(() => {});
      // By then every started statement that is not awaited has been sent. In a failed transaction, commit rolls back.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      return sent;
    });
  });
  await Promise.all(result.last);
  return result;
}
