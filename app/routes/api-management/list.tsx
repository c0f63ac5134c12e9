import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ApiList } from "~/features/apis/api-list";
import { listApisWithStatus } from "~/features/apis/api-list.server";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";

export const meta: MetaFunction = () => [{ title: "APIs · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  return await listApisWithStatus(await requireViewer(request, context), request, context);
}

export default function Apis() {
  return (
    <Page>
      <ApiList title="APIs" listed={useLoaderData<typeof loader>()} />
    </Page>
  );
}
