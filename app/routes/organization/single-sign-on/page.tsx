import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { readForm } from "~/forms/read-form.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { readSignOn } from "~/session/single-sign-on.server";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Dialog } from "~/ui/dialog/dialog";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { handleSignOnForm } from "./sign-on-action.server";
import { SignOnFields } from "./sign-on-fields";
import { type SignOnForm, toFormValues } from "./sign-on-form";
import { TrialCard } from "./trial-card";

export const meta: MetaFunction = () => [{ title: "Single sign-on · API Assurance" }];

const here = href("/organization/single-sign-on");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend, session } = await requireViewer(request, context);
  const settings = required(await backend.securityService.getSingleSignOn());
  const { searchParams } = new URL(request.url);
  const { result } = searchParams.has("tried") ? readSignOn(request, context) : {};
  return {
    ...settings,
    asksToDelete: searchParams.get("dialog") === "delete" && settings.singleSignOn !== null,
    result: result?.triedBy === session.id ? result : undefined,
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return await handleSignOnForm(viewer, context, await readForm(request));
}

export default function SingleSignOn() {
  const {
    singleSignOn: known,
    redirectUri,
    verifiedDomains,
    membersWithoutPassword,
    asksToDelete,
    result,
  } = useLoaderData<typeof loader>();
  const without = membersWithoutPassword === 1 ? "1 member has" : `${membersWithoutPassword} members have`;
  return (
    <>
      <PageHeading
        title="Single sign-on"
        breadcrumbs={[{ label: "Organization", href: href("/organization") }, { label: "Single sign-on" }]}
        description="People log in with your organization's own OpenID Connect provider, such as Okta, Entra ID or Google."
        actions={
          known && (
            <LinkButton href={href("/organization/single-sign-on", { dialog: "delete" })} variant="danger">
              Delete
            </LinkButton>
          )
        }
      />
      {verifiedDomains.length === 0 && (
        <Notice
          tone="warning"
          title="You have no verified domains"
          actions={<LinkButton href={href("/administration/domain")}>Domains</LinkButton>}
        >
          Single sign-on is for people with an email address at a verified domain. Verify one first.
        </Notice>
      )}
      <Card title="At your provider" description="Register a web application there, with this redirect URI.">
        <CodeBlock id="redirect-uri" label="Redirect URI" code={redirectUri} wrap copy />
      </Card>
      {known && <TrialCard result={result} keepsRoles={known.rolesClaim === ""} />}
      {verifiedDomains.length > 0 && <SettingsForm known={known} domains={verifiedDomains} />}
      {asksToDelete && (
        <Dialog
          title="Delete single sign-on?"
          message={`Everyone logs in with a password then. ${
            membersWithoutPassword > 0
              ? `${without} none, and can choose one with “Forgot your password?”.`
              : "Everyone has one."
          }`}
          cancelHref={here}
          action={here}
          actions={[{ name: "Delete single sign-on", value: "delete", style: "danger" }]}
        />
      )}
    </>
  );
}

type Known = ReturnType<typeof useLoaderData<typeof loader>>["singleSignOn"];

function SettingsForm({ known, domains }: { known: Known; domains: string[] }) {
  const stored = useSavedResult();
  const [form, fields] = useForm<SignOnForm>({
    id: "provider",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: toFormValues(known, domains),
  });
  return (
    <Column width="form">
      <form method="post" action={here} {...getFormProps(form)}>
        <Stack gap="huge">
          <FormErrorSummary form={form} />
          <SignOnFields fields={fields} domains={domains} isSet={known !== null} />
          <Row>
            <Button variant="primary">Save</Button>
            <LinkButton href={href("/organization")} variant="quiet">
              Cancel
            </LinkButton>
          </Row>
        </Stack>
      </form>
    </Column>
  );
}
