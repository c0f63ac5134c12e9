import type { AlertIncident, AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import { findCause } from "../incident/cause.ts";
import { createBurnMessage, createCertificateMessage, createIncidentsMessage, createTestMessage } from "./titles.ts";

const broken = new Date("2026-03-10T07:00:12.000Z");
const hour = 3_600_000;
const later = (hours: number) => new Date(broken.getTime() + hours * hour);

const reason = "Expected status code 200, got 503.";
const failed = {
  testId: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10",
  testName: "Get the price of a book",
  environment: "staging",
  failure: {
    executionId: "019cd6a1-2b10-7e55-a3d2-9c1f4b6e8a07",
    verdict: "failed",
    reason,
    causeCode: null,
    causePhase: null,
    statusCode: 503,
    host: "api.example.com",
    credentialId: null,
    after: null,
  },
} as const;
const { cause, title } = findCause(failed);
const incident: AlertIncident = {
  id: "019cd6a1-4f00-7c41-9d55-3f0a6b2c8e10",
  ...{ title, severity: "high", cause, unsteady: false, since: broken.toISOString(), resolvedAt: null, reason },
  failing: 1,
  tests: [
    {
      name: failed.testName,
      method: "get",
      path: "/books/{bookId}/price",
      apiName: "Bookshop",
      testCircleName: "Checkout, every morning",
      environment: failed.environment,
      reason,
    },
  ],
  runId: "019cd6a1-1a00-7b02-8f11-5d3c7e9a0b12",
  apiId: "0198c1e0-22b0-7d10-b1c4-7e5a9f3d6c21",
  ...{ resolvedRun: null, recovery: null },
};

const burning = {
  ...{ testCircleId: "019cd0a1-1f00-7c41-9d55-3f0a6b2c8e11", testCircleName: "Checkout, every morning" },
  ...{ apiId: incident.apiId, objective: 99.5, days: 30, counts: "passRate" as const },
  ...{ since: broken.toISOString(), endedAt: null, left: 0.62, exhaustedInMinutes: 1_340 },
  burn: [
    { hours: 1, rate: 40 },
    { hours: 6, rate: 20 },
    { hours: 72, rate: 2.5 },
  ],
};
const calm = {
  ...{ left: 0.58, exhaustedInMinutes: null },
  burn: [
    { hours: 1, rate: 0 },
    { hours: 6, rate: 5.5 },
    { hours: 72, rate: 2.8 },
  ],
};

/** One message of each kind, built like real ones. */
export function sampleMessages(): AlertMessage[] {
  const resolvedRun = { runId: "019cd7b4-2d00-7b02-8f11-5d3c7e9a0b12", apiId: incident.apiId };
  const resolved = { ...incident, resolvedAt: later(5).toISOString(), failing: 0, resolvedRun };
  return [
    createIncidentsMessage("opened", [incident], { at: broken }),
    createIncidentsMessage("reminder", [incident], { at: later(4) }),
    createIncidentsMessage("recovered", [resolved], { at: later(5) }),
    createBurnMessage(burning, broken),
    createBurnMessage({ ...burning, ...calm, endedAt: later(3).toISOString() }, later(3)),
    createCertificateMessage({ host: "api.example.com", validTo: later(24 * 14), daysLeft: 14 }, broken),
    createTestMessage("On call", broken),
  ];
}
