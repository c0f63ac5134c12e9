import { Badge } from "~/ui/badge/badge";
import type { Severity } from "../../services/test-analyzer/contract/alert-rules.ts";
import type { IncidentState } from "../../services/test-analyzer/contract/incidents.ts";
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
