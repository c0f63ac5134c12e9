import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useLocation, useMatches } from "@remix-run/react";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { Breadcrumbs, type Crumb } from "~/ui/breadcrumbs/breadcrumbs";
import { Stack } from "~/ui/layout/layout";
import { Tabs } from "~/ui/tabs/tabs";
import { requireApiSummary } from "./api-summary.server";

/** What a page below puts into `handle` to stand in the breadcrumbs after the API: the last one is the page itself. */
export interface CrumbHandle {
  crumbs(match: { data: unknown; params: Record<string, string | undefined> }): Crumb[];
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { id, name } = await requireApiSummary(viewer, params.apiId!);
  return { api: { id, name } };
}

/** The API's name for the titles of the pages below. */
export function apiNameOf(matches: readonly { id: string; data: unknown }[]): string {
  const layout = matches.find(({ id }) => id === "routes/api-management/$apiId/layout");
  return (layout?.data as Awaited<ReturnType<typeof loader>> | undefined)?.api.name ?? "API";
}

export default function Api() {
  const { api } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const crumbs = useMatches().flatMap(({ handle, data, params }) => {
    const named = handle as Partial<CrumbHandle> | undefined;
    return named?.crumbs ? named.crumbs({ data, params }) : [];
  });
  const details = href("/api-management/:apiId/details", { apiId: api.id });
  const viewer = href("/api-management/:apiId/swagger", { apiId: api.id });
  return (
    <Page gap="large">
      <Stack gap="medium">
        <Breadcrumbs
          items={[
            { label: "APIs", href: href("/api-management/list") },
            { label: api.name, href: crumbs.length > 0 ? details : undefined },
            ...crumbs,
          ]}
        />
        <Tabs
          label={`Views of ${api.name}`}
          items={[
            { label: "Details", href: details, current: pathname.startsWith(details) },
            { label: "Viewer", href: viewer, current: pathname.startsWith(viewer) },
            { label: "Tests", href: href("/test-management/:apiId/manage", { apiId: api.id }) },
          ]}
        />
      </Stack>
      <Outlet />
    </Page>
  );
}
