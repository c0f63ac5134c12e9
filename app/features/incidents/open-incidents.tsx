import type { ReactNode } from "react";
import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { IncidentTable } from "./incident-table";
import type { FoundIncidents } from "./open-incidents.server";

export interface OpenIncidentsProps {
  found: FoundIncidents;
  /** For example a link to the alert rule that applies. */
  actions?: ReactNode;
}

/** A summary of the open incidents. */
export function OpenIncidents({ found: { incidents, total, of, now }, actions }: OpenIncidentsProps) {
  return (
    <Card
      title={
        total === 0 ? (
          "Open incidents"
        ) : (
          <a href={href("/test-management/incidents", of)}>Open incidents {formatCount(total)}</a>
        )
      }
      description={total === 0 ? "None." : undefined}
      flush
      actions={actions}
      footer={
        total > incidents.length && (
          <a href={href("/test-management/incidents", of)}>All {formatCount(total)} incidents</a>
        )
      }
    >
      {incidents.length > 0 && (
        <IncidentTable bare caption="Open incidents, most severe first" {...{ incidents, now }} />
      )}
    </Card>
  );
}
