import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useMatches } from "@remix-run/react";
import { requireViewer } from "~/session/guards";
import type { ApiPageHandle } from "~/shell/api-header/api-handle";
import { ApiHeader } from "~/shell/api-header/api-header";
import { findApiHeader } from "~/shell/api-header/find-api-header.server";
import { Page } from "~/shell/page/page";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return { header: await findApiHeader(viewer, params.apiId!) };
}

/** Around all pages of an API, at both of its addresses. */
export default function Api() {
  const { header } = useLoaderData<typeof loader>();
  const makesPage = useMatches().some(({ handle }) => (handle as ApiPageHandle | undefined)?.makesPage);
  return (
    <>
      <ApiHeader facts={header} />
      {makesPage ? (
        <Outlet />
      ) : (
        <Page>
          <Outlet />
        </Page>
      )}
    </>
  );
}
