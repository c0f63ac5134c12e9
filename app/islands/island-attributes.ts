import files from "virtual:islands";

/** Of the element that an island brings alive: `entry.client.ts` imports the file at its address. */
export function islandAttributes(name: string) {
  return { "data-island": name, "data-src": files[name]?.[0] };
}

/** What the island's file imports, for the browser to load meanwhile. */
export function islandImports(name: string): string[] {
  return files[name]?.slice(1) ?? [];
}
