import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { describeBrowser } from "~/features/people/browser-words";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Card } from "~/ui/card/card";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { AccountCard } from "./account-card";
import { SessionTable } from "./session-table";

export const meta: MetaFunction = () => [{ title: "Profile · API Assurance" }];

const displayedSessions = 10;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { session, backend, may } = await requireViewer(request, context);
  const cursor = new URL(request.url).searchParams.get("cursor") || undefined;
  const { getOwnAccount, listSessions } = backend.securityService;
  const [organization, account, sessions] = await Promise.all([
    backend.portalService.getCurrentOrganization().then(available),
    getOwnAccount().then(required),
    listSessions({ query: { cursor, limit: displayedSessions } }).then(required),
  ]);
  return {
    account,
    roles: session.roles,
    organizationName: organization?.name,
    managesBilling: may("billing:manage"),
    address: request.url,
    cursor,
    nextCursor: sessions.nextCursor,
    now: new Date().toISOString(),
    sessions: sessions.items.map(({ userAgent, ...item }) => ({ ...item, browser: describeBrowser(userAgent) })),
  };
}

/** Ends one session. Ending the current one is a logout, which also removes its cookie. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const form = await readForm(request);
  const sessionId = String(form.get("sessionId") ?? "");
  required(await backend.securityService.endSession({ params: { sessionId } }));
  if (form.get("intent") === "logout") {
    context.session.clear();
    return redirect(href("/"), 303);
  }
  return redirectWithToast(context, href("/profile"), "The session is ended.");
}

export default function Account() {
  const { account, roles, organizationName, managesBilling, address, cursor, sessions, nextCursor, now } =
    useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading title={account.fullName} description="Your account and sessions." />
      <AccountCard {...{ account, roles, organizationName, managesBilling }} />
      <Card
        title="Sessions"
        description="End sessions you don't recognize or left open on another computer."
        flush
        id="sessions"
      >
        <SessionTable sessions={sessions} now={now} />
      </Card>
      <CursorPages label="Pages of sessions" {...{ address, cursor, nextCursor }} />
    </>
  );
}
