const deadlockDetected = "40P01";

/** What was read at a transaction's begin does not hold at its end. */
export class TriedAgain extends Error {}

/** Where rows cannot be locked in one order for all, PostgreSQL lets one of two fail; it is tried again. */
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
