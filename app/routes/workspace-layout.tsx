import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLocation } from "@remix-run/react";
import { requireViewer } from "~/session/guards";
import { WorkspaceNav } from "~/shell/workspace-nav/workspace-nav";

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return null;
}

export default function Workspace() {
  return (
    <>
      <WorkspaceNav path={useLocation().pathname} />
      <Outlet />
    </>
  );
}
