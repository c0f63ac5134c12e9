import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet } from "@remix-run/react";
import { available } from "~/backend/responses";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import type { RailHandle } from "~/shell/rail/rail-handle";

export const handle: RailHandle = { railCounts: (data) => data as Awaited<ReturnType<typeof loader>> };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { countInvitations } = viewer.backend.securityService;
  const open = viewer.may("users:manage")
    ? await countInvitations({ query: { status: "PENDING,SENT" } }).then(available)
    : undefined;
  return { openInvitations: open?.count };
}

export default function Administration() {
  return (
    <Page>
      <Outlet />
    </Page>
  );
}
