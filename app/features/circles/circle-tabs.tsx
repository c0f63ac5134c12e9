import { href } from "~/href";
import { Tabs } from "~/ui/tabs/tabs";

export interface CircleTabsProps {
  apiId: string;
  testCircleId: string;
  current: "overview" | "edit" | "runs" | "rule" | "status";
}

/** The pages of one circle. */
export function CircleTabs({ apiId, testCircleId, current }: CircleTabsProps) {
  const place = { apiId, testCircleId };
  return (
    <Tabs
      label="Views of this circle"
      items={[
        {
          label: "Overview",
          href: href("/test-management/:apiId/test-circles/:testCircleId", place),
          current: current === "overview",
        },
        {
          label: "Edit",
          href: href("/test-management/:apiId/test-circles/:testCircleId/edit", place),
          current: current === "edit",
        },
        {
          label: "Runs",
          href: href("/test-management/:apiId/test-circles/:testCircleId/executions/list", place),
          current: current === "runs",
        },
        {
          label: "Alert rule",
          href: href("/test-management/:apiId/test-circles/:testCircleId/alert-rules", place),
          current: current === "rule",
        },
        {
          label: "Status page",
          href: href("/test-management/:apiId/test-circles/:testCircleId/status-page", place),
          current: current === "status",
        },
      ]}
    />
  );
}
