import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ApiList } from "~/features/apis/api-list";
import { listApisWithStatus } from "~/features/apis/api-list.server";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";

export const meta: MetaFunction = () => [{ title: "Choose an API to test · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  return await listApisWithStatus(await requireViewer(request, context), request, context);
}

export default function SelectApi() {
  return (
    <Page>
      <ApiList
        title="Choose an API to test"
        description="Open an API to see which operations are tested and their results."
        listed={useLoaderData<typeof loader>()}
      />
    </Page>
  );
}
