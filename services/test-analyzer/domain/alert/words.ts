import type { AlertIncident, AlertMessage, AlertTest } from "#contracts/test-analyzer/alert-messages.ts";
import { formatMomentIn } from "#libraries/time-zone/written-moment.ts";

/** The run's page in the portal. */
export function runHref(origin: string, { apiId, runId }: { apiId: string; runId: string }): string {
  return `${origin}/test-management/${apiId}/runs/${runId}`;
}

/** The incident's page in the portal, where it is acknowledged. */
export function incidentHref(origin: string, { id }: { id: string }): string {
  return `${origin}/test-management/incidents/${id}`;
}

/** The page of the watched document, where its new version is reviewed. */
export function documentHref(origin: string, { apiId }: { apiId: string }): string {
  return `${origin}/api-management/${apiId}/details/watch`;
}

/** The page of a location, where its agents are. */
export function locationHref(origin: string, { locationId }: { locationId: string }): string {
  return `${origin}/administration/locations/${locationId}`;
}

function listLinks(incident: AlertIncident, origin: string): Link[] {
  const { resolvedAt, resolvedRun, runId, apiId, cause } = incident;
  return [
    {
      name: resolvedAt ? "Open the incident" : "Open and acknowledge the incident",
      href: incidentHref(origin, incident),
    },
    ...(resolvedRun ? [{ name: "Open the run that resolved it", href: runHref(origin, resolvedRun) }] : []),
    ...(resolvedAt || runId === null ? [] : [{ name: "Open the failed run", href: runHref(origin, { apiId, runId }) }]),
    ...(cause.kind === "document" && !resolvedAt
      ? [
          {
            name: cause.problem === "changed" ? "Review the new version" : "Open the watched document",
            href: documentHref(origin, cause),
          },
        ]
      : []),
    ...(cause.kind === "location" && !resolvedAt
      ? [{ name: "Open the location", href: locationHref(origin, cause) }]
      : []),
  ];
}

const maxNames = 2;

function nameSome(names: readonly string[], kind: string): string {
  const distinct = [...new Set(names)];
  return distinct.length > maxNames ? `${distinct.length} ${kind}` : distinct.join(", ");
}

/** The message in one line, with the APIs and environments that it is about, and the circles if wanted. */
export function writeSubject(
  { title, incidents }: Pick<AlertMessage, "title" | "incidents">,
  { withCircles = false } = {},
): string {
  const tests = incidents.flatMap((incident) => incident.tests);
  const where = [
    nameSome(
      tests.map(({ apiName }) => apiName),
      "APIs",
    ),
    nameSome(
      withCircles ? tests.flatMap(({ testCircleName }) => (testCircleName ? `circle ${testCircleName}` : [])) : [],
      "circles",
    ),
    nameSome(
      tests.flatMap(({ environment }) => environment ?? []),
      "environments",
    ),
  ].filter(Boolean);
  return where.length === 0 ? title : `${title} (${where.join(", ")})`;
}

function describeLocation({ apiName, testCircleName, environment }: AlertTest): string {
  return [apiName, testCircleName && `circle ${testCircleName}`, environment].filter(Boolean).join(", ");
}

function describeTest(test: AlertTest, isOnly: boolean): string {
  const what = `${test.method.toUpperCase()} ${test.path} (${test.name}; ${describeLocation(test)})`;
  return isOnly || !test.reason ? what : `${what}: ${test.reason}`;
}

function describeRecovery({ at, byHand, resolves }: NonNullable<AlertIncident["recovery"]>, timeZone: string): string {
  const end = resolves === "steady" ? "five good results in a row" : "the next run where it failed";
  return `Passed ${byHand ? "manually" : "in another run"} at ${formatMomentIn(timeZone, at)}; resolves with ${end}.`;
}

type Kind = "failed" | "changed" | "unavailable" | "silent";
const lasted: Record<Kind, string> = {
  failed: "It failed",
  changed: "It waited for a decision",
  unavailable: "It was not readable",
  silent: "No agent called",
};
const lasts: Record<Kind, string> = {
  failed: "It has failed",
  changed: "It has waited for a decision",
  unavailable: "It has not been readable",
  silent: "No agent has called",
};

function getKind(cause: AlertIncident["cause"]): Kind {
  if (cause.kind === "document") return cause.problem;
  return cause.kind === "location" ? "silent" : "failed";
}

const list = new Intl.ListFormat("en");

