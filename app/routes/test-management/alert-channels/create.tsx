import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { madeChannel } from "~/features/alerts/made-channel";
import { newRunKey, readRunKey } from "~/features/runs/start-run.server";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { ownPath } from "~/session/redirects";
import { redirectWithToast } from "~/session/toast-message";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { Column, Row } from "~/ui/layout/layout";
import { listAddress } from "~/ui/list-page/list-address";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ChannelEditor } from "./channel-editor";
import { emptyForm } from "./channel-form";
import { type ChannelResult, firstMembers, handleChannelForm, savedWords } from "./channel-form.server";
import { MadeSecret } from "./signing-secret";

export const meta: MetaFunction = () => [{ title: "Create an alert channel · API Assurance" }];

const list = href("/test-management/alert-channels");

/** The page of the rule that requested the channel, if any. */
function getRuleAddress(request: Request): string | undefined {
  const returnTo = new URL(request.url).searchParams.get("returnTo");
  return returnTo ? ownPath(returnTo) : undefined;
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return {
    members: await firstMembers(viewer, context, []),
    runKey: newRunKey(),
    ruleAddress: getRuleAddress(request),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const form = await readForm(request);
  const ruleAddress = getRuleAddress(request);
  return await handleChannelForm(form, {
    viewer,
    save: (body) =>
      viewer.backend.testAnalyzer.createChannel({
        body,
        headers: { "idempotency-key": `${readRunKey(form)}:channel` },
      }),
    saved: (channel) => {
      const { id, name } = channel;
      if (channel.kind === "webhook" && channel.secret) {
        return data<ChannelResult>({ made: { id, name, secret: channel.secret } });
      }
      const page = ruleAddress
        ? listAddress(ruleAddress, { [madeChannel]: id })
        : href("/test-management/alert-channels/:channelId", { channelId: id });
      return redirectWithToast(context, page, savedWords(channel));
    },
  });
}

export default function CreateChannel() {
  const { members, runKey, ruleAddress } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const made = result?.made;
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
              {ruleAddress ? (
                <LinkButton href={listAddress(ruleAddress, { [madeChannel]: made.id })} variant="primary">
                  Go back to the alert rule
                </LinkButton>
              ) : (
                <LinkButton
                  href={href("/test-management/alert-channels/:channelId", { channelId: made.id })}
                  variant="primary"
                >
                  Continue to the channel
                </LinkButton>
              )}
            </Row>
          </MadeSecret>
        ) : (
          <ChannelEditor
            first={emptyForm}
            {...{ result, members, runKey }}
            saveLabel="Create channel"
            cancelHref={ruleAddress ?? list}
          />
        )}
      </Column>
    </Page>
  );
}
