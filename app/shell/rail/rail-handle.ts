import type { RailCounts } from "./find-rail";

/** The `handle` of a layout that knows counts of the rail. */
export interface RailHandle {
  railCounts?(data: unknown): RailCounts;
}

/** The counts that the layouts of this page know. */
export function getRailCounts(matches: readonly { handle?: unknown; data: unknown }[]): RailCounts {
  return Object.assign(
    {},
    ...matches.map(({ handle, data }) => data && (handle as RailHandle | undefined)?.railCounts?.(data)),
  );
}
