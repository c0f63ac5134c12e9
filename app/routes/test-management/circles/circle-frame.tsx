import type { ReactNode } from "react";
import { Page } from "~/shell/page/page";
import { Breadcrumbs, type Crumb } from "~/ui/breadcrumbs/breadcrumbs";
import { circleListAddress } from "./circle-places";

export interface CircleFrameProps {
  /** Undefined at the addresses that belong to no API, which stand in no other frame. */
  apiId: string | undefined;
  crumbs: readonly Crumb[];
  children: ReactNode;
}

export function CircleFrame({ apiId, crumbs, children }: CircleFrameProps) {
  if (apiId) return children;
  return (
    <Page>
      {crumbs.length > 0 && (
        <Breadcrumbs items={[{ label: "Circles", href: circleListAddress(undefined) }, ...crumbs]} />
      )}
      {children}
    </Page>
  );
}
