import { getFormProps, useForm } from "@conform-to/react";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { findLocationChoices } from "~/features/locations/location-choices.server";
import { notChosen } from "~/features/locations/location-field";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { readForm } from "~/forms/read-form.server";
import { parseForm, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { getApiName } from "~/shell/api-header/api-handle";
import { Button, DefaultSubmit, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Row, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { EnvironmentRows, SharedVariables } from "./environment-fields";
import {
  environmentsInput,
  findLikelySecrets,
  type LikelySecrets,
  listLikelySecrets,
  toField,
  toVariableFields,
  toVariables,
} from "./environments-input";
import { LikelySecretsNotice, SuggestedSecrets } from "./likely-secrets";

export const meta: MetaFunction = ({ matches }) => [
  { title: `Environments of ${getApiName(matches)} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const [{ environments, shared }, locations] = await Promise.all([
    loadStored(viewer, params.apiId!),
    findLocationChoices(viewer),
  ]);
  const likely = [
    ...environments.map(({ name, variables }) => ({ environment: name, names: listLikelySecrets(variables) })),
    { environment: null, names: listLikelySecrets(shared.variables) },
  ];
  return {
    apiId: params.apiId!,
    mayRefer: viewer.may("credentials:manage"),
    first: {
      ...toVariableFields(shared),
      items: environments.map(({ name, baseUrl, locationId, ...own }) => ({
        ...{ name, formerName: name, baseUrl, locationId: locationId ?? notChosen },
        ...toVariableFields(own),
      })),
    },
    likely: likely.filter(({ names }) => names.length > 0),
    locations,
  };
}

async function loadStored({ backend }: Awaited<ReturnType<typeof requireViewer>>, apiId: string) {
  const path = { params: { apiId } };
  const [{ items }, shared] = await Promise.all([
    backend.apiRegistry.listEnvironments(path).then(required),
    backend.apiRegistry.getVariables(path).then(required),
  ]);
  return { environments: items, shared };
}

interface Outcome {
  result: ReturnType<typeof rejected>["data"];
  /** Saving waits for a decision about these. */
  likely?: LikelySecrets[];
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiRegistry } = viewer.backend;
  const form = await readForm(request);
  const submission = parseForm(form, environmentsInput);
  const refuse = ({ data: result, init }: ReturnType<typeof rejected>) => data<Outcome>({ result }, init ?? undefined);
  // Adding or removing a row is no submission: the form is rendered with the change.
  if (submission.status === undefined) return data<Outcome>({ result: submission.reply() });
  if (submission.status !== "success") return refuse(rejected(submission));
  const { value } = submission;
  const decision = form.get("likelySecrets");
  const stored = await loadStored(viewer, params.apiId!);
  const likely = findLikelySecrets(value, { variables: stored.shared.variables, environments: stored.environments });
  if (decision === null && likely.length > 0)
    return data<Outcome>({ result: submission.reply(), likely }, { status: 422 });

  const isMoved = (variables: string | undefined) => {
    const names = new Set(
      decision === "secret" ? listLikelySecrets(toVariables({ variables, secrets: [] }).variables) : [],
    );
    return (name: string) => names.has(name);
  };
  const path = { params: { apiId: params.apiId! } };
  const items = value.items.map(({ name, formerName, baseUrl, locationId, ...own }) => ({
    ...{ name, baseUrl, locationId, ...(formerName ? { formerName } : {}) },
    ...toVariables(own, isMoved(own.variables)),
  }));
  const atFields = (problem: Parameters<typeof rejected>[1] & object) =>
    refuse(
      rejected(submission, {
        ...problem,
        errors: problem.errors?.map((error) => ({ ...error, path: toField(error.path) })),
      }),
    );
  const saved = await apiRegistry.replaceEnvironments({ ...path, body: { items } });
  if (!saved.ok) return atFields(saved.problem);
  const replaced = await apiRegistry.replaceVariables({
    ...path,
    body: toVariables(value, isMoved(value.variables)),
  });
  if (!replaced.ok) return atFields(replaced.problem);
  return redirectWithToast(
    context,
    href("/api-management/:apiId/details", { apiId: params.apiId! }),
    "The environments are saved.",
  );
}

export default function Environments() {
  const { apiId, first, likely, locations, mayRefer } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>();
  const stored = useSavedResult();
  const [form, fields] = useForm<typeof first>({
    id: "environments",
    lastResult: outcome?.result ?? stored,
    defaultValue: first,
  });
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
            {outcome?.likely && <LikelySecretsNotice likely={outcome.likely} />}
            {!outcome && likely.length > 0 && <SuggestedSecrets likely={likely} />}
            <EnvironmentRows {...{ form, fields, first, mayRefer, locations }} />
            <SharedVariables {...{ form, fields, first, mayRefer }} />
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
