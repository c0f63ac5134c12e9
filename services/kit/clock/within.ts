/**
 * What `work` resolves to. The work itself goes on: it can't be ended from here.
 * @throws Error with this message if it has not settled in time
 */
export async function within<Value>(milliseconds: number, work: Promise<Value>, message: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), milliseconds);
  });
  return await Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
