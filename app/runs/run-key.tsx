export const runKeyField = "runKey";

/** Makes a double click and a repeated POST start one run. Made when the page is, so that the next page starts another. */
export function RunKey({ value }: { value: string }) {
  return <input type="hidden" name={runKeyField} value={value} />;
}
