import type { FormattedReading } from "#libraries/collections/read/read-files.ts";
import { describeRequests } from "./describe-requests.ts";
import type { ImportChoices, ImportPlan } from "./plan.ts";
import { planImport } from "./plan-import.ts";
import type { ParseTest } from "./to-test.ts";

/** What an import stores where the API is made from the requests, and the document of that API. */
export function planOwnApi(
  reading: FormattedReading,
  choices: ImportChoices,
  parseTest: ParseTest,
): { plan: ImportPlan; document: string } {
  const { document, operations, baseUrl } = describeRequests(reading.collection, choices.environment);
  const target = {
    operations,
    baseUrls: baseUrl === undefined ? [] : [baseUrl],
    ...{ existing: [], variables: {}, environments: [], known: [], secretNames: new Set<string>() },
  };
  return { plan: planImport(reading, target, choices, parseTest), document: JSON.stringify(document, null, 2) };
}
