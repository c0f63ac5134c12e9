import { getFormProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { Consumer } from "#contracts/api-registry/resources.ts";
import { required } from "~/backend/responses";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { requireScope, requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { type ApiPageHandle, titleWithin } from "~/shell/api-header/api-handle";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { Row, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";
import { Table } from "~/ui/table/table";
import { TextField } from "~/ui/text-field/text-field";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { consumedInWords, needInWords, operationInWords, toTitle } from "./evidence-words";
import { saidDependency, valueButton } from "./said-dependency";

export const meta: MetaFunction = ({ matches }) => titleWithin(matches, "Dependencies");

export const handle: ApiPageHandle = {
  crumbs: ({ params }) => [
    { label: "Dependencies", href: href("/api-management/:apiId/dependencies", { apiId: params.apiId! }) },
  ],
};

/** More would make a long list to choose from: then the path is typed. */
const maxChoices = 200;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiRegistry } = viewer.backend;
  const apiId = params.apiId!;
  const resourceKey = new URL(request.url).searchParams.get("key") ?? "";
  const [resource, all] = await Promise.all([
    apiRegistry.getResource({ params: { apiId, resourceKey: resourceKey || "-" } }).then(required),
    apiRegistry.listResources({ params: { apiId }, query: { limit: maxChoices } }).then(required),
  ]);
  const choices = all.nextCursor === null ? all.items.map(({ key, item }) => ({ value: key, label: item })) : undefined;
  return { apiId, resource, choices, mayChange: viewer.may("apis:write") };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  requireScope(viewer, "apis:write");
  const { apiRegistry } = viewer.backend;
  const apiId = params.apiId!;
  const here = request.url;
  const form = await readForm(request);
  const intent = form.get("intent");
  if (intent === "confirm" || intent === "forget") {
    const submission = parseWithZod(form, { schema: valueButton });
    if (submission.status !== "success") throw new Response("No such action.", { status: 400 });
    const { resource, ...place } = submission.value;
    if (intent === "forget") required(await apiRegistry.forgetDependency({ params: { apiId }, body: place }));
    else required(await apiRegistry.setDependency({ params: { apiId }, body: { ...place, resource } }));
    return redirectWithToast(context, here, intent === "forget" ? "The document's values apply again." : "Confirmed.");
  }
  const submission = parseWithZod(form, { schema: saidDependency });
  if (submission.status !== "success") return rejected(submission);
  const wanted = { operations: [submission.value.operation] };
  const [found] = required(await apiRegistry.findOperations({ params: { apiId }, body: wanted })).items;
  if (!found) {
    const message = "The current document has no such operation";
    return rejected(submission, { status: 422, detail: message, errors: [{ path: "operation", message }] });
  }
  // As the document writes its method.
  const { method, path } = found.operation;
  const body = { ...submission.value, operation: { method, path } };
  const said = await apiRegistry.setDependency({ params: { apiId }, body });
  if (!said.ok) return rejected(submission, said.problem);
  return redirectWithToast(context, here, "Saved. New tests use it.");
}

/** One resource: every place of a request that needs its identifier, to confirm, correct or add. */
export default function ResourcePage() {
  const { resource, mayChange } = useLoaderData<typeof loader>();
  const { consumers, consumerCount } = resource;
  return (
    <>
      <PageHeading
        title={`${toTitle(resource.name)}: what needs it`}
        description={`Requests that take {${resource.parameter}} of ${resource.item}. In tests it is {{${resource.variable}}}.`}
      />
      {consumers.length === 0 ? (
        <EmptyState title="Not needed">No request contains a value that matched its identifier.</EmptyState>
      ) : (
        <Table
          caption={consumerCount > consumers.length ? `The first ${consumers.length} of ${consumerCount}` : "Requests"}
          captionHidden={consumerCount <= consumers.length}
          rows={consumers}
          rowKey={({ operation, in: location, name }) => `${operationInWords(operation)} ${location} ${name}`}
          columns={[
            {
              key: "operation",
              header: "Request",
              rowHeader: true,
              cell: ({ operation }) => <code>{operationInWords(operation)}</code>,
            },
            { key: "value", header: "Value", cell: (consumer) => consumedInWords(consumer) },
            { key: "evidence", header: "Because", cell: ({ evidence }) => needInWords(evidence) },
            ...(mayChange
              ? [
                  {
                    key: "say",
                    header: "Say",
                    headerHidden: true,
                    cell: (consumer: Consumer) => <SayButton {...consumer} />,
                  },
                ]
              : []),
          ]}
        />
      )}
      {mayChange && <SayForm />}
    </>
  );
}

function SayButton({ operation, in: location, name, resource, evidence }: Consumer) {
  const isSaid = evidence.kind === "person";
  return (
    <form method="post">
      <input type="hidden" name="operation" value={`${operation.method} ${operation.path}`} />
      <input type="hidden" name="in" value={location} />
      <input type="hidden" name="name" value={name} />
      <input type="hidden" name="resource" value={resource} />
      <Button name="intent" value={isSaid ? "forget" : "confirm"} size="small" variant="quiet">
        {isSaid ? "Forget" : "Confirm"}
        <VisuallyHidden>{` ${consumedInWords({ in: location, name })}, ${operationInWords(operation)}`}</VisuallyHidden>
      </Button>
    </form>
  );
}

function SayForm() {
  const { resource, choices } = useLoaderData<typeof loader>();
  const [form, fields] = useForm({
    id: "dependency",
    lastResult: useActionData<typeof action>(),
    defaultValue: { operation: "", in: "body", name: "", resource: resource.key },
  });
  const none = "No resource: entered manually";
  return (
    <Card title="Correct or add one" description="It overrides the document and is kept for new versions.">
      <form method="post" {...getFormProps(form)}>
        <Stack gap="large">
          <FormErrorSummary form={form} />
          <TextField label="Operation" code placeholder="POST /books" {...fieldProps(fields.operation)} />
          <Select
            label="Where in its request"
            options={["path", "query", "header", "cookie", "body"].map((value) => ({ value, label: value }))}
            {...fieldProps(fields.in)}
          />
          <TextField
            label="Name"
            hint="Name of the parameter or body member, such as book.id."
            code
            {...fieldProps(fields.name)}
          />
          {choices ? (
            <Select
              label="Comes from"
              required={false}
              placeholder={none}
              options={choices}
              {...fieldProps(fields.resource)}
            />
          ) : (
            <TextField
              label="Comes from"
              hint={`Path of a resource with {} for parameters, such as ${resource.key}. Empty: ${none.toLowerCase()}.`}
              required={false}
              code
              {...fieldProps(fields.resource)}
            />
          )}
          <Row>
            <Button variant="primary" name="intent" value="say">
              Save
            </Button>
          </Row>
        </Stack>
      </form>
    </Card>
  );
}
