import { getFormProps, useForm } from "@conform-to/react";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type CreatedApiToken, newApiToken } from "#contracts/security-service/api-tokens.ts";
import { choicesProps, fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { CheckboxGroup } from "~/ui/radio-group/radio-group";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import { tokenLives } from "../token-lives";
import { scopeMay, scopeName } from "./scope-words";

export const meta: MetaFunction = () => [{ title: "Create an API token · API Assurance" }];

const list = href("/profile/api-tokens");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { session } = await requireViewer(request, context);
  return { scopes: session.scopes, origin: context.publicOrigin };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const submission = await parseSubmission(request, newApiToken);
  if (submission.status !== "success") return rejected(submission);
  const made = await backend.securityService.createApiToken({ body: submission.value });
  if (!made.ok) return rejected(submission, made.problem);
  return data({ made: made.value });
}

export default function CreateApiToken() {
  const { scopes, origin } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const made = result && "made" in result ? result.made : undefined;
  const lastResult = result && !("made" in result) ? result : undefined;
  return (
    <>
      <PageHeading
        title={made ? `${made.name} is created` : "Create an API token"}
        breadcrumbs={[{ label: "API tokens", href: list }, { label: "Create" }]}
      />
      {made ? <MadeToken {...{ made, origin }} /> : <NewToken {...{ scopes, lastResult }} />}
    </>
  );
}

/** The only time the token is displayed. */
function MadeToken({ made, origin }: { made: CreatedApiToken; origin: string }) {
  return (
    <Card title="Token">
      <Stack>
        <Notice role="alert" tone="warning" title="Copy it now. It won't be shown again.">
          Store it with your other secrets, never in source code.
        </Notice>
        <CodeBlock id="token" label="Token" labelHidden code={made.token} wrap copy />
        <CodeBlock
          id="use"
          label="How to send it"
          code={`curl -H "Authorization: Bearer $TOKEN" ${origin}/api/api-registry/api/v1/apis`}
          wrap
        />
        <Row>
          <LinkButton href={list} variant="primary">
            Done
          </LinkButton>
        </Row>
      </Stack>
    </Card>
  );
}

interface NewTokenProps {
  scopes: ReturnType<typeof useLoaderData<typeof loader>>["scopes"];
  lastResult: Parameters<typeof useForm>[0]["lastResult"];
}

function NewToken({ scopes, lastResult }: NewTokenProps) {
  const stored = useSavedResult();
  const [form, fields] = useForm<{ name: string; scopes: string[]; expiresInDays: string }>({
    id: "token",
    lastResult: (lastResult as typeof stored) ?? stored,
    defaultValue: { expiresInDays: "90" },
  });
  return (
    <form method="post" {...getFormProps(form)}>
      <Card
        footer={
          <Row>
            <Button variant="primary">Create token</Button>
            <LinkButton href={list}>Cancel</LinkButton>
          </Row>
        }
      >
        <Stack>
          <FormErrorSummary form={form} />
          <TextField
            {...fieldProps(fields.name)}
            label="Name"
            hint="Where it is used, e.g. “Nightly build”."
            autoComplete="off"
            required
          />
          <CheckboxGroup
            {...choicesProps(fields.scopes)}
            label="Scopes"
            hint="Its permissions. They end when your roles change."
            options={scopes.map((value) => ({
              value,
              label: scopeName(value),
              hint: scopeMay(value),
            }))}
          />
          <Select {...fieldProps(fields.expiresInDays)} label="Expires after" options={tokenLives} width="medium" />
        </Stack>
      </Card>
    </form>
  );
}
