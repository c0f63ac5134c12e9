import type { Database } from "../services/kit/database/database.ts";
import type { Component } from "../services/kit/service/health.ts";

/** A process's requirements on its database, and on NATS if it carries notifications. */
export function databaseComponents(database: Database, nats?: { isConnected: boolean }): Component[] {
  const components = [
    { name: "database", required: true, check: () => database.checkHealth() },
    { name: "storage", required: true, check: () => database.checkCapacity() },
    { name: "listener", required: false, check: () => database.checkListener() },
    ...(nats ? [{ name: "nats", required: false, check: async () => requireConnection(nats) }] : []),
  ];
  // The embedded engine has no role except its owner.
  if (database.engine === "pglite") return components;
  return [...components, { name: "separation", required: false, check: () => database.checkSeparation() }];
}

function requireConnection({ isConnected }: { isConnected: boolean }): void {
  if (!isConnected) throw new Error("not connected");
}
