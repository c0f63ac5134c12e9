import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLocation } from "@remix-run/react";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { WorkspaceNav } from "~/shell/workspace-nav/workspace-nav";
import { Stack } from "~/ui/layout/layout";
import { SideNavigation } from "~/ui/side-navigation/side-navigation";
import { SplitView } from "~/ui/split-view/split-view";

const places = [{ href: href("/administration/credentials"), label: "Credentials" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return null;
}

export default function Administration() {
  const { pathname } = useLocation();
  const items = places.map((place) => ({ ...place, current: pathname.startsWith(place.href) }));
  return (
    <>
      <WorkspaceNav path={pathname} />
      <Page>
        <SplitView
          sidebar={<SideNavigation label="Administration" groups={[{ key: "all", label: "Administration", items }]} />}
        >
          <Stack gap="huge">
            <Outlet />
          </Stack>
        </SplitView>
      </Page>
    </>
  );
}
