import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { available, required } from "~/backend/responses";
import { findNeedOfOperation } from "~/features/authentication/find-need.server";
import { NeedNotice } from "~/features/authentication/need-notice";
import { codeSamples } from "~/features/code-samples/code-samples";
import { sampleRequest } from "~/features/code-samples/sample-request";
import { readGroups, toGroupKey, writeGroups } from "~/features/operation/operation-group";
import { OperationName } from "~/features/operation/operation-name";
import { PathText } from "~/features/operation/path-text";
import { findRequestServer } from "~/features/operation/request-server";
import { readRequestUpload } from "~/features/request-files/uploads.server";
import { findEnvironmentInUse } from "~/features/runs/environment-in-use.server";
import { useSavedForm } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer, type Viewer } from "~/session/guards";
import { type ApiPageHandle, getApiName } from "~/shell/api-header/api-handle";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { Method } from "~/ui/method/method";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Prose } from "~/ui/prose/prose";
import { requireApiSummary } from "../api-summary.server";
import { CodeSampleList } from "./code-sample-list";
import { exampleChoices, pickedContent } from "./example-choices";
import { ExamplePicker } from "./example-picker";
import * as styles from "./operation.css";
import { OperationSections } from "./operation-sections";
import { OperationSummary } from "./operation-summary";
import { OperationTests } from "./operation-tests";
import { findOperationTests } from "./operation-tests.server";
import { viewOperation } from "./operation-view";
import { requestBodyField } from "./request-body";
import { RequestForm } from "./request-form";
import { requestFields } from "./request-values";
import { sendFromForm, typedValues } from "./sending.server";
import { loadSidebar } from "./sidebar.server";
import { typedSamples } from "./typed-samples";
import { ViewerFrame } from "./viewer-frame";

export const meta: MetaFunction<typeof loader> = ({ data: loaded, matches }) => {
  const { method = "", path = "", summary = "" } = loaded?.view ?? {};
  return [{ title: `${summary || `${method.toUpperCase()} ${path}`}, ${getApiName(matches)} · API Assurance` }];
};

export const handle: ApiPageHandle = { makesPage: true };

function toKey(request: Request) {
  const search = new URL(request.url).searchParams;
  return { method: search.get("method") ?? "", pathName: search.get("path") ?? "" };
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const [api, chosen, result] = await Promise.all([
    requireApiSummary(viewer, apiId),
    findEnvironmentInUse(viewer, apiId),
    viewer.backend.apiRegistry.getOperation({ params: { apiId, ...toKey(request) } }).then(required),
  ]);
  const { operation, components, securitySchemes, specificationVersion } = result;
  const { baseUrl, ownServerNote } = findRequestServer(chosen, api.effectiveBaseUrl, result);
  const maySend = viewer.may("tests:run");
  const { requestBody } = operation;
  const search = new URL(request.url).searchParams;
  const example = search.get("example");
  const picked = pickedContent(result, example);
  const sampled =
    picked && requestBody ? { ...operation, requestBody: { ...requestBody, content: [picked] } } : operation;
  const [sidebar, credentials, need, tests] = await Promise.all([
    loadSidebar(viewer, api, { group: toGroupKey(operation), opened: readGroups(search) }),
    maySend ? listCredentials(viewer, result, baseUrl) : { credentials: [] },
    findNeedOfOperation(viewer, result, baseUrl),
    findOperationTests(viewer, apiId, operation),
  ]);
  return {
    apiId,
    view: viewOperation(result),
    need,
    mayStore: viewer.may("credentials:manage"),
    mayChangeApi: viewer.may("apis:write"),
    samples: codeSamples(sampleRequest(sampled, { baseUrl, securitySchemes, components, specificationVersion })),
    examples: { choices: exampleChoices(result), picked: picked && (example ?? undefined) },
    form: {
      fields: requestFields(result),
      body: requestBodyField(result, picked),
      ...credentials,
      baseUrl: baseUrl ?? "",
      environment: chosen?.name,
      ownServerNote,
    },
    sidebar,
    tests,
    now: new Date().toISOString(),
    maySend,
    mayTest: viewer.may("tests:write"),
  };
}

