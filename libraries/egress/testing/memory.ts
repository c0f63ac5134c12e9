import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Resident bytes after a full collection, so that the comparison covers retained memory and not V8's collection times.
 */
export function measureResidentBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage.rss();
}
