import type { Database } from "../services/kit/database/database.ts";
import type { Component } from "../services/kit/service/health.ts";

/** What a process depends on of its database. */
export function databaseComponents(database: Database): Component[] {
  const components = [
    { name: "database", required: true, check: () => database.checkHealth() },
    { name: "storage", required: true, check: () => database.checkRoom() },
    { name: "listener", required: false, check: () => database.checkListener() },
  ];
  // The embedded engine knows no role but its owner.
  if (database.engine === "pglite") return components;
  return [...components, { name: "separation", required: false, check: () => database.checkSeparation() }];
}
