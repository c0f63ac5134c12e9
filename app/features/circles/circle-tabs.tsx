import { href } from "~/href";
import { Tabs } from "~/ui/tabs/tabs";

export interface CircleTabsProps {
  apiId: string;
  testCircleId: string;
  current: "overview" | "edit" | "runs" | "rule" | "status";
}

/** The pages of one circle. */
export function CircleTabs({ apiId, testCircleId, current }: CircleTabsProps) {
  const location = { apiId, testCircleId };
  return (
    <Tabs
      label="Views of this circle"
      items={[
        {
          label: "Overview",
          href: href("/test-management/:apiId/test-circles/:testCircleId", location),
          current: current === "overview",
        },
        {
          label: "Edit",
          href: href("/test-management/:apiId/test-circles/:testCircleId/edit", location),
          current: current === "edit",
        },
        {
          label: "Runs",
          href: href("/test-management/:apiId/test-circles/:testCircleId/executions/list", location),
          current: current === "runs",
        },
        {
          label: "Alert rule",
          href: href("/test-management/:apiId/test-circles/:testCircleId/alert-rules", location),
          current: current === "rule",
        },
        {
          label: "Status page",
          href: href("/test-management/:apiId/test-circles/:testCircleId/status-page", location),
          current: current === "status",
        },
      ]}
    />
  );
}
