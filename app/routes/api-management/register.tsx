import { getFormProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import type { Inspection } from "#contracts/api-registry/documents.ts";
import { baseUrl } from "#contracts/api-registry/environments.ts";
import { findUnanswered } from "~/features/authentication/find-need.server";
import { toHost } from "~/features/authentication/host-credentials.server";
import { PlanQuota } from "~/features/plans/plan-quota";
import { findQuota } from "~/features/plans/plan-quota.server";
import { readTags } from "~/features/test-editor/tags";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer, type Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Page } from "~/shell/page/page";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { TextField } from "~/ui/text-field/text-field";
import { documentSourceFields, requireSource } from "./document-source";
import {
  inspectSource,
  keepRejected,
  readDocumentForm,
  refusalForForm,
  type StagedFiles,
  sourceInput,
  tooLarge,
} from "./document-source.server";
import { DocumentSourceFields } from "./document-source-fields";
import { InspectionReport } from "./inspection-report";
import { tagsText } from "./settings-input";

export const meta: MetaFunction = () => [{ title: "Register an API · API Assurance" }];

const registerInput = documentSourceFields
  .extend({
    name: z.string().trim().max(200, "Use at most 200 characters").optional(),
    baseUrl: baseUrl.optional(),
    tags: tagsText.optional(),
  })
  .superRefine(requireSource);

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return { quota: await findQuota(viewer, "apis") };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const form = await readDocumentForm(request);
  if (!form) return rejectedWith(rejected(parseWithZod(new FormData(), { schema: z.object({}) }), tooLarge));
  const submission = parseWithZod(form, { schema: registerInput });
  if (submission.status !== "success") return rejectedWith(rejected(submission), await keepRejected(viewer, form));

  const fields = submission.value;
  if (form.get("intent") === "check") {
    const { inspected, kept } = await inspectSource(viewer, fields);
    if (!inspected.ok) return rejectedWith(rejected(submission, refusalForForm(inspected.problem, fields)), kept);
    const need = await findNeedOfInspected(viewer, inspected.value, fields.baseUrl);
    return data({ result: submission.reply(), inspection: inspected.value, kept, need });
  }

  const { name, baseUrl } = fields;
  const settings = { name: name || undefined, baseUrl, tags: readTags(fields.tags ?? "") };
  const registered = await viewer.backend.apiRegistry.registerApi(sourceInput(fields, settings));
  if (!registered.ok) {
    // The refusal only says that the document can't be used; the inspection says where.
    const looked = registered.status === 422 ? await inspectSource(viewer, fields) : undefined;
    const inspection = looked?.inspected.ok && !looked.inspected.value.usable ? looked.inspected.value : undefined;
    return rejectedWith(rejected(submission, refusalForForm(registered.problem, fields)), looked?.kept, inspection);
  }
  const api = registered.value;
  const found = api.problemCount > 0 ? ` Its document has ${plural(api.problemCount, "problem")}.` : "";
  const details = href("/api-management/:apiId/details", { apiId: api.id });
  const makesTests = viewer.may("tests:write") && api.operationCount > 0;
  return redirectWithToast(
    context,
    makesTests ? href("/test-management/:apiId/tests/make", { apiId: api.id }) : details,
    {
      message: `${api.name} is registered with ${plural(api.operationCount, "operation")}.${found}`,
      variant: "success",
      actions: makesTests ? [{ name: "See the API", href: details }] : undefined,
    },
  );
}

/** What the document's operations ask for and no credential of its host answers. */
async function findNeedOfInspected(viewer: Viewer, inspection: Inspection, baseUrl: string | undefined) {
  const { securitySchemes, securityRequirements = [], servers } = inspection;
  const host = toHost(baseUrl ?? servers.find(({ resolvedUrl }) => resolvedUrl)?.resolvedUrl);
  return host ? await findUnanswered(viewer, host, securityRequirements, securitySchemes) : undefined;
}

type Report = Parameters<typeof InspectionReport>[0]["inspection"];

/** The rejected form, with the content of its files. */
function rejectedWith(result: ReturnType<typeof rejected>, stored?: StagedFiles, inspection?: Report) {
  return data({ result: result.data, inspection, kept: stored, need: undefined }, result.init ?? undefined);
}

export default function Register() {
  const { quota } = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const result = useActionData<typeof action>();
  const [form, fields] = useForm<z.input<typeof registerInput>>({
    id: "register",
    lastResult: result?.result ?? stored,
  });
  const inspection = result?.inspection;
  return (
    <Page>
      <PageHeading
        title="Register an API"
        breadcrumbs={[{ label: "APIs", href: href("/api-management/list") }, { label: "Register" }]}
        description="From its OpenAPI document. Register it right away, or validate it first, which saves nothing."
      />
      <p>
        No OpenAPI document? <a href={href("/api-management/import")}>Import a collection</a> of Postman, Bruno or
        another tool: the API is created from its requests.
      </p>
      <PlanQuota quota={quota} />
      <FormErrorSummary form={form} />
      <Column width="form">
        <form method="post" encType="multipart/form-data" {...getFormProps(form)}>
          <Stack gap="huge">
            <Card title="Document">
              <DocumentSourceFields fields={fields as never} staged={result?.kept} autoFocus={!result && !stored} />
            </Card>
            <Card title="In the portal" description="You can change this later.">
              <Stack gap="large">
                <TextField
                  label="Name"
                  hint="Defaults to the document's title."
                  required={false}
                  placeholder={inspection?.title}
                  {...fieldProps(fields.name)}
                />
                <TextField
                  label="Base URL"
                  hint="Overrides the document's server URL."
                  required={false}
                  inputMode="url"
                  code
                  placeholder="https://api.example.com/v1"
                  {...fieldProps(fields.baseUrl)}
                />
                <TextField
                  label="Tags"
                  hint="Separated by commas."
                  required={false}
                  placeholder="payments, internal"
                  {...fieldProps(fields.tags)}
                />
              </Stack>
            </Card>
            {inspection && <InspectionReport inspection={inspection} next="Register it" need={result?.need} />}
            <Row>
              <Button name="intent" value="register" variant="primary">
                Register
              </Button>
              <Button name="intent" value="check">
                {inspection ? "Check again" : "Validate"}
              </Button>
            </Row>
          </Stack>
        </form>
      </Column>
    </Page>
  );
}
