import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { SandboxEmailSummary } from "#contracts/portal-service/sandbox-mail.ts";
import { required } from "~/backend/responses";
import { href } from "~/href";
import { Page } from "~/shell/page/page";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Table } from "~/ui/table/table";
import { openMailbox } from "./mailbox.server";

export const meta: MetaFunction = () => [{ title: "Sandbox mail · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const mailbox = await openMailbox(request, context);
  const cursor = new URL(request.url).searchParams.get("cursor") || undefined;
  const { items, nextCursor } = required(await mailbox.listSandboxMail({ query: { cursor } }));
  return { emails: items, nextCursor, cursor, address: request.url };
}

export default function SandboxMail() {
  const { emails, nextCursor, cursor, address } = useLoaderData<typeof loader>();
  return (
    <Page>
      <PageHeading
        title="Sandbox mail"
        description="Emails are not sent until MAIL_URL is set. They are stored here instead."
      />
      {emails.length > 0 ? (
        <Table
          caption="Emails, newest first"
          captionHidden
          rows={emails}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "subject",
              header: "Subject",
              rowHeader: true,
              cell: ({ id, subject }: SandboxEmailSummary) => (
                <a href={href("/sandbox/mail/:letterId", { letterId: id })}>{subject}</a>
              ),
            },
            { key: "to", header: "To", clipped: true, cell: ({ to }) => to },
            {
              key: "sentAt",
              header: "Sent",
              tight: true,
              selfEvident: true,
              cell: ({ sentAt }) => <Moment value={sentAt} />,
            },
          ]}
        />
      ) : (
        <EmptyState title="No emails yet">
          <p>Register, invite someone or use the contact form: the emails that would be sent appear here.</p>
        </EmptyState>
      )}
      <CursorPages label="Pages of emails" {...{ address, cursor, nextCursor }} />
    </Page>
  );
}
