import type { ReactNode } from "react";
import { href } from "~/href";
import { Page } from "~/shell/page/page";
import { Breadcrumbs, type Crumb } from "~/ui/breadcrumbs/breadcrumbs";
import { Stack } from "~/ui/layout/layout";
import { Tabs } from "~/ui/tabs/tabs";

const places = {
  Circles: href("/test-management/test-circles/list"),
  Schedules: href("/test-management/schedules"),
  "Maintenance windows": href("/test-management/maintenance-windows"),
};

export interface OrganizationFrameProps {
  current: keyof typeof places;
  /** After the current place; none on its own page. */
  crumbs?: readonly Crumb[];
  children: ReactNode;
}

/** Around pages of circles and when they run, for what belongs to no single API. */
export function OrganizationFrame({ current, crumbs = [], children }: OrganizationFrameProps) {
  return (
    <Page>
      <Stack gap="medium">
        {crumbs.length > 0 && <Breadcrumbs items={[{ label: current, href: places[current] }, ...crumbs]} />}
        <Tabs
          label="Circles and when they run"
          items={Object.entries(places).map(([label, href]) => ({ label, href, current: label === current }))}
        />
      </Stack>
      {children}
    </Page>
  );
}
