import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { available } from "~/backend/responses";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { WorkspaceNav } from "~/shell/workspace-nav/workspace-nav";
import { Badge } from "~/ui/badge/badge";
import { formatCount } from "~/ui/count/format-count";
import { SideNavigation } from "~/ui/side-navigation/side-navigation";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { findPage, getNavGroups } from "./nav-groups";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { countInvitations } = viewer.backend.securityService;
  const open = viewer.may("users:manage")
    ? await countInvitations({ query: { status: "PENDING,SENT" } }).then(available)
    : undefined;
  return { groups: getNavGroups(viewer), counts: { openInvitations: open?.count } };
}

/** Number of pending invitations; undefined where there are none. */
function OpenCount({ count }: { count: number | undefined }) {
  if (!count) return null;
  return (
    <Badge icon={null}>
      {formatCount(count)}
      <VisuallyHidden> not answered</VisuallyHidden>
    </Badge>
  );
}

export default function Administration() {
  const { groups, counts } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const current = findPage(pathname, groups);
  return (
    <>
      <WorkspaceNav path={pathname} />
      <Page
        sidebar={
          <SideNavigation
            label="Administration"
            flows
            groups={groups.map(({ label, entries: places }) => ({
              key: label,
              label,
              items: places.map(({ page, label, counts: counted }) => ({
                href: href(page),
                label,
                current: page === current,
                count: counted && <OpenCount count={counts[counted]} />,
              })),
            }))}
          />
        }
      >
        <Outlet />
      </Page>
    </>
  );
}
