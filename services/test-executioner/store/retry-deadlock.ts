const deadlockDetected = "40P01";

/** State read at a transaction's start has changed by its end. */
export class TriedAgain extends Error {}

/** If rows cannot be locked in a global order, PostgreSQL fails one of two transactions; it is retried. */
export async function retryDeadlock<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let number = 1; ; number += 1) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof TriedAgain || (error as { code?: string }).code === deadlockDetected;
      if (number === 3 || !isPassing) throw error;
    }
  }
}
