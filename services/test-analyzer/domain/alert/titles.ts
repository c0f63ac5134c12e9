import type { AlertIncident, AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import { graver } from "../incident/rule-in-force.ts";

const beginnings: Record<"opened" | "reminder" | "recovered", string> = {
  opened: "",
  reminder: "Still: ",
  recovered: "Resolved: ",
};

const maxDisplayed = 10;

/**
 * One message for incidents that are reported together.
 * @param beginning replaces the kind's own, e.g. `Resolved by Ada: `
 */
export function createIncidentsMessage(
  kind: keyof typeof beginnings,
  incidents: readonly AlertIncident[],
  { at, beginning = beginnings[kind] }: { at: Date; beginning?: string },
): AlertMessage {
  const [first, ...others] = incidents;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return {
    kind,
    title: `${beginning}${first?.title ?? ""}${more}`,
    at: at.toISOString(),
    severity: incidents.map(({ severity }) => severity).reduce(graver),
    incidents: incidents.slice(0, maxDisplayed),
    more: Math.max(0, incidents.length - maxDisplayed),
  };
}

export function createTestMessage(channelName: string, at: Date): AlertMessage {
  const title = `Test of the channel ${channelName}`;
  return { kind: "test", title, at: at.toISOString(), severity: null, incidents: [], more: 0 };
}

export function createCertificateMessage(
  { host, validTo, daysLeft }: { host: string; validTo: Date; daysLeft: number },
  at: Date,
): AlertMessage {
  const when = daysLeft < 1 ? "within a day" : daysLeft === 1 ? "in a day" : `in ${daysLeft} days`;
  return {
    kind: "certificate",
    title: `The certificate of ${host} expires ${when}`,
    at: at.toISOString(),
    severity: daysLeft <= 3 ? "critical" : "high",
    incidents: [],
    more: 0,
    certificate: { host, validTo: validTo.toISOString(), daysLeft },
  };
}

/** Reports that a budget burns fast or, with an end, that it no longer does. */
export function createBurnMessage(serviceLevel: NonNullable<AlertMessage["serviceLevel"]>, at: Date): AlertMessage {
  const { testCircleName: name, endedAt } = serviceLevel;
  return {
    kind: endedAt ? "steady" : "burning",
    title: endedAt ? `${name}: its error budget no longer burns fast` : `${name} burns its error budget fast`,
    at: at.toISOString(),
    severity: "high",
    incidents: [],
    more: 0,
    serviceLevel,
  };
}
