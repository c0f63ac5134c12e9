import type { Incident } from "#contracts/test-analyzer/incidents.ts";
import { RecoveryWords } from "~/features/recoveries/recovery-words";
import { href } from "~/href";
import { capitalize } from "~/ui/capitalize";
import { plural } from "~/ui/count/plural";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { formatAgo, Moment } from "~/ui/moment/moment";

export interface IncidentDetailsProps {
  incident: Incident;
  now: string;
  maySeeCredentials: boolean;
}

const seenWords: Record<Incident["places"][number]["state"], string> = {
  failing: "fails",
  passing: "passes",
  notRun: "not run: no agent responded there, or the test was skipped",
};

/** The details of an incident, one per line. */
export function IncidentDetails({ incident, now, maySeeCredentials }: IncidentDetailsProps) {
  const { cause, reason, since, failing, affected, apiId, runId, firstRun, acknowledged, mutedUntil, resolved } =
    incident;
  const { recovery } = incident;
  const document = cause.kind === "document" ? cause : undefined;
  const location = cause.kind === "location" ? cause : undefined;
  const isUntested = Boolean(document ?? location);
  const at = (value: string) => <Moment value={value} />;
  return (
    <DefinitionList
      items={[
        { term: isUntested ? "What was found" : "Reason", value: reason ?? "Not known" },
        {
          term: location?.hasCalled ? "Last call" : isUntested ? "Since" : resolved ? "Failed from" : "Failing since",
          value: (
            <>
              {at(since)}, {formatAgo(since, now)}
            </>
          ),
        },
        incident.places.length > 0 && {
          term: "Seen from",
          value: (
            <ul>
              {incident.places.map(({ locationId, name, state, since: from }) => (
                <li key={locationId ?? "portal"}>
                  {capitalize(name ?? "a deleted location")}: {seenWords[state]}
                  {from && <> since {at(from)}</>}
                </li>
              ))}
            </ul>
          ),
        },
        document && {
          term: "Document",
          value: (
            <a href={href("/api-management/:apiId/details/watch", { apiId: document.apiId })}>
              {document.problem === "changed" ? "Review the new version" : "See how it is watched"}
            </a>
          ),
        },
        location && {
          term: "Location",
          value: (
            <a href={href("/administration/locations/:locationId", { locationId: location.locationId })}>
              See its agents
            </a>
          ),
        },
        !isUntested && {
          term: "Failing now",
          value: `${failing === 0 ? "None" : failing.toLocaleString("en")} of ${plural(affected, "test")}`,
        },
        recovery && {
          term: "Recovering",
          value: (
            <>
              <RecoveryWords recovery={recovery} now={now} />{" "}
              <a href={href("/test-management/:apiId/runs/:runId", recovery)}>See the run that passed</a>
            </>
          ),
        },
        firstRun !== null && {
          term: "First failure",
          value: <a href={href("/test-management/:apiId/runs/:runId", firstRun)}>See the first failing run</a>,
        },
        runId !== null && {
          term: "Newest failure",
          value: <a href={href("/test-management/:apiId/runs/:runId", { apiId, runId })}>See the run</a>,
        },
        cause.kind === "certificate" && {
          term: "Certificate",
          value: (
            <a href={`${href("/test-management/certificates")}?host=${encodeURIComponent(cause.host)}`}>
              See the certificate it showed last
            </a>
          ),
        },
        cause.kind === "credential" &&
          maySeeCredentials && {
            term: "Credential",
            value: (
              <a href={href("/administration/credentials/:credentialId/edit", { credentialId: cause.credentialId })}>
                See the credential
              </a>
            ),
          },
        acknowledged && {
          term: "Acknowledged",
          value: (
            <>
              by {acknowledged.by.name}, {at(acknowledged.at)}
            </>
          ),
        },
        mutedUntil !== null && { term: "Muted until", value: at(mutedUntil) },
        resolved && {
          term: "Resolved",
          value: (
            <>
              {at(resolved.at)},{" "}
              {resolved.by
                ? `by ${resolved.by.name}`
                : isUntested
                  ? "automatically"
                  : "automatically: its tests recovered or were deleted"}{" "}
              {resolved.run && (
                <a href={href("/test-management/:apiId/runs/:runId", resolved.run)}>See the run that resolved it</a>
              )}
            </>
          ),
        },
      ]}
    />
  );
}
