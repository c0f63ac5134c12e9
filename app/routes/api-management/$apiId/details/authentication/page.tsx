import type { SubmissionResult } from "@conform-to/dom";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { getApiName } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { requireApiSummary } from "../../api-summary.server";
import { answerQuestion, bindCredential, getReturn, storeCredential } from "./answering.server";
import { HostAnswer } from "./host-answer";
import { SchemeAnswer } from "./scheme-answer";
import { SchemeTable } from "./scheme-table";
import { findForm, listHosts, listSchemes, listStored } from "./schemes-by-host.server";

export const meta: MetaFunction = ({ matches }) => [
  { title: `Authentication of ${getApiName(matches)} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const search = new URL(request.url).searchParams;
  const [{ name }, authentication, hosts] = await Promise.all([
    requireApiSummary(viewer, apiId),
    viewer.backend.apiRegistry.getAuthentication({ params: { apiId } }).then(required),
    listHosts(viewer, apiId),
  ]);
  const stored = await listStored(viewer, hosts.keys());
  const mayStore = viewer.may("credentials:manage");
  return {
    apiId,
    apiName: name,
    hasSchemes: authentication.securitySchemes.length > 0,
    hasHosts: hosts.size > 0,
    isKnown: stored.length === hosts.size,
    schemes: listSchemes(authentication, stored),
    environments: Object.fromEntries(hosts),
    form: mayStore
      ? findForm(authentication, stored, { scheme: search.get("scheme"), host: search.get("host") })
      : undefined,
    sends: authentication.sendsHostCredentials,
    hostCredentials: stored.map(({ host, credentials }) => ({ host, names: credentials.map((one) => one.name) })),
    mayStore,
    mayBind: viewer.may("domains:manage"),
    mayChange: viewer.may("apis:write"),
    returnTo: search.has("returnTo") ? getReturn(apiId, search) : undefined,
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const form = await readForm(request);
  const answering = { viewer, context, apiId: params.apiId!, search, form };
  switch (form.get("intent")) {
    case "store":
      return await storeCredential(answering);
    case "bind":
      return await bindCredential(answering);
    case "send":
      return await answerQuestion(answering, true);
    case "keep":
      return await answerQuestion(answering, false);
    default:
      throw new Response("No such action.", { status: 400 });
  }
}

export default function Authentication() {
  const shown = useLoaderData<typeof loader>();
  const { apiId, apiName, schemes, form, returnTo, mayStore } = shown;
  const result = useActionData<SubmissionResult>();
  const settings = href("/api-management/:apiId/details", { apiId });
  return (
    <>
      <PageHeading
        title={`Authentication of ${apiName}`}
        description="Which credential is used for each security scheme, per host."
      />
      <Stack gap="large">
        {!shown.hasHosts && (
          <Notice tone="warning" title="No base URL">
            Set the API's base URL first: credentials are stored per host.
          </Notice>
        )}
        {!shown.isKnown && (
          <Notice tone="warning" title="Stored credentials can't be checked right now">
            Try again shortly.
          </Notice>
        )}
        {shown.hasSchemes ? (
          schemes.length > 0 && (
            <Card title="Security schemes" flush>
              <SchemeTable {...{ apiId, schemes, mayStore }} environments={shown.environments} returnTo={returnTo} />
            </Card>
          )
        ) : (
          <HostAnswer sends={shown.sends} hosts={shown.hostCredentials} mayChange={shown.mayChange} />
        )}
        {form && (
          <SchemeAnswer
            key={`${form.schemeName} ${form.filled.domain}`}
            {...{ form, result }}
            mayBind={shown.mayBind}
            cancelHref={returnTo ?? settings}
          />
        )}
        {!mayStore && shown.hasSchemes && <p>Only administrators can add credentials.</p>}
        {returnTo && !form && <LinkButton href={returnTo}>Back</LinkButton>}
      </Stack>
    </>
  );
}
