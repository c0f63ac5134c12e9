import type { AlertMessage, ToldIncident, ToldTest } from "../../contract/alert-messages.ts";

/** `2026-03-10 07:00 UTC`: one form for readers everywhere. */
export function writeMinute(moment: string): string {
  return `${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC`;
}

/** Where a run is shown in the portal. */
export function runHref(origin: string, { apiId, runId }: { apiId: string; runId: string }): string {
  return `${origin}/test-management/${apiId}/runs/${runId}`;
}

function place({ apiName, testCircleName, environment }: ToldTest): string {
  return [apiName, testCircleName && `circle ${testCircleName}`, environment].filter(Boolean).join(", ");
}

function describeTest(test: ToldTest, isOnly: boolean): string {
  const what = `${test.method.toUpperCase()} ${test.path} (${test.name}; ${place(test)})`;
  return isOnly || !test.reason ? what : `${what}: ${test.reason}`;
}

/** What is told of one incident, a line each, besides its title. */
function describeIncident(incident: ToldIncident): string[] {
  const { tests, failing, since, resolvedAt, unsteady, reason } = incident;
  const isOnly = tests.length === 1;
  const others = failing - tests.length;
  return [
    ...(reason && !resolvedAt ? [reason] : []),
    ...(unsteady && !resolvedAt
      ? ["Its verdicts change to and fro. It stays open until five good results in a row."]
      : []),
    resolvedAt
      ? `It failed from ${writeMinute(since)} to ${writeMinute(resolvedAt)}.`
      : `It has failed since ${writeMinute(since)}.`,
    ...tests.map((test) => describeTest(test, isOnly)),
    ...(others > 0 && !resolvedAt ? [`And ${others} other ${others === 1 ? "test" : "tests"}.`] : []),
  ];
}

/** A paragraph of a message: what a reader of a channel sees, in plain words. */
export interface Paragraph {
  heading?: string;
  lines: string[];
  link?: { name: string; href: string };
}

export function describeMessage(message: AlertMessage, origin: string): Paragraph[] {
  const { incidents, more, certificate, kind } = message;
  if (kind === "test") {
    return [{ lines: ["This is a test of this channel. Alerts look like this, and say what broke and since when."] }];
  }
  if (certificate) {
    const { host, validTo } = certificate;
    return [
      { lines: [`The certificate of ${host} is valid until ${writeMinute(validTo)}. Tests of it fail from then on.`] },
    ];
  }
  const isOnly = incidents.length === 1;
  return [
    ...incidents.map((incident) => ({
      ...(isOnly ? {} : { heading: incident.title }),
      lines: describeIncident(incident),
      link: { name: "Open the run", href: runHref(origin, incident) },
    })),
    ...(more > 0 ? [{ lines: [`And ${more} other ${more === 1 ? "incident" : "incidents"}.`] }] : []),
  ];
}
