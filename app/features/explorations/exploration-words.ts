import type { ExplorationSummary, FindingKind } from "#contracts/test-executioner/explorations.ts";
import { plural } from "~/ui/count/plural";
import type { Tone } from "~/ui/tone";

export const kindWords: Record<FindingKind, string> = {
  serverError: "Server error",
  undocumentedStatus: "Undocumented status",
  contentType: "Undocumented media type",
  responseSchema: "Response against its schema",
  responseHeaders: "Response headers compared with the document",
  acceptedInvalid: "Invalid request accepted",
  acceptedWithoutCredentials: "Accepted without credentials",
  refusedValid: "Valid request refused",
  usedAfterDelete: "Still usable after deletion",
  notReadable: "Created but not readable",
  valueLost: "Sent value not stored",
  notIdempotent: "Not idempotent",
  changedByRead: "Changed by reading",
  entityTag: "ETag not honored",
  pages: "Pages overlap or have gaps",
  filter: "Filter ignored",
};

type State = ExplorationSummary["state"];

export const stateWords: Record<State, { word: string; tone: Tone }> = {
  queued: { word: "Queued", tone: "neutral" },
  running: { word: "Running", tone: "info" },
  finished: { word: "Finished", tone: "success" },
  cancelled: { word: "Cancelled", tone: "neutral" },
  failed: { word: "Failed", tone: "danger" },
};

export const hasEnded = ({ finishedAt }: Pick<ExplorationSummary, "finishedAt">): boolean => finishedAt !== null;

/** Why it ended; undefined while it has not, and where its message says so. */
export function endingWords({ ending, input }: Pick<ExplorationSummary, "ending" | "input">): string | undefined {
  switch (ending) {
    case "complete":
      return "Everything was tested.";
    case "requests":
      return `It ended after ${plural(input.maxRequests, "request")}, its limit.`;
    case "seconds":
      return `It ended after ${plural(input.maxSeconds, "second")}, its limit.`;
    case "cancelled":
      return "It was cancelled.";
    default:
      return undefined;
  }
}

/** "1,000 requests to 14 operations" */
export function sentWords({ requests, operations }: Pick<ExplorationSummary, "requests" | "operations">): string {
  return `${plural(requests, "request")} to ${plural(operations, "operation")}`;
}

/** "3 findings" */
export const findingWords = (count: number): string => plural(count, "finding");
