import type { ReadableFormat } from "#contracts/test-registry/import-formats.ts";
import type { Imported, ImportedRequest, ImportLoss, ImportPreview } from "#contracts/test-registry/imports.ts";

/** Rows of a list on the page; the others are counted. */
export const maxListed = 500;

export interface ReviewedRequest
  extends Pick<ImportedRequest, "id" | "name" | "folders" | "url" | "baseUrl" | "state" | "method"> {
  /** File and line. */
  position: string;
  operation: { method: string; path: string } | null;
  assertions: number;
  checks: number;
  captures: string[];
}

export interface ImportReview
  extends Pick<
    ImportPreview,
    | "format"
    | "name"
    | "api"
    | "environments"
    | "apiEnvironments"
    | "circles"
    | "credentials"
    | "secretVariables"
    | "secretApiVariables"
    | "storesCredentials"
  > {
  draft: string;
  /** So that a repeated submission imports once. */
  key: string;
  requests: ReviewedRequest[];
  counts: Record<
    "all" | "new" | "changed" | "unchanged" | "edited" | "exists" | "unmatched" | "unusable" | "leftOut",
    number
  >;
  variables: string[];
  losses: ImportLoss[];
  lossCount: number;
  choices: { format: ReadableFormat | ""; environment: string; unmatched: boolean; toApi: boolean; circles: boolean };
}

/** What the page shows after its form was sent. */
export interface ImportReply {
  typed: { format: string; pasted: string; apiName: string };
  error?: string;
  review?: ImportReview;
  imported?: Omit<Imported, "losses" | "tests" | "changedTests"> & {
    changedTests: number;
    tests: Imported["tests"];
    testCount: number;
    losses: ImportLoss[];
    lossCount: number;
  };
}
