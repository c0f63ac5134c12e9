import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { problemResponse, required } from "~/backend/responses";
import { rolesInWords } from "~/features/people/role-words";
import { planActions } from "~/features/plans/plan-actions.server";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Dialog } from "~/ui/dialog/dialog";
import { Row } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Table } from "~/ui/table/table";
import { InvitationStatus } from "./invitation-status";
import { eventInWords, getStatusWords, isOpen } from "./invitation-words";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Invitation of ${data?.invitation.email ?? "somebody"} · API Assurance` },
];

const list = href("/administration/user-management/invites/pending");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const invitationId = params.invitationId!;
  return {
    invitation: required(await backend.securityService.getInvitation({ params: { invitationId } })),
    asksToCancel: new URL(request.url).searchParams.get("dialog") === "cancel",
    here: href("/administration/user-management/invites/:invitationId", { invitationId }),
  };
}

/** Resends or cancels an invitation. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { securityService } = viewer.backend;
  const path = { params: { invitationId: params.invitationId! } };
  const here = href("/administration/user-management/invites/:invitationId", path.params);
  const intent = (await readForm(request)).get("intent");
  if (intent !== "resend" && intent !== "cancel") throw new Response("No such action.", { status: 400 });
  const result = await (intent === "resend"
    ? securityService.resendInvitation(path)
    : securityService.cancelInvitation(path));
  if (result.ok) {
    const done =
      intent === "resend" ? "The invitation was sent again with a new link." : "The invitation is cancelled.";
    return redirectWithToast(context, here, done);
  }
  // Limits and concurrent changes are reported on the invitation's page.
  if (result.status !== 409 && result.status !== 429 && result.status !== 402) throw problemResponse(result.problem);
  const actions = result.status === 402 ? planActions(viewer) : undefined;
  return redirectWithToast(context, here, { message: result.problem.detail, variant: "warning", actions });
}

export default function InvitationPage() {
  const { invitation, asksToCancel, here } = useLoaderData<typeof loader>();
  const { email, roles, status, invitedBy, createdAt, expiresAt, mailFailure, history } = invitation;
  const open = isOpen(invitation);
  return (
    <>
      <PageHeading
        title={email}
        mark={<InvitationStatus invitation={invitation} />}
        breadcrumbs={[{ label: "Invitations", href: list }, { label: email }]}
        actions={
          <Row>
            {status === "CANCELLED" && (
              <LinkButton href={href("/administration/user-management/invite", { email })}>Invite again</LinkButton>
            )}
            {open && (
              <LinkButton href={`${here}?dialog=cancel`} variant="quiet" icon="close">
                Cancel invitation
              </LinkButton>
            )}
            {(open || status === "EXPIRED") && (
              <form method="post" action={here}>
                <Button name="intent" value="resend" variant="primary" icon="mail">
                  Send again
                </Button>
              </form>
            )}
          </Row>
        }
      />
      {mailFailure && open && (
        <Notice tone={mailFailure.isFinal ? "danger" : "warning"} title={getStatusWords(invitation).word}>
          <p>{getStatusWords(invitation).meaning} The mail server said:</p>
          <p>{mailFailure.message}</p>
        </Notice>
      )}
      <Card title="Invitation">
        <DefinitionList
          items={[
            { term: "State", value: getStatusWords(invitation).meaning },
            { term: "Roles", value: rolesInWords(roles) },
            {
              term: "Invited",
              value: (
                <>
                  <Moment value={createdAt} /> by {invitedBy}
                </>
              ),
            },
            open && { term: "Valid until", value: <Moment value={expiresAt} /> },
            status === "EXPIRED" && { term: "Expired", value: <Moment value={expiresAt} /> },
          ]}
        />
      </Card>
      <Card title="History" flush>
        <Table
          caption="History, newest first"
          captionHidden
          bare
          rows={history.map((event, index) => ({ ...event, key: String(index) }))}
          rowKey={({ key }) => key}
          columns={[
            { key: "what", header: "What", rowHeader: true, cell: eventInWords },
            { key: "detail", header: "Detail", cell: ({ detail }) => detail ?? "" },
            { key: "when", header: "When", tight: true, cell: (event) => <Moment value={event.at} /> },
          ]}
        />
      </Card>
      {asksToCancel && open && (
        <Dialog
          title="Cancel this invitation?"
          message={`The link sent to ${email} will no longer work. You can invite the address again.`}
          cancelName="Keep it"
          cancelHref={here}
          action={here}
          actions={[{ name: "Cancel invitation", value: "cancel", style: "danger" }]}
        />
      )}
    </>
  );
}
