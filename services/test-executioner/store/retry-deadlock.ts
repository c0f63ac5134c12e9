const deadlockDetected = "40P01";

/** Where rows cannot be locked in one order for all, PostgreSQL lets one of two fail; it is tried again. */
export async function retryDeadlock<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let number = 1; ; number += 1) {
    try {
      return await work();
    } catch (error) {
      if (number === 3 || (error as { code?: string }).code !== deadlockDetected) throw error;
    }
  }
}
