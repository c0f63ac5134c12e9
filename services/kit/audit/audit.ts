import { uuidv7 } from "uuidv7";
import type { Actor } from "#contracts/kit/actor.ts";
import type { Clock } from "../clock/clock.ts";
import type { AnyTables, Executor } from "../database/database.ts";
import type { Identity } from "../identity/identity.ts";
import { insertAuditRecords } from "./audit-table.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** A resource before and after the change; `before` is absent on creation, `after` on deletion. */
export interface AuditedChange {
  id: string;
  /** Set when it differs from the kind in the endpoint's contract. */
  kind?: string;
  before?: object;
  after?: object;
  /** For unauthenticated callers: the affected organization, and the user that was identified. */
  organizationId?: string;
  actor?: Actor;
}

/** Records a change in the transaction that makes it. */
export type RecordChange = (transaction: Executor<AnyTables>, ...changes: AuditedChange[]) => Promise<void>;

interface AuditedCall {
  operation: string;
  /** Kind of the resource, from the endpoint. */
  kind: string;
  caller: Identity | undefined;
  /** Client address; undefined when it is not vouched for. */
  address: string | undefined;
  requestId: string;
}

/** A user for calls that a service makes on their behalf. Actions of a token are found under its owner. */
export function toUserActor({ userId, username, apiToken }: Identity): Actor {
  return { id: userId, name: apiToken === undefined ? username : `${username}, by API token “${apiToken}”` };
}

function toActor(caller: Identity | undefined, { actor }: AuditedChange) {
  if (actor) return { actor_kind: "user", actor_id: actor.id, actor_name: actor.name } as const;
  if (!caller) return { actor_kind: "visitor", actor_id: null, actor_name: "visitor" } as const;
  const { kind, userId, username } = caller;
  if (kind === "token" || kind === "user") {
    const { id, name } = toUserActor(caller);
    return { actor_kind: "user", actor_id: id, actor_name: name } as const;
  }
  if (kind === "agent") return { actor_kind: "service", actor_id: userId, actor_name: `agent ${username}` } as const;
  return { actor_kind: kind, actor_id: userId, actor_name: username };
}

/**
 * Creates the recorder of one call and reports whether it was used: calling it without changes records that nothing
 * changed.
 */
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
          ...toActor(caller, change),
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
