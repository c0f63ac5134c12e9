import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { CredentialTable } from "~/features/credentials/credential-table";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { ListPage } from "~/ui/list-page/list-page";
import { TextField } from "~/ui/text-field/text-field";

export const meta: MetaFunction = () => [{ title: "Credentials · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const domain = search.get("domain")?.trim() || undefined;
  const cursor = search.get("cursor") || undefined;
  const page = required(await viewer.backend.securityService.listCredentials({ query: { query, domain, cursor } }));
  return {
    asked: { query, domain, cursor },
    address: request.url,
    credentials: page.items,
    nextCursor: page.nextCursor,
    mayManage: viewer.may("credentials:manage"),
  };
}

export default function Credentials() {
  const { asked, address, credentials, nextCursor, mayManage } = useLoaderData<typeof loader>();
  return (
    <ListPage
      title="Credentials"
      description="Credentials for your tests. Secrets are only sent to their own domain and never shown again."
      one="credential"
      many="credentials"
      {...{ requested: asked, address, nextCursor }}
      create={mayManage && { href: href("/administration/credentials/create"), label: "Create a credential" }}
      searchLabel="Search by name or domain"
      filters={
        <TextField
          label="Matches host"
          labelHidden
          name="domain"
          defaultValue={asked.domain}
          placeholder="Matches host"
          autoCapitalize="none"
          inputMode="url"
        />
      }
      isEmpty={credentials.length === 0}
      nothingYet={{
        title: "No credentials yet",
        illustration: "keys",
        children: mayManage
          ? "APIs that require authentication are tested with the credentials stored here."
          : "An administrator needs to create the first one; tests can then use it by name.",
      }}
    >
      <CredentialTable caption="Credentials" {...{ credentials, mayManage }} />
    </ListPage>
  );
}
