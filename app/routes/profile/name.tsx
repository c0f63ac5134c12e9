import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { fullName } from "#contracts/security-service/account.ts";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { renewSession } from "~/session/renew-session.server";
import { redirectWithToast } from "~/session/toast-message";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Row, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { TextField } from "~/ui/text-field/text-field";

export const meta: MetaFunction = () => [{ title: "Name · API Assurance" }];

const nameInput = z.object({ fullName });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { session } = await requireViewer(request, context);
  return { name: session.fullName };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const submission = await parseSubmission(request, nameInput);
  if (submission.status !== "success") return rejected(submission);
  const saved = await backend.securityService.changeOwnAccount({ body: submission.value });
  if (!saved.ok) return rejected(submission, saved.problem);
  await renewSession(context);
  return redirectWithToast(context, href("/profile"), "Your name is saved.");
}

export default function Name() {
  const { name } = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const [form, fields] = useForm<z.input<typeof nameInput>>({
    id: "name",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: { fullName: name },
  });
  return (
    <>
      <PageHeading title="Name" description="Shown to colleagues next to your activity." />
      <form method="post" {...getFormProps(form)}>
        <Card
          footer={
            <Row>
              <Button variant="primary">Save</Button>
              <LinkButton href={href("/profile")}>Cancel</LinkButton>
            </Row>
          }
        >
          <Stack>
            <FormErrorSummary form={form} />
            <TextField {...fieldProps(fields.fullName)} label="Name" autoComplete="name" required />
          </Stack>
        </Card>
      </form>
    </>
  );
}
