import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import type { InstallationSettings } from "#contracts/kit/settings.ts";
import type { Settings } from "../settings/settings.ts";

/** Operators' settings that a test can change. */
export function movableSettings(): Settings & { set(changes: Partial<InstallationSettings>): void } {
  const listeners: ((settings: InstallationSettings) => void)[] = [];
  let known = defaultSettings;
  return {
    current: () => known,
    refresh: async () => {},
    follow(listener) {
      listeners.push(listener);
      listener(known);
    },
    stop: () => {},
    set(changes) {
      known = { ...known, ...changes };
      for (const listener of listeners) listener(known);
    },
  };
}
