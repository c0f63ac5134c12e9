import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { getApiName } from "~/shell/api-header/api-handle";
import { Button, DefaultSubmit, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Row, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";
import { environmentsInput, readVariables, writeVariables } from "./environments-input";

export const meta: MetaFunction = ({ matches }) => [
  { title: `Environments of ${getApiName(matches)} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const path = { params: { apiId: params.apiId! } };
  const [{ items }, { variables }] = await Promise.all([
    viewer.backend.apiRegistry.listEnvironments(path).then(required),
    viewer.backend.apiRegistry.getVariables(path).then(required),
  ]);
  return {
    variables: writeVariables(variables),
    apiId: params.apiId!,
    environments: items.map((item) => ({ ...item, variables: writeVariables(item.variables) })),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const submission = await parseSubmission(request, environmentsInput);
  // Adding or removing a row is no submission: the form is rendered with the change.
  if (submission.status === undefined) return submission.reply();
  if (submission.status !== "success") return rejected(submission);
  const saved = await viewer.backend.apiRegistry.replaceEnvironments({
    params: { apiId: params.apiId! },
    body: {
      items: submission.value.items.map((item) => ({
        ...item,
        variables: readVariables(item.variables ?? "").variables,
      })),
    },
  });
  if (!saved.ok) return rejected(submission, saved.problem);
  const { variables } = readVariables(submission.value.variables ?? "");
  required(
    await viewer.backend.apiRegistry.replaceVariables({ params: { apiId: params.apiId! }, body: { variables } }),
  );
  return redirectWithToast(
    context,
    href("/api-management/:apiId/details", { apiId: params.apiId! }),
    "The environments are saved.",
  );
}

export default function Environments() {
  const { apiId, environments, variables } = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const [form, fields] = useForm({
    id: "environments",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: { items: environments, variables },
  });
  const rows = (fields.items as ReturnType<typeof useForm<{ items: typeof environments }>>[1]["items"]).getFieldList();
  return (
    <>
      <PageHeading
        title="Environments"
        description="Environments tests can run against, each with its own base URL and variables. Servers of single operations move to the environment's host, except those on other hosts. A test's own base URL, which may be a {{variable}}, overrides both."
      />
      <FormErrorSummary form={form} />
      <Card>
        <form method="post" {...getFormProps(form)}>
          <DefaultSubmit />
          <Stack gap="large">
            <RepeatedRows
              id={fields.items.id}
              legend="Environments"
              legendHidden
              errors={fields.items.errors}
              empty="No environments yet. Tests run against the API's own base URL."
              addLabel="Add an environment"
              add={form.insert.getButtonProps({ name: fields.items.name })}
              rows={rows.map((row, index) => {
                const { name, baseUrl, variables } = row.getFieldset();
                return {
                  key: row.key ?? String(index),
                  removeLabel: `Remove environment ${name.initialValue || index + 1}`,
                  remove: form.remove.getButtonProps({ name: fields.items.name, index }),
                  fields: (
                    <>
                      <TextField label="Name" placeholder="Staging" {...fieldProps(name)} />
                      <TextField
                        label="Base URL"
                        inputMode="url"
                        code
                        placeholder="https://staging.example.com/v1"
                        {...fieldProps(baseUrl)}
                      />
                      <TextArea
                        label="Variables"
                        hint="One per line: name=value."
                        required={false}
                        code
                        rows={2}
                        {...fieldProps(variables)}
                      />
                    </>
                  ),
                };
              })}
            />
            <TextArea
              label="Shared variables"
              hint="One per line: name=value. Used by all tests; environment variables override these."
              required={false}
              code
              rows={4}
              {...fieldProps(fields.variables as never)}
            />
            <Row>
              <Button variant="primary">Save environments</Button>
              <LinkButton href={href("/api-management/:apiId/details", { apiId })}>Cancel</LinkButton>
            </Row>
          </Stack>
        </form>
      </Card>
    </>
  );
}
