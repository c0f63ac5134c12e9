import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { newRunKey, runKeyOf } from "~/runs/start-run.server";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { Column, Row } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ChannelEditor } from "./channel-editor";
import { emptyForm } from "./channel-form";
import { answerChannelForm, type ChannelAnswer, firstMembers, savedWords } from "./channel-form.server";
import { MadeSecret } from "./signing-secret";

export const meta: MetaFunction = () => [{ title: "Create an alert channel · API Assurance" }];

const list = href("/test-management/alert-channels");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return { members: await firstMembers(viewer, context, []), runKey: newRunKey() };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const form = await readForm(request);
  return await answerChannelForm(form, {
    viewer,
    save: (body) =>
      viewer.backend.testAnalyzer.createChannel({ body, headers: { "idempotency-key": `${runKeyOf(form)}:channel` } }),
    saved: (channel) => {
      const { id, name } = channel;
      if (channel.kind === "webhook" && channel.secret) {
        return data<ChannelAnswer>({ made: { id, name, secret: channel.secret } });
      }
      const page = href("/test-management/alert-channels/:channelId", { channelId: id });
      return redirectWithToast(context, page, savedWords(channel));
    },
  });
}

export default function CreateChannel() {
  const { members, runKey } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const made = answer?.made;
  return (
    <Page>
      <PageHeading
        title={made ? `${made.name} is created` : "Create an alert channel"}
        breadcrumbs={[{ label: "Alert channels", href: list }, { label: "Create" }]}
      />
      <Column width="form">
        {made ? (
          <MadeSecret secret={made.secret}>
            <Row>
              <LinkButton
                href={href("/test-management/alert-channels/:channelId", { channelId: made.id })}
                variant="primary"
              >
                Go on to the channel
              </LinkButton>
            </Row>
          </MadeSecret>
        ) : (
          <ChannelEditor
            first={emptyForm}
            {...{ answer, members, runKey }}
            saveLabel="Create channel"
            cancelHref={list}
          />
        )}
      </Column>
    </Page>
  );
}
