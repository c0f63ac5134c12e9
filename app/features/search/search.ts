import type { Viewer } from "~/session/guards";

/** A search by a viewer, within their permissions. */
export interface Search {
  viewer: Viewer;
  query: string;
  /** Of each kind. */
  limit: number;
  /** Whether last verdicts are looked up. */
  withStatus: boolean;
}
