import type { Finding } from "#contracts/test-executioner/explorations.ts";
import { toKey } from "#libraries/suite/plan/known.ts";
import type { SeededFault } from "./servers/all-servers.ts";

/** How one tool did with one fault. */
export interface Attempted {
  /** What it reported, undefined where it noticed nothing. */
  found: string | undefined;
  requests: number;
  milliseconds: number;
}

export interface OurAttempt extends Attempted {
  finding: Finding | undefined;
  /** Sent by the whole exploration, also after the fault was found. */
  allRequests: number;
}

export interface Row {
  fault: SeededFault;
  ours: OurAttempt;
  /** By name, in the order of columns. */
  peers: ReadonlyMap<string, Attempted>;
}

/** In Markdown, as in the documentation. */
export function toTable(rows: readonly Row[], peers: readonly string[]): string[] {
  const head = ["Server", "Fault", "Kind", "Exploration: requests", "ms", "steps", ...peers];
  return [
    toLine(head),
    toLine(head.map(() => "---")),
    ...rows.map(({ fault, ours, peers: others }) =>
      toLine([
        ...[fault.server.name, fault.what, fault.kinds[0]],
        ...(ours.finding ? [ours.requests, ours.milliseconds, ours.finding.steps.length] : ["not found", "", ""]),
        ...peers.map((name) => toCell(others.get(name))),
      ]),
    ),
  ];
}

function toCell(attempted: Attempted | undefined): string {
  if (!attempted) return "";
  return attempted.found === undefined ? "no" : "yes";
}

const toLine = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;

/** What a tool found of all faults, with the middle of its requests and times. */
export function toTotal(name: string, attempts: readonly Attempted[]): string {
  const found = attempts.filter((one) => one.found !== undefined);
  const requests = median(found.map((one) => one.requests));
  const milliseconds = median(found.map((one) => one.milliseconds));
  return `${name}: ${found.length} of ${attempts.length} found, median ${requests} requests and ${milliseconds} ms.`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, two) => one - two);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

export const toSentence = ({ kind, operation, message, isRepeated }: Finding) =>
  `${kind} at ${toKey(operation)}: ${message}${isRepeated ? "" : " (not repeated)"}`;
