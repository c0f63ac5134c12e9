import { EgressError, type EgressFailure } from "./failure.ts";
import type { Phases } from "./phases.ts";
import type { TlsDetails } from "./tls-details.ts";

/** The response of an exchange. */
export interface Result {
  status: number;
  statusText: string;
  httpVersion: "1.1" | "2";
  headers: [string, string][];
  body: Uint8Array;
  transferredBytes: number;
  truncated: boolean;
  phases: Phases;
  tls?: TlsDetails;
  /** How long it was not read, waiting for room; no part of the phases. */
  heldMilliseconds: number;
  /** Of a large body: gives back the room that it takes. */
  release?: () => void;
  /** Set when the reader had enough before the end. */
  stopped?: "items" | "seconds";
  /** Set when the answer is a redirect to follow; its body is then not decoded. */
  location?: string;
}

/** An exchange that failed after the head of its response. */
export class IncompleteResponse extends EgressError {
  readonly partial: Result;

  constructor(failure: EgressFailure, partial: Result) {
    super(failure);
    this.partial = partial;
  }
}
