import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import { testRequest } from "#contracts/test-registry/requests.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import type { EgressFailure, OutboundRequest, OutboundResult } from "../../egress/egress.ts";
import { createJudging } from "../../judging/judging.ts";
import { createHiding } from "../hiding/hiding.ts";
import type { RunningParts } from "../run-test.ts";
import type { TestToRun } from "../test-to-run.ts";

export const phases = { blocked: 1, dns: 0, connect: 1, tls: 0, send: 0, wait: 8, receive: 0, total: 10 };

/** Everything a test needs without a service, a database or a network. */
export function createParts(answers: { status: number; body: string; failure?: EgressFailure; stopped?: "items" }[]) {
  const sent: OutboundRequest[] = [];
  const parts: RunningParts = {
    clock: { now: () => new Date("2026-03-10T12:00:00Z") },
    egress: {
      async send(request): Promise<OutboundResult> {
        sent.push(request);
        const { status, body, failure, stopped } = answers.shift()!;
        const bytes = Buffer.from(body);
        const size = { bodyBytes: bytes.length, transferredBytes: bytes.length, truncated: false, stopped };
        const headers: [string, string][] = [["content-type", "application/json"]];
        const response = { url: request.url, status, statusText: "", httpVersion: "1.1", headers, body: bytes, phases };
        if (failure) return { outcome: "failed", failure, hops: [], partial: { ...response, ...size } };
        return { outcome: "answered", hops: [], response: { ...response, ...size } };
      },
      close: async () => {},
    },
    userAgent: "a command line",
    settings: { current: () => defaultSettings },
    findHostRules: async () => ({
      isVerified: true,
      ruledBy: null,
      unsafeMethods: "allowed",
      authorizationConfigs: [],
    }),
    findFile: async () => undefined,
    openCredentials: async () => ({ items: [], refused: [] }),
    accessTokens: { require: async () => "", renew: async () => "" },
    judging: createJudging(),
    hiding: createHiding(),
  };
  return { parts, sent };
}

/** A test with these changes, as it is run. */
export function toRun(changes: Partial<Test>, rest: Partial<TestToRun> = {}): TestToRun {
  const test = {
    method: "get",
    path: "/pets",
    request: testRequest.parse({}),
    assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
    checks: [],
    captures: [],
    retry: { attempts: 1, delayMilliseconds: 0, backoff: "fixed" },
    timeoutMilliseconds: 1_000,
    ...changes,
  } as unknown as Test;
  return {
    organizationId: "any",
    test,
    captures: [],
    findVariable: () => undefined,
    baseUrls: ["http://api.test"],
    hasOwnServers: false,
    isConfirmed: true,
    findOperation: async () => undefined,
    ...rest,
  };
}
