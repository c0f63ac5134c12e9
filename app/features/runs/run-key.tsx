export const runKeyField = "runKey";

/** Makes a double click and a repeated POST start one run and create one test. Each page that is made has its own. */
export function RunKey({ value }: { value: string }) {
  return <input type="hidden" name={runKeyField} value={value} />;
}
