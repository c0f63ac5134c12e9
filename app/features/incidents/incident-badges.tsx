import type { Severity } from "#contracts/test-analyzer/alert-rules.ts";
import type { IncidentState } from "#contracts/test-analyzer/incidents.ts";
import { Badge } from "~/ui/badge/badge";
import { severityWords, stateWords } from "./incident-words";

export function SeverityBadge({ severity }: { severity: Severity }) {
  const { word, tone, icon } = severityWords[severity];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}

export function IncidentStateBadge({ state }: { state: IncidentState }) {
  const { word, tone, icon } = stateWords[state];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
