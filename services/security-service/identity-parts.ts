import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Database } from "../kit/database/database.ts";
import { createAccessState } from "../kit/identity/access-state.ts";
import { createAuthenticate } from "../kit/identity/identity.ts";
import { createSettings } from "../kit/settings/settings.ts";
import { listAccessChanges } from "./store/access-changes.ts";
import { readSettings } from "./store/settings.ts";
import { listPublicKeys } from "./store/signing-keys.ts";
import type { SecurityTables } from "./store/tables.ts";

interface IdentityOptions {
  db: Kysely<SecurityTables>;
  database: Database;
  log: Logger;
  serviceKey: Uint8Array;
}

/** Ended sessions, operators' settings and the verification of tokens, from this service's own tables. */
export async function openIdentity({ db, database, log, serviceKey }: IdentityOptions) {
  const accessState = createAccessState({
    read: (since) => listAccessChanges(db, since),
    log,
    subscribe: database.subscribe,
    poll: database.engine === "postgresql",
  });
  const settings = createSettings({
    read: () => readSettings(db),
    log,
    subscribe: database.subscribe,
    poll: database.engine === "postgresql",
  });
  await settings.refresh();
  const authenticate = createAuthenticate({
    accessState,
    publicKeys: async () => ({ keys: await listPublicKeys(db) }),
    serviceKey,
  });
  return { accessState, settings, authenticate };
}
