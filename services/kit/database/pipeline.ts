import type { QueryExecutorProvider } from "kysely";

/** A transaction, or a pipeline in one. */
export interface InTransaction extends QueryExecutorProvider {
  readonly isTransaction: true;
}

/**
 * Statements that start on the pipeline before others have answered travel together, and are done in the order in which
 * they started: what does not depend on each other's answers costs one round trip. Whatever fails, the transaction does.
 */
export async function inPipeline<Answer>(
  transaction: InTransaction,
  send: (pipeline: InTransaction) => Promise<Answer>,
): Promise<Answer> {
  const executor = transaction.getExecutor();
  return await executor.provideConnection(async (connection) => {
    const pipeline = executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) });
    return await send({ isTransaction: true, getExecutor: () => pipeline });
  });
}
