export const runKeyField = "runKey";

/**
 * Idempotency key: a double click or a repeated POST starts one run or creates one test. Each rendered page has its
 * own.
 */
export function RunKey({ value }: { value: string }) {
  return <input type="hidden" name={runKeyField} value={value} />;
}