/** Credentials that may be sent to this host, one choice for each scheme that they fit. */
async function listCredentials(viewer: Viewer, { operation }: OperationWithComponents, baseUrl: string | null) {
  const domain = baseUrl && URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined;
  const page = available(
    await viewer.backend.securityService.listCredentials({ query: { domain, limit: 50, usedBy: "false" } }),
  );
  const schemes = [...new Set(operation.security.flat().map(({ schemeName }) => schemeName))];
  const credentials = (page?.items ?? []).flatMap(({ id, name, type }) =>
    schemes.length === 0
      ? [{ value: id, label: `${name} (${type})` }]
      : schemes.map((scheme) => ({
          value: `${id} ${scheme}`,
          label: schemes.length === 1 ? `${name} (${type})` : `${name} (${type}) for ${scheme}`,
        })),
  );
  return { credentials, stored: domain === undefined ? undefined : page?.items.map(({ name }) => name) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const result = required(
    await viewer.backend.apiRegistry.getOperation({ params: { apiId: params.apiId!, ...toKey(request) } }),
  );
  const upload = await readRequestUpload(request);
  const { form } = upload;
  const outcome = await sendFromForm(viewer, result, upload);
  return data(
    { outcome, typed: typedValues(form), samples: typedSamples(result, form) },
    { status: outcome.errors.length > 0 ? 422 : 200 },
  );
}

export default function Operation() {
  const { apiId, view, need, mayStore, mayChangeApi, samples, examples, form, sidebar, tests, now, ...may } =
    useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const stored = useSavedForm();
  const { method, path, summary, deprecated, descriptionHtml } = view;
  const operation = { method, path };
  const open = writeGroups(sidebar.opened);
  const getHref = (location: string) =>
    href("/api-management/:apiId/swagger/schema", { apiId }, { ...operation, place: location, open });
  return (
    <ViewerFrame sidebar={sidebar} current={operation}>
      <PageHeading
        title={
          summary || (
            <>
              <Method method={method} /> <PathText path={path} />
            </>
          )
        }
        description={summary && <OperationName {...operation} />}
        mark={deprecated && <Badge tone="warning">Deprecated</Badge>}
        actions={
          <>
            {may.maySend && (
              <LinkButton href="#send" icon="play" className={styles.jump}>
                Send
              </LinkButton>
            )}
            {tests && (
              <LinkButton href="#tests" icon="chevron-down" className={styles.jump}>
                Tests
              </LinkButton>
            )}
          </>
        }
      />
      <div className={styles.columns}>
        <Stack gap="huge">
          {descriptionHtml && <Prose sanitizedHtml={descriptionHtml} />}
          <OperationSummary apiId={apiId} view={view} />
          <NeedNotice
            {...{ apiId, need, mayStore, mayChangeApi }}
            returnTo={href("/api-management/:apiId/swagger/operation", { apiId }, operation)}
          />
          <OperationSections value={view} getHref={getHref} />
        </Stack>
        <aside aria-label="Calls and tests" className={styles.beside}>
          <Stack gap="huge">
            <CodeSampleList samples={result?.samples ?? samples}>
              {examples.choices.length > 0 && <ExamplePicker {...{ apiId, operation, open }} {...examples} />}
            </CodeSampleList>
            {may.maySend && (
              <RequestForm
                {...{ apiId, operation, open }}
                {...form}
                typed={result?.typed ?? (stored && Object.fromEntries(stored.entries))}
                errors={result?.outcome.errors ?? []}
                outcome={result?.outcome}
              />
            )}
            {tests && (
              <OperationTests apiId={apiId} operation={operation} tests={tests} mayTest={may.mayTest} now={now} />
            )}
          </Stack>
        </aside>
      </div>
    </ViewerFrame>
  );
}
