import type { Locate } from "./locating.ts";

/** What reports say of a run beside what came of it. */
export interface ReportContext {
  locate: Locate;
  title: string;
  /** The page of the run; a check has none. */
  address?: string;
}
