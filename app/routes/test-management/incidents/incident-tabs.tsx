import { href } from "~/href";
import { Tabs } from "~/ui/tabs/tabs";

export interface IncidentTabsProps {
  current: "incidents" | "certificates" | "rules" | "channels";
}

/** What is broken in the organization, and who hears of it. */
export function IncidentTabs({ current }: IncidentTabsProps) {
  return (
    <Tabs
      label="Incidents and alerts"
      items={[
        { label: "Incidents", href: href("/test-management/incidents"), current: current === "incidents" },
        { label: "Certificates", href: href("/test-management/certificates"), current: current === "certificates" },
        { label: "Alert rules", href: href("/test-management/alert-rules"), current: current === "rules" },
        { label: "Alert channels", href: href("/test-management/alert-channels"), current: current === "channels" },
      ]}
    />
  );
}
