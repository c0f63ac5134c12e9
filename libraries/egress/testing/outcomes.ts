import { expect } from "vitest";
import type { EgressFailure, InboundResponse, OutboundResult } from "../egress.ts";

/** The response, or a test failure with the reason why there is none. */
export function requireResponse(result: OutboundResult): InboundResponse {
  expect(result).toMatchObject({ outcome: "answered" });
  return (result as Extract<OutboundResult, { outcome: "answered" }>).response;
}

export function requireFailure(result: OutboundResult): EgressFailure {
  expect(result).toMatchObject({ outcome: "failed" });
  return (result as Extract<OutboundResult, { outcome: "failed" }>).failure;
}

export function readText(response: InboundResponse): string {
  return Buffer.from(response.body).toString("utf8");
}
