import files from "virtual:islands";

/** Attribute of an island's element: `entry.client.ts` imports the file at its address. */
export function islandAttributes(name: string) {
  return { "data-island": name, "data-src": files[name]?.[0] };
}

/** The imports of the island's file, for the browser to preload. */
export function islandImports(name: string): string[] {
  return files[name]?.slice(1) ?? [];
}

/** Address of a file that `entry.client.ts` imports on demand. */
export function islandSource(name: string): string | undefined {
  return files[name]?.[0];
}
