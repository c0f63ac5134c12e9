import { partsByService } from "~/backend/parts";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { Table } from "~/ui/table/table";
import type { ServiceStatus } from "./service-statuses.server";

/** Health and version of the six services, as reported by each. */
export function ServiceCard({ services }: { services: readonly ServiceStatus[] }) {
  return (
    <Card title="Services" description="Just checked, with a timeout of five seconds." flush id="services">
      <Table
        caption="Services"
        captionHidden
        bare
        rows={services}
        rowKey={({ service }) => service}
        columns={[
          { key: "service", header: "Service", rowHeader: true, cell: ({ service }) => service },
          { key: "part", header: "Responsible for", cell: ({ service }) => partsByService[service] ?? "" },
          { key: "health", header: "Health", cell: (status) => <Health {...status} /> },
          { key: "version", header: "Version", tight: true, cell: ({ version }) => version ?? "unavailable" },
        ]}
      />
    </Card>
  );
}

function Health({ status, away }: ServiceStatus) {
  if (status === null) return <Badge tone="danger">unavailable</Badge>;
  if (status === "UP" && away.length === 0) return <Badge tone="success">up</Badge>;
  return (
    <Badge tone={status === "UP" ? "warning" : "danger"}>
      {status === "UP" ? "up" : "down"}
      {away.length > 0 && `, without ${away.join(", ")}`}
    </Badge>
  );
}
