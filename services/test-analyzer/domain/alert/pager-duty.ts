import type { AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import type { Severity } from "#contracts/test-analyzer/alert-rules.ts";
import { shortened } from "./texts.ts";
import { describeMessage, writeSubject } from "./words.ts";

const severities: Record<Severity, "critical" | "error" | "warning" | "info"> = {
  critical: "critical",
  high: "error",
  medium: "warning",
  low: "info",
};

/** Limits of PagerDuty's documentation, in characters. */
const limits = { summary: 1_024, dedupKey: 255, linkText: 100 };

/** The same for all events about one cause: what opens, is repeated and ends is one alert. */
function getDedupKey({ kind, title, incidents, certificate, serviceLevel }: AlertMessage): string {
  const [incident] = incidents;
  if (incident) return incident.causeKey ?? incident.id;
  if (serviceLevel) return `service-level ${serviceLevel.testCircleId}`;
  if (certificate) return shortened(`certificate ${certificate.host}`, limits.dedupKey);
  return shortened(`${kind} ${title}`, limits.dedupKey);
}

/** What is affected: the host of the cause, else the API or circle. */
function getSource({ incidents, certificate, serviceLevel }: AlertMessage): string {
  const [incident] = incidents;
  const host = incident && "host" in incident.cause ? incident.cause.host : certificate?.host;
  return host ?? incident?.tests[0]?.apiName ?? serviceLevel?.testCircleName ?? "API Assurance";
}

/**
 * An event of PagerDuty's Events API v2 about one incident.
 * https://developer.pagerduty.com/api-reference/368ae3d938c9e-send-an-event-to-pager-duty
 */
export function writePagerDuty(message: AlertMessage, origin: string, routingKey: string): string {
  const [incident] = message.incidents;
  const test = incident?.tests[0];
  const isOver = message.kind === "recovered" || message.kind === "steady";
  const paragraphs = describeMessage(message, origin);
  const links = paragraphs.flatMap((paragraph) => paragraph.links);
  return JSON.stringify({
    routing_key: routingKey,
    event_action: isOver ? "resolve" : "trigger",
    dedup_key: getDedupKey(message),
    payload: {
      summary: shortened(writeSubject(message), limits.summary),
      source: getSource(message),
      severity: message.severity ? severities[message.severity] : "info",
      timestamp: message.at,
      ...(test?.testCircleName ? { component: test.testCircleName } : {}),
      ...(test ? { group: test.apiName } : {}),
      class: incident?.cause.kind ?? message.kind,
      custom_details: {
        what: paragraphs.flatMap(({ lines }) => lines).join("\n"),
        ...(incident ? { since: incident.since, reason: incident.reason, failing_tests: incident.failing } : {}),
      },
    },
    client: "API Assurance",
    client_url: links[0]?.href ?? origin,
    links: links.map(({ name, href }) => ({ href, text: shortened(name, limits.linkText) })),
  });
}
