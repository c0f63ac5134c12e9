import type { CircleParams } from "~/features/circles/circle-addresses";
import { href } from "~/href";
import type { ApiPageHandle } from "~/shell/api-header/api-handle";

/** The breadcrumb between the circles and a page below a circle's own. The page's loader returns `circle`. */
export const circleCrumbs: ApiPageHandle["crumbs"] = ({ data, params }) => [
  {
    label: (data as { circle?: { name: string } } | undefined)?.circle?.name ?? "Circle",
    href: href("/test-management/:apiId/test-circles/:testCircleId", params as CircleParams),
  },
];
