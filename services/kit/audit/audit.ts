import { uuidv7 } from "uuidv7";
import type { Clock } from "../clock/clock.ts";
import type { AnyTables, Executor } from "../database/database.ts";
import type { Identity } from "../identity/identity.ts";
import { insertAuditRecords } from "./audit-table.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** What was changed: a resource as it was and as it is; one of both is left out when it came or went. */
export interface AuditedChange {
  id: string;
  /** Where it is of another kind than the call is about. */
  kind?: string;
  before?: object;
  after?: object;
  /** Where the caller is nobody known yet: whose organization it concerns, and who it turned out to be. */
  organizationId?: string;
  actor?: { id: string; name: string };
}

/** Records a change in the transaction that makes it. */
export type RecordChange = (transaction: Executor<AnyTables>, ...changes: AuditedChange[]) => Promise<void>;

interface AuditedCall {
  operation: string;
  /** Kind of the resource, by the endpoint. */
  kind: string;
  caller: Identity | undefined;
  /** Where the caller asks from; undefined where nobody vouches for it. */
  address: string | undefined;
  requestId: string;
}

function actorOf(caller: Identity | undefined, { actor }: AuditedChange) {
  if (actor) return { actor_kind: "user", actor_id: actor.id, actor_name: actor.name } as const;
  if (!caller) return { actor_kind: "visitor", actor_id: null, actor_name: "visitor" } as const;
  const { kind, userId, username, apiToken } = caller;
  // Whose token it was is found under its owner, and told from what they did themselves.
  if (kind === "token") {
    return { actor_kind: "user", actor_id: userId, actor_name: `${username}, by API token “${apiToken}”` } as const;
  }
  return { actor_kind: kind, actor_id: userId, actor_name: username };
}

/** Makes the recorder of one call, and says afterwards whether it was used: without changes it says that nothing changed. */
export function createRecorder(
  clock: Clock,
  { operation, kind, caller, address, requestId }: AuditedCall,
): { record: RecordChange; isUsed(): boolean } {
  let isUsed = false;
  return {
    isUsed: () => isUsed,
    async record(transaction, ...changes) {
      isUsed = true;
      const records = changes.map((change) => {
        const organizationId = change.organizationId ?? caller?.organizationId;
        if (!organizationId) throw new Error(`${operation} does not say whose organization it changed.`);
        return {
          id: uuidv7(),
          organization_id: organizationId,
          recorded_at: clock.now(),
          ...actorOf(caller, change),
          client_address: address ?? null,
          request_id: requestId,
          operation,
          resource_kind: change.kind ?? kind,
          resource_id: change.id,
          before: withoutSecrets(change.before),
          after: withoutSecrets(change.after),
        };
      });
      await insertAuditRecords(transaction, records);
    },
  };
}
