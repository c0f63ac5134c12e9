import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useMatches } from "@remix-run/react";
import { findRunQuestion } from "~/features/runs/run-all.server";
import { requireViewer } from "~/session/guards";
import type { ApiPageHandle } from "~/shell/api-header/api-handle";
import { ApiHeader } from "~/shell/api-header/api-header";
import { findApiHeader } from "~/shell/api-header/find-api-header.server";
import { RunDialog } from "~/shell/api-header/run-menu";
import { Page } from "~/shell/page/page";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const header = await findApiHeader(viewer, apiId);
  return { header, asked: await findRunQuestion(request, viewer, apiId, header.runnable) };
}

/** Layout of all pages of an API, at both of its addresses. */
export default function Api() {
  const { header, asked } = useLoaderData<typeof loader>();
  const makesPage = useMatches().some(({ handle }) => (handle as ApiPageHandle | undefined)?.makesPage);
  return (
    <>
      <ApiHeader {...header} />
      {makesPage ? (
        <Outlet />
      ) : (
        <Page>
          <Outlet />
        </Page>
      )}
      {asked && <RunDialog apiId={header.api.id} runKey={header.runKey} locations={header.locations} asked={asked} />}
    </>
  );
}
