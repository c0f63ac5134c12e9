import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { baseUrl } from "#contracts/api-registry/environments.ts";
import { readTags, writeTags } from "~/features/test-editor/tags";
import { checkboxProps, fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { getApiName } from "~/shell/api-header/api-handle";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { TextField } from "~/ui/text-field/text-field";
import { tagsText } from "../../settings-input";
import { requireApiSummary } from "../api-summary.server";

export const meta: MetaFunction = ({ matches }) => [{ title: `Edit ${getApiName(matches)} · API Assurance` }];

const settingsInput = z.object({
  name: z.string({ error: "Give the API a name" }).trim().max(200, "Use at most 200 characters"),
  baseUrl: baseUrl.optional(),
  tags: tagsText.optional(),
  isDisposable: z.boolean().default(false),
});

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { name, baseUrl, tags, isDisposable } = await requireApiSummary(viewer, params.apiId!);
  return {
    apiId: params.apiId!,
    settings: { name, baseUrl: baseUrl ?? "", tags: writeTags(tags), isDisposable: isDisposable ? "on" : undefined },
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const submission = await parseSubmission(request, settingsInput);
  if (submission.status !== "success") return rejected(submission);
  const { name, baseUrl, tags, isDisposable } = submission.value;
  const changed = await viewer.backend.apiRegistry.changeApi({
    params: { apiId: params.apiId! },
    body: { name, baseUrl: baseUrl ?? null, tags: readTags(tags ?? ""), isDisposable },
  });
  if (!changed.ok) return rejected(submission, changed.problem);
  return redirectWithToast(
    context,
    href("/api-management/:apiId/details", { apiId: params.apiId! }),
    `${changed.value.name} is saved.`,
  );
}

export default function EditApi() {
  const { apiId, settings } = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const [form, fields] = useForm<z.input<typeof settingsInput>>({
    id: "settings",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: settings,
  });
  return (
    <>
      <PageHeading title="Edit the API" />
      <FormErrorSummary form={form} />
      <Column width="form">
        <Card>
          <form method="post" {...getFormProps(form)}>
            <Stack gap="large">
              <TextField label="Name" {...fieldProps(fields.name)} />
              <TextField
                label="Base URL"
                hint="Overrides the document's server URL. Servers of single operations on the same host move with it."
                required={false}
                inputMode="url"
                code
                placeholder="https://api.example.com/v1"
                {...fieldProps(fields.baseUrl)}
              />
              <TextField label="Tags" hint="Separated by commas." required={false} {...fieldProps(fields.tags)} />
              <Checkbox
                label="The data of this API is disposable"
                hint="Explorations may create, change and delete their own data."
                {...checkboxProps(fields.isDisposable)}
              />
              <Row>
                <Button variant="primary">Save</Button>
                <LinkButton href={href("/api-management/:apiId/details", { apiId })}>Cancel</LinkButton>
              </Row>
            </Stack>
          </form>
        </Card>
      </Column>
    </>
  );
}
