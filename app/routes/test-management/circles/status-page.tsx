import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import type { CircleParams } from "~/features/circles/circle-addresses";
import { CircleTabs } from "~/features/circles/circle-tabs";
import { findManaged } from "~/features/code/find-managed.server";
import { ManagedNote } from "~/features/code/managed-note";
import { beforeStatusName } from "~/features/status/status-address";
import { checkboxProps, fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { readForm } from "~/forms/read-form.server";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { titleWithin } from "~/shell/api-header/api-handle";
import { Button, DefaultSubmit, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { Dialog } from "~/ui/dialog/dialog";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { Select } from "~/ui/select/select";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";
import { BadgeSnippets } from "./badge-snippets";
import { circleCrumbs } from "./circle-crumbs";
import { statusPageForm, toForm, toInput } from "./status-page-form";

export const meta: MetaFunction = ({ matches }) => titleWithin(matches, "Status page");

export const handle = { crumbs: circleCrumbs };

const getAddress = (location: CircleParams) =>
  href("/test-management/:apiId/test-circles/:testCircleId/status-page", location);

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const location = params as CircleParams;
  const { testRegistry, testAnalyzer } = viewer.backend;
  const [circle, { statusPage }, circles, managed] = await Promise.all([
    testRegistry.getCircle({ params: location }).then(required),
    testAnalyzer.getStatusPage({ params: location }).then(required),
    testRegistry.listCircles({ query: { limit: 200 } }).then(required),
    findManaged(viewer, "statusPage", location.testCircleId),
  ]);
  return {
    place: location,
    circle: { name: circle.name },
    managed,
    circles: circles.items.map(({ id, name }) => ({ value: id, label: name })),
    version: statusPage?.version ?? 0,
    title: statusPage?.title ?? "",
    pageUrl: statusPage && context.publicOrigin + href("/status/:address", { address: statusPage.address }),
    first: toForm(statusPage, circle.name),
    asksToClose: new URL(request.url).searchParams.get("dialog") === "close",
    mayWrite: viewer.may("tests:write"),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { testAnalyzer } = viewer.backend;
  const location = params as CircleParams;
  const form = await readForm(request.clone());
  const { statusPage: before } = required(await testAnalyzer.getStatusPage({ params: location }));
  // Drops the cached status, so that a saved change is visible at once.
  const forget = () => before && context.statuses.forget(before.address);
  if (form.get("intent") === "close") {
    required(await testAnalyzer.closeStatusPage({ params: location }));
    forget();
    return redirectWithToast(context, getAddress(location), "The status page is closed.");
  }
  const submission = await parseSubmission(request, statusPageForm);
  if (submission.status !== "success") return rejected(submission);
  const saved = await testAnalyzer.setStatusPage({
    params: location,
    body: toInput(submission.value),
    headers: { "if-match": `"${Number(form.get("version"))}"` },
  });
  if (!saved.ok) return rejected(submission, saved.problem);
  forget();
  return redirectWithToast(
    context,
    getAddress(location),
    before ? "The status page is saved." : "The status page is open.",
  );
}

export default function StatusPageSettings() {
  const { place, circle, managed, title, pageUrl, asksToClose, mayWrite } = useLoaderData<typeof loader>();
  const here = getAddress(place);
  return (
    <>
      <PageHeading
        title="Status page"
        description={`What everyone may see of ${circle.name}, and of other circles on the same page: how they stand and how their last 90 days were. Nothing of their tests, their addresses or why they failed.`}
        actions={
          pageUrl &&
          mayWrite && (
            <LinkButton href={`${here}?dialog=close`} variant="quiet" icon="trash">
              Close the page
            </LinkButton>
          )
        }
      />
      <CircleTabs {...place} current="status" />
      {pageUrl ? (
        <Notice
          title="Visible to anyone with the link, without signing in"
          actions={
            <>
              <LinkButton href={pageUrl} size="small">
                See the page
              </LinkButton>
              {mayWrite && (
                <LinkButton
                  href={href("/test-management/:apiId/test-circles/:testCircleId/status-page/subscribers", place)}
                  size="small"
                >
                  Subscribers
                </LinkButton>
              )}
            </>
          }
        />
      ) : (
        <Notice tone="neutral" title="This circle has no public page">
          {mayWrite ? "Create a page with the form below." : "Users with permission to write tests can create a page."}
        </Notice>
      )}
      <ManagedNote managed={managed} />
      {mayWrite && <StatusPageForm />}
      {pageUrl && <BadgeSnippets {...{ pageUrl, title }} />}
      {asksToClose && pageUrl && mayWrite && (
        <Dialog
          title="Close the status page?"
          message="Its address and badge return 404 immediately. If you reopen an unlisted page, it gets a new address."
          cancelHref={here}
          action={here}
          actions={[{ name: "Close the page", value: "close", style: "danger", icon: "trash" }]}
        />
      )}
    </>
  );
}

function StatusPageForm() {
  const { place, version, first, circles } = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const [form, fields] = useForm<typeof first>({
    id: "status-page",
    defaultValue: first,
    lastResult: useActionData<typeof action>() ?? stored,
  });
  const isOpen = version > 0;
  return (
    <Card title={isOpen ? "What it shows" : "Open a page"}>
      <FormErrorSummary form={form} />
      <form method="post" action={getAddress(place)} {...getFormProps(form)}>
        <input type="hidden" name="version" value={version} />
        <DefaultSubmit />
        <Stack>
          <TextField label="Title" {...fieldProps(fields.title)} />
          <TextArea
            label="Announcement"
            hint="During an incident or before maintenance: your message, shown at the top with its time until you clear this field. Failure reasons are never shown otherwise."
            required={false}
            rows={3}
            {...fieldProps(fields.message)}
          />
          <TextArea
            label="Text"
            hint="Who it is for, and where to ask. Shown as plain text."
            required={false}
            {...fieldProps(fields.text)}
          />
          <RepeatedRows
            id={fields.components.id}
            legend="Circles on the page"
            errors={fields.components.errors}
            empty="Only this circle, under the title of the page."
            addLabel="Add a circle"
            add={form.insert.getButtonProps({ name: fields.components.name })}
            rows={fields.components.getFieldList().map((row, index) => {
              const { testCircleId, name } = row.getFieldset();
              return {
                key: row.key ?? String(index),
                removeLabel: `Remove circle ${name.initialValue || index + 1}`,
                remove: form.remove.getButtonProps({ name: fields.components.name, index }),
                fields: (
                  <>
                    <Select label="Circle" placeholder="Choose" options={circles} {...fieldProps(testCircleId)} />
                    <TextField label="Public name" {...fieldProps(name)} />
                  </>
                ),
              };
            })}
          />
          <RadioGroup
            label="Address"
            options={[
              {
                value: "unguessable",
                label: "Unlisted (random URL)",
                hint: "Search engines are asked not to list it.",
              },
              { value: "named", label: "A name of your own", hint: "Public, and indexed by search engines." },
            ]}
            {...fieldProps(fields.kind)}
          />
          <TextField
            label="Name"
            hint="For a custom name: lower-case letters, digits and hyphens."
            before={beforeStatusName}
            required={false}
            {...fieldProps(fields.name)}
          />
          {isOpen && first.kind === "unguessable" && (
            <Checkbox
              label="Create a new link"
              hint="The old URL will return 404."
              {...checkboxProps(fields.newAddress)}
            />
          )}
          <Checkbox
            label="Show titles of open incidents"
            hint="They may contain test and host names. Visible to everyone."
            {...checkboxProps(fields.showsIncidents)}
          />
          <Row>
            <Button variant="primary">{isOpen ? "Save" : "Open the page"}</Button>
            <LinkButton href={href("/test-management/:apiId/test-circles/:testCircleId", place)}>Cancel</LinkButton>
          </Row>
        </Stack>
      </form>
    </Card>
  );
}
