import type { DocumentWatchInput } from "#contracts/api-registry/document-watches.ts";
import type { ApiEvent } from "#contracts/api-registry/events.ts";
import type { CodeContext } from "../../../kit/code/code-kind.ts";
import type { PublishedEvent } from "../../../kit/events/publisher.ts";
import { toWatchedEvent } from "../../jobs/document-looks.ts";
import { deleteWatch, findWatch, hastenWatch, noChange, noFailure, saveWatch } from "../../store/document-watches.ts";
import type { RegistryTransaction } from "../../store/tables.ts";

interface OfApi {
  apiId: string;
  name: string;
  /** Whether a new version of its document came in. */
  isImported: boolean;
}

/** Gives an API the watch of its file, or none. @returns events that end what the one before had reported */
export async function writeWatch(
  transaction: RegistryTransaction,
  { organizationId, now }: CodeContext,
  { apiId, name, isImported }: OfApi,
  input: DocumentWatchInput | undefined,
): Promise<PublishedEvent<ApiEvent>[]> {
  const of = { organizationId, apiId };
  const before = await findWatch(transaction, of, { lock: true });
  if (!input) {
    if (!before) return [];
    await deleteWatch(transaction, of);
    return [toWatchedEvent({ name }, { ...before, ...noChange, ...noFailure }, { ending: "The watch was ended." })];
  }
  const isSame =
    before?.url === input.url && before.every_minutes === input.everyMinutes && before.action === input.action;
  if (isSame) {
    if (isImported) await hastenWatch(transaction, apiId, now);
    return [];
  }
  const after = await saveWatch(transaction, { ...of, now }, input);
  if (!before || before.url === after.url) return [];
  return [toWatchedEvent({ name }, after, { ending: "Another address is watched." })];
}
