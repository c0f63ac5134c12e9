import type { Kysely, QueryExecutorProvider } from "kysely";
import type { AnyTables } from "./database.ts";

/** A transaction, or a pipeline in one. */
export interface InTransaction extends QueryExecutorProvider {
  readonly isTransaction: true;
}

/**
 * A transaction in which statements that start before others have answered travel together, and are done in the order in
 * which they started: what does not depend on each other's answers costs one round trip. They name the schemas of their
 * tables. The commit travels with the `last` ones, whose answers nothing waits for. Whatever fails, the transaction does.
 */
export async function inPipeline<Answer extends { last: Promise<unknown>[] }>(
  db: Kysely<AnyTables>,
  send: (pipeline: InTransaction) => Promise<Answer>,
): Promise<Answer> {
  const answer = await db.transaction().execute((transaction) => {
    const executor = transaction.getExecutor().withoutPlugins();
    return executor.provideConnection(async (connection) => {
      const pipeline = executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) });
      const sent = await send({ isTransaction: true, getExecutor: () => pipeline });
      for (const statement of sent.last) statement.catch(() => {});
      // By then whatever was started, and waits for nobody, is on its way. Of a failed transaction, commit undoes all.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      return sent;
    });
  });
  await Promise.all(answer.last);
  return answer;
}
