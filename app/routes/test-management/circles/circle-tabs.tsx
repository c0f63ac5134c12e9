import { href } from "~/href";
import { Tabs } from "~/ui/tabs/tabs";

export interface CircleTabsProps {
  apiId: string;
  testCircleId: string;
  current: "circle" | "runs";
}

/** The pages of one circle. */
export function CircleTabs({ apiId, testCircleId, current }: CircleTabsProps) {
  const place = { apiId, testCircleId };
  return (
    <Tabs
      label="Views of this circle"
      items={[
        {
          label: "Circle",
          href: href("/test-management/:apiId/test-circles/:testCircleId/edit", place),
          current: current === "circle",
        },
        {
          label: "Runs",
          href: href("/test-management/:apiId/test-circles/:testCircleId/executions/list", place),
          current: current === "runs",
        },
      ]}
    />
  );
}
