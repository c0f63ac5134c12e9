import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { ConfigTable } from "~/features/credentials/config-table";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { ListPage } from "~/ui/list-page/list-page";

export const meta: MetaFunction = () => [{ title: "Authorization configs · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const cursor = search.get("cursor") || undefined;
  const page = required(await viewer.backend.securityService.listAuthorizationConfigs({ query: { query, cursor } }));
  return {
    asked: { query, cursor },
    address: request.url,
    configs: page.items,
    nextCursor: page.nextCursor,
    mayManage: viewer.may("domains:manage"),
  };
}

export default function AuthorizationConfigs() {
  const { asked, address, configs, nextCursor, mayManage } = useLoaderData<typeof loader>();
  return (
    <ListPage
      title="Authorization configs"
      description="Maps security schemes to credentials, per domain. Tests that inherit their authorization use the mapping."
      one="authorization config"
      many="authorization configs"
      {...{ requested: asked, address, nextCursor }}
      create={
        mayManage && {
          href: href("/administration/authorization-configs/create"),
          label: "Create an authorization config",
        }
      }
      searchLabel="Search by domain, scheme or credential"
      isEmpty={configs.length === 0}
      nothingYet={{
        title: "No authorization configs yet",
        illustration: "keys",
        children: mayManage
          ? "Map each security scheme of a document to a credential. Without a mapping, tests that inherit send all credentials stored for the host."
          : "An administrator needs to create the first one. Until then, tests that inherit send all credentials stored for the host.",
      }}
    >
      <ConfigTable caption="Authorization configs" {...{ configs, mayManage }} />
    </ListPage>
  );
}
