import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { LinkButton } from "~/ui/button/button";
import { Dialog } from "~/ui/dialog/dialog";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ApiTokenTable } from "./api-token-table";

export const meta: MetaFunction = () => [{ title: "API tokens · API Assurance" }];

const here = href("/profile/api-tokens");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const requested = new URL(request.url).searchParams;
  const cursor = requested.get("cursor") || undefined;
  const { items, nextCursor } = required(await backend.securityService.listApiTokens({ query: { cursor } }));
  const now = new Date();
  return {
    tokens: items.map((token) => ({ ...token, isExpired: new Date(token.expiresAt) < now })),
    now: now.toISOString(),
    toRevoke: items.find(({ id }) => id === requested.get("revoke")),
    address: request.url,
    cursor,
    nextCursor,
  };
}

/** Revokes a token. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const apiTokenId = String((await readForm(request)).get("apiTokenId") ?? "");
  required(await backend.securityService.revokeApiToken({ params: { apiTokenId } }));
  return redirectWithToast(context, here, "The token is revoked.");
}

export default function ApiTokens() {
  const { tokens, now, toRevoke, address, cursor, nextCursor } = useLoaderData<typeof loader>();
  const createHref = href("/profile/api-tokens/create");
  return (
    <>
      <PageHeading
        title="API tokens"
        description="Programs use a token to call the portal's API on your behalf, for example in continuous integration."
        actions={
          <>
            <LinkButton href={href("/profile/command-line")}>For a pipeline</LinkButton>
            <LinkButton href={createHref} variant="primary" icon="plus">
              Create a token
            </LinkButton>
          </>
        }
      />
      {tokens.length === 0 ? (
        <EmptyState illustration="keys" title="You have no API tokens">
          Each has its own scopes and an expiry date, and is sent as bearer token to the addresses below{" "}
          <code>/api/</code>.
        </EmptyState>
      ) : (
        <ApiTokenTable tokens={tokens} now={now} />
      )}
      <CursorPages label="Pages of API tokens" {...{ address, cursor, nextCursor }} />
      {toRevoke && (
        <Dialog
          title={`Revoke ${toRevoke.name}?`}
          message="Programs that use this token lose access immediately. This can't be undone."
          cancelName="Keep it"
          cancelHref={here}
          action={here}
          fields={{ apiTokenId: toRevoke.id }}
          actions={[{ name: "Revoke token", value: "revoke", style: "danger" }]}
        />
      )}
    </>
  );
}
