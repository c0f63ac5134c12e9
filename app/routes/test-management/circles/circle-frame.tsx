import type { ReactNode } from "react";
import type { Crumb } from "~/ui/breadcrumbs/breadcrumbs";
import { OrganizationFrame } from "./organization-frame";

export interface CircleFrameProps {
  /** Undefined at the addresses that belong to no API, which stand in no other frame. */
  apiId: string | undefined;
  crumbs: readonly Crumb[];
  children: ReactNode;
}

export function CircleFrame({ apiId, crumbs, children }: CircleFrameProps) {
  if (apiId) return children;
  return (
    <OrganizationFrame current="Circles" crumbs={crumbs}>
      {children}
    </OrganizationFrame>
  );
}
