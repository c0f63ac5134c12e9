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
      description="What tests authenticate with. A secret is sent to its own domain only, and never shown again."
      one="credential"
      many="credentials"
      {...{ requested: asked, address, nextCursor }}
      create={mayManage && { href: href("/administration/credentials/create"), label: "Create a credential" }}
      searchLabel="Search by name or domain"
      filters={
        <TextField
          label="Fits the host"
          labelHidden
          name="domain"
          defaultValue={asked.domain}
          placeholder="Fits the host"
          autoCapitalize="none"
          inputMode="url"
        />
      }
      isEmpty={credentials.length === 0}
      nothingYet={{
        title: "No credential is stored yet",
        icon: "key",
        children: mayManage
          ? "An API that asks for a user name, a token or a key is tested with a credential stored here."
          : "An administrator stores the first one; tests can then use it by its name.",
      }}
    >
      <CredentialTable caption="Credentials" {...{ credentials, mayManage }} />
    </ListPage>
  );
}
