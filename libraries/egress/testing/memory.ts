import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Resident bytes after a full collection, so that what is compared is what is kept and not when V8 last tidied up. */
export function measureResidentBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage.rss();
}
