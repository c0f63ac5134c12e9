import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { deliveryStates } from "#contracts/test-analyzer/alert-deliveries.ts";
import { required } from "~/backend/responses";
import { describeTarget, kindWords } from "~/features/alerts/channel-words";
import { findManaged } from "~/features/code/find-managed.server";
import { ManagedNote } from "~/features/code/managed-note";
import { newRunKey } from "~/features/runs/start-run.server";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Page } from "~/shell/page/page";
import { Badge } from "~/ui/badge/badge";
import { Button, LinkButton } from "~/ui/button/button";
import { Dialog } from "~/ui/dialog/dialog";
import { Column } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { AddressStates } from "./address-states";
import { actOnChannel } from "./channel-actions.server";
import { ChannelEditor } from "./channel-editor";
import { toForm } from "./channel-form";
import { firstMembers, handleChannelForm, savedWords } from "./channel-form.server";
import { Deliveries } from "./delivery-table";
import { findRuleUse } from "./rule-use.server";
import { deletionInWords, RuleUseWords } from "./rule-use-words";
import { MadeSecret, SigningSecret } from "./signing-secret";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.channel.name ?? "Alert channel"} · API Assurance` },
];

const list = href("/test-management/alert-channels");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { testAnalyzer } = viewer.backend;
  const channelId = params.channelId!;
  const search = new URL(request.url).searchParams;
  const cursor = search.get("cursor") || undefined;
  const state = deliveryStates.find((one) => one === search.get("state"));
  const mayWrite = viewer.may("tests:write");
  const [channel, page, ruleUse, managed] = await Promise.all([
    testAnalyzer.getChannel({ params: { channelId } }).then(required),
    testAnalyzer.listDeliveries({ params: { channelId }, query: { state, cursor } }).then(required),
    findRuleUse(viewer.backend, channelId),
    findManaged(viewer, "alertChannel", channelId),
  ]);
  const memberIds = channel.kind === "mail" ? channel.memberIds : [];
  const choosesMembers = mayWrite && channel.kind === "mail";
  return {
    ...{ channel, ruleUse, mayWrite, managed },
    members: choosesMembers ? await firstMembers(viewer, context, memberIds) : noMembers,
    deliveries: { deliveries: page.items, nextCursor: page.nextCursor, state, cursor, address: request.url },
    here: href("/test-management/alert-channels/:channelId", { channelId }),
    asksToDelete: search.get("dialog") === "delete",
    runKey: newRunKey(),
  };
}

const noMembers = { chosen: [], query: "", people: [], more: false };

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const channelId = params.channelId!;
  const form = await readForm(request);
  const here = href("/test-management/alert-channels/:channelId", { channelId });
  const done = await actOnChannel(form, { viewer, context, channelId, here });
  if (done) return done;
  return await handleChannelForm(form, {
    viewer,
    save: (body) =>
      viewer.backend.testAnalyzer.changeChannel({
        params: { channelId },
        body,
        headers: { "if-match": `"${Number(form.get("version"))}"` },
      }),
    saved: (channel) => redirectWithToast(context, here, savedWords(channel)),
  });
}

export default function AlertChannel() {
  const { channel, members, ruleUse, deliveries, here, asksToDelete, runKey, mayWrite, managed } =
    useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const { name, kind, enabled, version } = channel;
  return (
    <Page>
      <PageHeading
        title={name}
        mark={!enabled && <Badge icon="pause">Off</Badge>}
        description={
          <>
            {kindWords[kind]} to {describeTarget(channel)}. <RuleUseWords use={ruleUse} />
          </>
        }
        breadcrumbs={[{ label: "Alert channels", href: list }, { label: name }]}
        actions={
          mayWrite && (
            <>
              <LinkButton href={`${here}?dialog=delete`} variant="quiet" icon="trash">
                Delete
              </LinkButton>
              <form method="post" action={here}>
                <Button icon="play" name="intent" value="test">
                  Send a test
                </Button>
              </form>
            </>
          )
        }
      />
      <ManagedNote managed={managed} />
      {result?.made && <MadeSecret secret={result.made.secret} />}
      {channel.kind === "mail" && channel.addresses.length > 0 && (
        <AddressStates addresses={channel.addresses} mayWrite={mayWrite} action={here} />
      )}
      {mayWrite && (
        <Column width="form">
          <ChannelEditor
            first={toForm(channel)}
            {...{ result, members, runKey, version }}
            host={"host" in channel ? channel.host : undefined}
            headerNames={channel.kind === "webhook" ? channel.headerNames : undefined}
            action={here}
            saveLabel="Save"
            cancelHref={list}
          />
        </Column>
      )}
      {mayWrite && channel.kind === "webhook" && (
        <Column width="form">
          <SigningSecret secrets={channel.secrets} runKey={runKey} action={here} />
        </Column>
      )}
      <Deliveries {...deliveries} />
      {asksToDelete && mayWrite && (
        <Dialog
          title={`Delete ${name}?`}
          message={deletionInWords(ruleUse)}
          cancelHref={here}
          action={here}
          actions={[{ name: "Delete channel", value: "delete", style: "danger", icon: "trash" }]}
        />
      )}
    </Page>
  );
}
