import type { Component } from "../services/kit/service/health.ts";
import type { Configuration } from "./configuration.ts";

/** Services in other processes: when one is unavailable, only its own pages and calls fail. */
export function awayServices(serviceUrls: Configuration["serviceUrls"]): Component[] {
  return Object.entries(serviceUrls).flatMap(([name, baseUrl]) =>
    baseUrl
      ? [
          {
            name,
            required: false,
            async check() {
              const response = await fetch(`${baseUrl}/actuator/health`, { signal: AbortSignal.timeout(2_000) });
              await response.body?.cancel();
              if (!response.ok) throw new Error(`status ${response.status}`);
            },
          },
        ]
      : [],
  );
}
