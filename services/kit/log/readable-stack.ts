import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

const maps = new Map<string, SourceMap | undefined>();

function loadMap(url: string): SourceMap | undefined {
  if (!maps.has(url)) {
    let map: SourceMap | undefined;
    try {
      map = new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, "utf8")));
    } catch {
      // Not bundled, or deployed without its maps: the stack is unchanged.
    }
    maps.set(url, map);
  }
  return maps.get(url);
}

/**
 * Maps a stack's locations from the bundle to the sources. With `--enable-source-maps` Node would read every map at
 * start; here a map is read after an error in its file.
 */
export function readableStack(stack: string): string {
  return stack.replace(
    /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g,
    (location, url: string, line: string, column: string) => {
      const entry = loadMap(url)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (!entry || !("originalSource" in entry)) return location;
      return `${new URL(entry.originalSource, url)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    },
  );
}
