import type { Database } from "../services/kit/database/database.ts";
import type { Component } from "../services/kit/service/health.ts";

/** A process's requirements on its database. */
export function databaseComponents(database: Database): Component[] {
  const components = [
    { name: "database", required: true, check: () => database.checkHealth() },
    { name: "storage", required: true, check: () => database.checkCapacity() },
    { name: "listener", required: false, check: () => database.checkListener() },
  ];
  // The embedded engine has no role except its owner.
  if (database.engine === "pglite") return components;
  return [...components, { name: "separation", required: false, check: () => database.checkSeparation() }];
}
