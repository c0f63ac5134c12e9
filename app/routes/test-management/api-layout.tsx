import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useLocation, useMatches } from "@remix-run/react";
import { required } from "~/backend/answers";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { Breadcrumbs, type Crumb } from "~/ui/breadcrumbs/breadcrumbs";
import { Stack } from "~/ui/layout/layout";
import { Tabs } from "~/ui/tabs/tabs";

/** What a page below puts into `handle` to stand in the breadcrumbs after the API: the last one is the page itself. */
export interface CrumbHandle {
  crumbs(match: { data: unknown; params: Record<string, string | undefined> }): Crumb[];
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const api = required(await viewer.backend.apiRegistry.summarizeApi({ params: { apiId: params.apiId! } }));
  return { api: { id: api.id, name: api.name, version: api.version } };
}

export default function ApiTests() {
  const { api } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const matches = useMatches();
  const overview = href("/test-management/:apiId/manage", { apiId: api.id });
  const tests = href("/test-management/:apiId/tests", { apiId: api.id });
  const runs = href("/test-management/:apiId/runs", { apiId: api.id });
  const circles = href("/test-management/:apiId/test-circles/list", { apiId: api.id });
  const crumbs = matches.flatMap(({ handle, data, params }) => {
    const named = handle as Partial<CrumbHandle> | undefined;
    return named?.crumbs ? named.crumbs({ data, params }) : [];
  });
  const tabs = [
    { label: "Overview", href: overview, current: pathname === overview },
    { label: "Tests", href: tests, current: pathname.startsWith(tests) },
    { label: "Runs", href: runs, current: pathname.startsWith(runs) },
    { label: "Circles", href: circles, current: pathname.includes("/test-circles/") },
    { label: "API details", href: href("/api-management/:apiId/details", { apiId: api.id }) },
  ];
  return (
    <Page>
      <Stack gap="medium">
        <Breadcrumbs
          items={[
            { label: "Tests", href: href("/test-management/select-api") },
            { label: api.name, href: crumbs.length > 0 ? overview : undefined },
            ...crumbs,
          ]}
        />
        <Tabs label={`Views of ${api.name}`} items={tabs} />
      </Stack>
      <Outlet />
    </Page>
  );
}
