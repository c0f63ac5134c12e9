import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { UsagePlot } from "~/features/plans/usage-plot";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { readForm } from "~/forms/read-form.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { AwayNotice } from "~/shell/away-notice";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { TextField } from "~/ui/text-field/text-field";
import { BillingAddressCard } from "./billing-address-card";
import { MembersCard } from "./members-card";
import { handleOrganizationForm } from "./organization-action.server";
import { SecondFactorCard } from "./second-factor-card";

export const meta: MetaFunction = () => [{ title: "Organization · API Assurance" }];

const displayedMembers = 5;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend, session, may } = await requireViewer(request, context);
  const { portalService, securityService } = backend;
  const managesPeople = may("users:manage");
  const managesBilling = may("billing:manage");
  const [organization, usage, members, billing] = await Promise.all([
    portalService.getCurrentOrganization().then(required),
    portalService.getUsage().then(available),
    managesPeople ? securityService.listUsers({ query: { limit: displayedMembers } }).then(available) : undefined,
    managesBilling ? portalService.getBillingAddress().then(available) : undefined,
  ]);
  return {
    ...{ organization, usage, members, billing, managesPeople, managesBilling },
    ownId: session.id,
    asksToRequire: new URL(request.url).searchParams.get("dialog") === "require",
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return await handleOrganizationForm(viewer, context, await readForm(request));
}

export default function Organization() {
  const { organization, usage, members, billing, managesPeople, managesBilling, ownId, asksToRequire } =
    useLoaderData<typeof loader>();
  const memberCount = usage?.items.find(({ subject }) => subject === "members")?.used;
  return (
    <>
      <PageHeading title={organization.name} description="Your organization: its people, its plan and its address." />
      <AwayNotice />
      {managesPeople ? (
        <NameForm name={organization.name} />
      ) : (
        <Card title="About">
          <DefinitionList
            items={[
              { term: "Name", value: organization.name },
              { term: "Here since", value: <Moment value={organization.createdAt} /> },
            ]}
          />
        </Card>
      )}
      {members && <MembersCard members={members.items} count={memberCount} ownId={ownId} />}
      {managesPeople && (
        <SecondFactorCard isRequired={organization.requiresSecondFactor} asksToRequire={asksToRequire} />
      )}
      {managesPeople && (
        <Card
          title="Single sign-on"
          description="Members log in with the organization's own OpenID Connect provider."
          actions={<LinkButton href={href("/organization/single-sign-on")}>Single sign-on</LinkButton>}
        />
      )}
      <Card
        title={usage?.plan ? `Plan ${usage.plan.name}` : "Plan and usage"}
        description={organization.operates && !usage?.plan ? "Operates this installation: no limits." : undefined}
        actions={managesBilling && <LinkButton href={href("/billing")}>Plan and billing</LinkButton>}
      >
        {usage ? <UsagePlot items={usage.items} /> : <p>Not available right now.</p>}
      </Card>
      {billing && <BillingAddressCard lines={billing.address?.lines} vatId={billing.address?.vatId} />}
      <Card
        title="Assurance as code"
        description="What the files of a repository define, and what was changed here since they were applied."
        actions={<LinkButton href={href("/organization/code")}>See what differs</LinkButton>}
      />
      {managesPeople && (
        <Card
          title="Everything in one file"
          description="APIs and their documents, tests, circles, schedules, the verdicts of runs, people and settings. Secrets are not in it."
          actions={
            <LinkButton href={href("/organization/export")} icon="download">
              Export
            </LinkButton>
          }
        />
      )}
      {managesPeople && (
        <Card
          title="Delete the organization"
          description={
            organization.operates
              ? "It operates this installation and can't be deleted."
              : "Including all data and accounts. This can't be undone."
          }
          actions={
            !organization.operates && (
              <LinkButton href={href("/organization/delete")} variant="danger">
                Delete the organization
              </LinkButton>
            )
          }
        />
      )}
    </>
  );
}

function NameForm({ name }: { name: string }) {
  const stored = useSavedResult();
  const [form, fields] = useForm<{ name: string }>({
    id: "organization",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: { name },
  });
  return (
    <form method="post" {...getFormProps(form)}>
      <Card
        title="Name"
        description="Shown in emails and on invoices."
        footer={<Button variant="primary">Save the name</Button>}
      >
        <Stack>
          <FormErrorSummary form={form} />
          <TextField
            {...fieldProps(fields.name)}
            label="Name of the organization"
            required
            autoComplete="organization"
          />
        </Stack>
      </Card>
    </form>
  );
}
