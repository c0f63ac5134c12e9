import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { href } from "~/href";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import * as styles from "./email.css";
import { LinkedText } from "./linked-text";
import { openMailbox } from "./mailbox.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.subject ?? "Email"} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const mailbox = await openMailbox(request, context);
  const letterId = params.letterId ?? "";
  const { html: _, ...email } = required(await mailbox.getSandboxLetter({ params: { letterId } }));
  return email;
}

export default function SandboxEmail() {
  const { id, subject, to, replyTo, sentAt, text } = useLoaderData<typeof loader>();
  return (
    <Page>
      <PageHeading
        title={subject}
        breadcrumbs={[{ label: "Sandbox mail", href: href("/sandbox/mail") }, { label: subject }]}
        actions={<LinkButton href={href("/sandbox/mail/:letterId/html", { letterId: id })}>Show as HTML</LinkButton>}
      />
      <DefinitionList
        look="columns"
        items={[
          { term: "To", value: to },
          replyTo !== null && { term: "Reply to", value: replyTo },
          { term: "Sent", value: <Moment value={sentAt} /> },
        ]}
      />
      <Card aria-label="Email">
        <pre className={styles.email}>
          <LinkedText>{text}</LinkedText>
        </pre>
      </Card>
    </Page>
  );
}
