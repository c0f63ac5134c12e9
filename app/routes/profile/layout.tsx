import { Outlet, useLocation } from "@remix-run/react";
import { href } from "~/href";
import { Page } from "~/shell/page/page";
import { WorkspaceNav } from "~/shell/workspace-nav/workspace-nav";
import { SideNavigation } from "~/ui/side-navigation/side-navigation";
import { type ProfileEntry, profileEntries } from "./profile-entries";

export default function Profile() {
  const { pathname } = useLocation();
  const isCurrent = ({ href, under, hasMore }: ProfileEntry) =>
    [href, ...under].some((location) => location === pathname) || (hasMore && pathname.startsWith(`${href}/`));
  return (
    <>
      <WorkspaceNav path={href("/profile")} />
      <Page
        sidebar={
          <SideNavigation
            label="Profile"
            flows
            groups={[
              {
                key: "profile",
                items: profileEntries.map((location) => ({
                  href: location.href,
                  label: location.label,
                  current: isCurrent(location),
                })),
              },
            ]}
          />
        }
      >
        <Outlet />
      </Page>
    </>
  );
}