/** "Seen from Berlin since 2026-03-10 07:00 UTC, not from the portal. Not run from Office." */
function describePlaces(places: NonNullable<AlertIncident["places"]>, timeZone: string): string[] {
  const names = (state: string) =>
    places.filter((one) => one.state === state).map(({ name }) => name ?? "a deleted location");
  const failing = places
    .filter(({ state }) => state === "failing")
    .map(
      ({ name, since }) => `${name ?? "a deleted location"}${since ? ` since ${formatMomentIn(timeZone, since)}` : ""}`,
    );
  if (failing.length === 0) return [];
  const [passing, silent] = [names("passing"), names("notRun")];
  const others = passing.length > 0 ? `, not from ${list.format(passing)}` : "";
  const notRun = silent.length > 0 ? ` Not run from ${list.format(silent)}.` : "";
  return [`Seen from ${list.format(failing)}${others}.${notRun}`];
}

/** The details of one incident, one per line, without its title. */
function describeIncident(incident: AlertIncident, timeZone: string): string[] {
  const { tests, failing, since, severity, resolvedAt, unsteady, reason, recovery, cause } = incident;
  const isOnly = tests.length === 1;
  const others = failing - tests.length;
  return [
    ...(reason && !resolvedAt ? [reason] : []),
    ...(incident.places && !resolvedAt ? describePlaces(incident.places, timeZone) : []),
    ...(unsteady && !resolvedAt ? ["Its verdicts keep changing. It stays open until five good results in a row."] : []),
    resolvedAt
      ? `${lasted[getKind(cause)]} from ${formatMomentIn(timeZone, since)} to ${formatMomentIn(timeZone, resolvedAt)}.`
      : `${lasts[getKind(cause)]} since ${formatMomentIn(timeZone, since)}. Severity: ${severity}.`,
    ...(recovery && !resolvedAt ? [describeRecovery(recovery, timeZone)] : []),
    ...tests.map((test) => describeTest(test, isOnly)),
    ...(others > 0 && !resolvedAt ? [`And ${others} other ${others === 1 ? "test" : "tests"}.`] : []),
  ];
}

/** A paragraph of a message in plain text. */
export interface Paragraph {
  heading?: string;
  lines: string[];
  links: Link[];
}

interface Link {
  name: string;
  href: string;
}

const rounded = (value: number) => String(Math.round(value * 10) / 10);

/** `45 minutes`, `3.6 hours`, `2.5 days` */
function writeMinutes(minutes: number): string {
  if (minutes < 120) return `${Math.max(1, Math.round(minutes))} minutes`;
  return minutes < 48 * 60 ? `${rounded(minutes / 60)} hours` : `${rounded(minutes / 1_440)} days`;
}

function describeBurn(level: NonNullable<AlertMessage["serviceLevel"]>, origin: string, timeZone: string): Paragraph {
  const { objective, days, counts, since, endedAt, burn, left, exhaustedInMinutes, apiId, testCircleId } = level;
  const [hour, sixHours] = burn.map(({ rate }) => (rate === null ? "unknown" : rounded(rate)));
  const ending =
    exhaustedInMinutes === null || endedAt ? "" : `; at this pace it is used up in ${writeMinutes(exhaustedInMinutes)}`;
  return {
    lines: [
      `Objective: ${objective} % of ${counts === "passRate" ? "results pass" : "responding to requests"} in ${days} days.`,
      endedAt
        ? `It burned fast from ${formatMomentIn(timeZone, since)} to ${formatMomentIn(timeZone, endedAt)}.`
        : `It has burned fast since ${formatMomentIn(timeZone, since)}.`,
      `Burn rate: ${hour} in the last hour, ${sixHours} in the last 6 hours. 1 uses the budget up in exactly ${days} days.`,
      ...(left === null
        ? []
        : [left > 0 ? `${rounded(left * 100)} % of the budget is left${ending}.` : "Error budget exhausted."]),
    ],
    links: apiId
      ? [{ name: "Open the circle", href: `${origin}/test-management/${apiId}/test-circles/${testCircleId}` }]
      : [],
  };
}

/** @param timeZone the reader's, when there is a single reader */
export function describeMessage(message: AlertMessage, origin: string, timeZone = "UTC"): Paragraph[] {
  const { incidents, more, certificate, serviceLevel, kind } = message;
  if (kind === "test") {
    const lines = ["This is a test of this channel. Alerts look like this, and say what broke and since when."];
    return [{ lines, links: [] }];
  }
  if (certificate) {
    const { host, validTo } = certificate;
    return [
      {
        lines: [
          `The certificate of ${host} is valid until ${formatMomentIn(timeZone, validTo)}. Tests of it fail from then on.`,
        ],
        links: [],
      },
    ];
  }
  if (serviceLevel) return [describeBurn(serviceLevel, origin, timeZone)];
  const isOnly = incidents.length === 1;
  return [
    ...incidents.map((incident) => ({
      ...(isOnly ? {} : { heading: incident.title }),
      lines: describeIncident(incident, timeZone),
      links: listLinks(incident, origin),
    })),
    ...(more > 0 ? [{ lines: [`And ${more} other ${more === 1 ? "incident" : "incidents"}.`], links: [] }] : []),
  ];
}
