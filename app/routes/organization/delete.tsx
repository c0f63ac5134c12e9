import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { required } from "~/backend/responses";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { TextField } from "~/ui/text-field/text-field";

export const meta: MetaFunction = () => [{ title: "Delete the organization · API Assurance" }];

const deletionForm = z.object({ name: z.string({ error: "Type the organization's name" }) });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const { name, operates } = required(await backend.portalService.getCurrentOrganization());
  return { name, operates };
}

/** Signs out all members, including the one who deletes it. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const submission = await parseSubmission(request, deletionForm);
  if (submission.status !== "success") return rejected(submission);
  const deleted = await backend.securityService.deleteOrganization({ body: submission.value });
  if (!deleted.ok) return rejected(submission, deleted.problem);
  context.session.clear();
  return redirectWithToast(context, href("/"), "The organization is deleted and everyone in it signed out.");
}

export default function DeleteOrganization() {
  const { name, operates } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading
        title="Delete the organization"
        breadcrumbs={[{ label: "Organization", href: href("/organization") }, { label: "Delete" }]}
      />
      {operates ? (
        <Notice title="This organization can't be deleted">This is the only operator organization.</Notice>
      ) : (
        <>
          <Card
            title="Keep a copy first"
            description="One archive with APIs and their documents, tests, circles, schedules, the verdicts of runs, people and settings. Secrets are not in it."
            actions={
              <LinkButton href={href("/organization/export")} icon="download">
                Export everything
              </LinkButton>
            }
          />
          <DeletionForm name={name} />
        </>
      )}
    </>
  );
}

function DeletionForm({ name }: { name: string }) {
  const [form, fields] = useForm<{ name: string }>({ id: "deletion", lastResult: useActionData<typeof action>() });
  return (
    <form method="post" {...getFormProps(form)}>
      <Card title={`Delete ${name}`}>
        <Stack>
          <FormErrorSummary form={form} />
          <p>
            All its accounts are deleted and everyone is signed out. Schedules stop, status pages and badges close,
            subscriptions are cancelled, and APIs, tests, results, credentials and invoices are deleted. This can't be
            undone.
          </p>
          <TextField
            {...fieldProps(fields.name)}
            label="Name of the organization"
            hint={`Type ${name}`}
            required
            autoComplete="off"
          />
          <Row>
            <Button variant="danger">Delete everything</Button>
            <LinkButton href={href("/organization")}>Cancel</LinkButton>
          </Row>
        </Stack>
      </Card>
    </form>
  );
}
