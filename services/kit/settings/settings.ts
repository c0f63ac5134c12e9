import type { Logger } from "pino";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import type { InstallationSettings, settingsContract } from "#contracts/kit/settings.ts";
import { type Connect, requireValue } from "../client/client.ts";
import { coalesce } from "../clock/coalesce.ts";
import type { Subscribe } from "../database/notifications.ts";
import type { IssueServiceToken } from "../identity/identity.ts";
import { noOrganization } from "../organization/no-organization.ts";

export type ReadSettings = () => Promise<InstallationSettings>;

/** Notified by security-service's database on every change. */
export const settingsChannel = "installation_settings";

const pollMilliseconds = 1_000;

/** The operators' settings as known to this process: at most a second old, or the last that could be read. */
export interface Settings {
  current(): InstallationSettings;
  /** Reads the changes committed before the call. Never throws: the next look reads those that this one missed. */
  refresh(): Promise<void>;
  /** Calls back on every change, and immediately with the current settings. */
  follow(listener: (settings: InstallationSettings) => void): void;
  stop(): void;
}

interface SettingsOptions {
  read: ReadSettings;
  log: Pick<Logger, "warn" | "info">;
  /** Available when the database is security-service's own. */
  subscribe?: Subscribe;
  /** False when no other process can make changes: a look after every own change is sufficient. */
  poll: boolean;
}

/** Default settings, for code that runs without an installation. */
export const withoutSettings: Settings = {
  current: () => defaultSettings,
  refresh: async () => {},
  follow: (listener) => listener(defaultSettings),
  stop: () => {},
};

/** Follows the operators' settings, in the same way as ended sessions (see `standings.ts`). */
export function createSettings({ read, log, subscribe, poll }: SettingsOptions): Settings {
  const listeners: ((settings: InstallationSettings) => void)[] = [];
  let known = defaultSettings;
  let written = "";
  let isUnavailable = false;
  let stopped = false;

  async function readOnce(): Promise<void> {
    if (stopped) return;
    try {
      // A version before has not every setting.
      const found = { ...defaultSettings, ...(await read()) };
      if (isUnavailable) log.info("the installation's settings can be read again");
      isUnavailable = false;
      if (JSON.stringify(found) === written) return;
      written = JSON.stringify(found);
      known = found;
      for (const listener of listeners) listener(known);
    } catch (error) {
      if (!isUnavailable)
        log.warn({ err: error }, "the installation's settings can't be read: the last known ones apply");
      isUnavailable = true;
    }
  }

  const refresh = coalesce(readOnce);

  let unsubscribe = () => {};
  subscribe?.(settingsChannel, () => void refresh()).then(
    (end) => {
      if (stopped) end();
      else unsubscribe = end;
    },
    (error) => log.warn({ err: error }, "subscribing to settings failed; polling once a second instead"),
  );
  void refresh();
  const timer = poll ? setInterval(() => void refresh(), pollMilliseconds) : undefined;
  timer?.unref();

  return {
    current: () => known,
    refresh: refresh,
    follow(listener) {
      listeners.push(listener);
      listener(known);
    },
    stop() {
      stopped = true;
      clearInterval(timer);
      unsubscribe();
    },
  };
}

/** Reads the settings from security-service, wherever it runs. */
export function settingsFrom(connect: Connect<typeof settingsContract>, serviceToken: IssueServiceToken): ReadSettings {
  return async () => {
    const token = await serviceToken(noOrganization);
    return requireValue(await connect({ token }).readSettings(), "settings");
  };
}
