import { useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { PageForm } from "~/forms/page-form";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { DefaultSubmit, LinkButton } from "~/ui/button/button";
import { Dialog } from "~/ui/dialog/dialog";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { loadChoices } from "./config-choices.server";
import { ConfigFields } from "./config-fields";
import { createsCredential, type NewConfig, storedConfigForm } from "./config-form";
import { leaveForCredential, readReturn } from "./new-credential.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `${data.config.schemeName} at ${data.config.domain}` : "Authorization config"} · API Assurance` },
];

const list = href("/administration/authorization-configs");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const authorizationConfigId = params.authorizationConfigId!;
  const { getAuthorizationConfig } = viewer.backend.securityService;
  const config = required(await getAuthorizationConfig({ params: { authorizationConfigId } }));
  const { madeId } = readReturn(request, context);
  return {
    config,
    madeId,
    choices: await loadChoices(viewer, { domain: config.domain, madeId }),
    mayCreateCredentials: viewer.may("credentials:manage"),
    asksToDelete: new URL(request.url).searchParams.get("dialog") === "delete",
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { securityService } = (await requireViewer(request, context)).backend;
  const at = { params: { authorizationConfigId: params.authorizationConfigId! } };
  const { domain, schemeName } = required(await securityService.getAuthorizationConfig(at));
  const form = await readForm(request.clone());
  if (form.get("intent") === "delete") {
    required(await securityService.deleteAuthorizationConfig(at));
    return redirectWithToast(context, list, `The config for ${schemeName} at ${domain} is deleted.`);
  }
  if (form.get("intent") === createsCredential) return await leaveForCredential(request, context, domain);
  const submission = parseWithZod(form, { schema: storedConfigForm });
  if (submission.status !== "success") return rejected(submission);
  const changed = await securityService.changeAuthorizationConfig({ ...at, body: { ...submission.value, domain } });
  if (!changed.ok) return rejected(submission, changed.problem);
  return redirectWithToast(context, list, `${changed.value.schemeName} at ${domain} is saved.`);
}

export default function EditAuthorizationConfig() {
  const { config, choices, madeId, mayCreateCredentials, asksToDelete } = useLoaderData<typeof loader>();
  const { id, domain, schemeName, credentialId, credentialName, credentialFits } = config;
  const result = useActionData<typeof action>();
  const stored = useSavedResult();
  const [form, fields] = useForm<Omit<NewConfig, "domain">>({
    id: "config",
    lastResult: result ?? stored,
    defaultValue: { schemeName, credentialId },
  });
  const here = href("/administration/authorization-configs/:authorizationConfigId/edit", { authorizationConfigId: id });
  return (
    <>
      <PageHeading
        title={`${schemeName} at ${domain}`}
        description="Used for this security scheme in requests to the domain that inherit their authorization."
        breadcrumbs={[{ label: "Authorization configs", href: list }, { label: schemeName }]}
        actions={
          <LinkButton href={`${here}?dialog=delete`} variant="quiet" icon="trash">
            Delete
          </LinkButton>
        }
      />
      {!credentialFits && (
        <Notice tone="warning" title={`${credentialName} is not sent to ${domain}`}>
          It is now bound to another domain. Choose one that may be sent there.
        </Notice>
      )}
      <PageForm form={form} action={here} submitLabel="Save" cancelHref={list}>
        <DefaultSubmit name="intent" value="save" />
        <Stack gap="huge">
          <ConfigFields {...{ fields, domain, choices, mayCreateCredentials }} madeId={result ? undefined : madeId} />
        </Stack>
      </PageForm>
      {asksToDelete && (
        <Dialog
          title={`Delete the config for ${schemeName} at ${domain}?`}
          message={`${credentialName} stays. Requests that inherit their authorization are then sent with every credential stored for the host. This can't be undone.`}
          cancelHref={here}
          action={here}
          actions={[{ name: "Delete authorization config", value: "delete", style: "danger", icon: "trash" }]}
        />
      )}
    </>
  );
}
