import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { SettingName } from "#contracts/kit/settings.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { SettingChange } from "#contracts/security-service/settings.ts";
import { parseEgressAllow } from "#libraries/egress/policy.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import { notify } from "../../kit/database/notifications.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { type Settings, settingsChannel } from "../../kit/settings/settings.ts";
import {
  findChange,
  insertChange,
  listChanges,
  readSet,
  readSettings,
  type SettingChangeRow,
  storeSetting,
  takeTurn,
} from "../store/settings.ts";
import type { SecurityDatabase, SecurityTransaction } from "../store/tables.ts";

export interface SettingParts {
  db: SecurityDatabase;
  clock: Clock;
  settings: Settings;
  /** EGRESS_ALLOW, as configured. */
  environmentEgressAllow: string | undefined;
}

interface Wanted {
  name: SettingName;
  value: unknown;
  undoes?: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function show(row: SettingChangeRow): SettingChange {
  return {
    id: row.id,
    setting: row.name as SettingName,
    before: row.before,
    after: row.after,
    changedAt: row.changed_at.toISOString(),
    changedBy: row.changed_by_name,
    undoes: row.undoes,
    isLatest: row.is_latest,
  };
}

/** @throws Problem that names every entry that can't be parsed */
function requireReadable(targets: readonly string[]): void {
  const errors = targets.flatMap((entry) => {
    try {
      parseEgressAllow(entry);
      return [];
    } catch {
      const message = `“${entry}” can't be read: write host:port, address:port, range/bits:port or loopback`;
      return [{ path: "egressAllow", message }];
    }
  });
  if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
}

type SettingHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "readSettings" | "getSettings" | "changeSettings" | "listSettingChanges" | "undoSettingChange"
>;

/** Creates the handlers of installation-wide settings. */
export function createSettingHandlers({ db, clock, settings, environmentEgressAllow }: SettingParts): SettingHandlers {
  const getAll = async () => ({
    values: await readSettings(db),
    set: Object.keys(await readSet(db)) as SettingName[],
    environmentEgressAllow: environmentEgressAllow ?? null,
  });

  /**
   * Stores the differences and notifies every process. Callers hold the settings lock, so that ids are in the order of
   * changes.
   */
  async function change(transaction: SecurityTransaction, caller: Identity, wanted: Wanted[]) {
    const set = await readSet(transaction);
    const made = wanted
      .filter(({ name, value }) => JSON.stringify(set[name] ?? null) !== JSON.stringify(value))
      .map(({ name, value, undoes }) => ({
        ...{ id: uuidv7(), name, before: set[name] ?? null, after: value, undoes: undoes ?? null },
        ...{ changed_by_name: caller.name, changed_at: clock.now() },
      }));
    for (const one of made) {
      await storeSetting(transaction, one.name, one.after);
      await insertChange(transaction, one);
    }
    if (made.length > 0) await notify(transaction, settingsChannel);
    const audited = made.map(({ name, before, after }) => ({
      id: name,
      before: { value: before },
      after: { value: after },
    }));
    return { made, audited };
  }

  return {
    readSettings: () => readSettings(db),
    getSettings: getAll,

    async changeSettings({ body, caller, record }) {
      requireReadable(body.egressAllow ?? []);
      const wanted = Object.entries(body).map(([name, value]) => ({ name: name as SettingName, value: value ?? null }));
      await db.transaction().execute(async (transaction) => {
        await takeTurn(transaction);
        await record(transaction, ...(await change(transaction, caller, wanted)).audited);
      });
      await settings.refresh();
      return await getAll();
    },

    async listSettingChanges({ query: { cursor, limit } }) {
      const beforeId = cursor === undefined ? undefined : String(decodeCursor(cursor, 1)[0]);
      if (beforeId !== undefined && !uuid.test(beforeId)) throw new Problem("malformed_request");
      return pageFrom(await listChanges(db, { beforeId, limit }), limit, ({ id }) => [id], show);
    },

    async undoSettingChange({ params: { changeId }, caller, record }) {
      const undone = await db.transaction().execute(async (transaction) => {
        await takeTurn(transaction);
        const found = await findChange(transaction, changeId);
        if (!found) throw notFound("change");
        if (!found.is_latest) throw new Problem("conflict", "It was changed again since. Undo that change first.");
        const wanted = { name: found.name as SettingName, value: found.before, undoes: changeId };
        const { made, audited } = await change(transaction, caller, [wanted]);
        await record(transaction, ...audited);
        return made[0]!.id;
      });
      await settings.refresh();
      return show((await findChange(db, undone))!);
    },
  };
}
