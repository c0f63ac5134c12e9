import type { Logger } from "pino";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import type { InstallationSettings, settingsContract } from "#contracts/kit/settings.ts";
import { type Connect, requireAnswer } from "../client/client.ts";
import { lookAgain } from "../clock/look-again.ts";
import type { Subscribe } from "../database/notifications.ts";
import type { IssueServiceToken } from "../identity/identity.ts";
import { noOrganization } from "../organization/no-organization.ts";

export type ReadSettings = () => Promise<InstallationSettings>;

/** Told by security-service's database with every change. */
export const settingsChannel = "installation_settings";

const pollMilliseconds = 1_000;

/** What operators have set, as this process knows it: at most a second old, or the last that was heard. */
export interface Settings {
  current(): InstallationSettings;
  /** Reads what was committed before the call. Never throws: the next look reads what this one missed. */
  look(): Promise<void>;
  /** Calls back whenever something is different, and at once with what is known. */
  follow(listener: (settings: InstallationSettings) => void): void;
  stop(): void;
}

interface SettingsOptions {
  read: ReadSettings;
  log: Pick<Logger, "warn" | "info">;
  /** Hears of changes where the database is security-service's own. */
  subscribe?: Subscribe;
  /** False where nobody else can change anything: a look after every own change is enough. */
  poll: boolean;
}

/** Settings that are those of the built product, for what runs without an installation around it. */
export const withoutSettings: Settings = {
  current: () => defaultSettings,
  look: async () => {},
  follow: (listener) => listener(defaultSettings),
  stop: () => {},
};

/** Follows what operators set, in the same way as who was signed out (see `standings.ts`). */
export function createSettings({ read, log, subscribe, poll }: SettingsOptions): Settings {
  const listeners: ((settings: InstallationSettings) => void)[] = [];
  let known = defaultSettings;
  let written = "";
  let isAway = false;
  let stopped = false;

  async function readOnce(): Promise<void> {
    if (stopped) return;
    try {
      const found = await read();
      if (isAway) log.info("the installation's settings are heard of again");
      isAway = false;
      if (JSON.stringify(found) === written) return;
      written = JSON.stringify(found);
      known = found;
      for (const listener of listeners) listener(known);
    } catch (error) {
      if (!isAway) log.warn({ err: error }, "the installation's settings can't be heard of: the last known ones hold");
      isAway = true;
    }
  }

  const look = lookAgain(readOnce);

  let unsubscribe = () => {};
  subscribe?.(settingsChannel, () => void look()).then(
    (end) => {
      if (stopped) end();
      else unsubscribe = end;
    },
    (error) => log.warn({ err: error }, "listening for changed settings failed; looking once a second instead"),
  );
  void look();
  const timer = poll ? setInterval(() => void look(), pollMilliseconds) : undefined;
  timer?.unref();

  return {
    current: () => known,
    look,
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

/** What is set, asked from wherever security-service runs. */
export function settingsFrom(connect: Connect<typeof settingsContract>, serviceToken: IssueServiceToken): ReadSettings {
  return async () => {
    const token = await serviceToken(noOrganization);
    return requireAnswer(await connect({ token }).readSettings(), "settings");
  };
}
