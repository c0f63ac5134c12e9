import { useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { fieldProps } from "~/forms/field-props";
import { PageForm } from "~/forms/page-form";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";
import { type TracingForm, toFieldErrors, toFormValues, toInput, tracingForm } from "./tracing-form";

export const meta: MetaFunction = () => [{ title: "Tracing · API Assurance" }];

const here = href("/administration/tracing");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  return required(await backend.securityService.getTracing());
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const submission = await parseSubmission(request, tracingForm);
  if (submission.status !== "success") return rejected(submission);
  const saved = await backend.securityService.setTracing({ body: toInput(submission.value) });
  if (!saved.ok) {
    const errors = saved.problem.errors && toFieldErrors(submission.value.hosts, saved.problem.errors);
    return rejected(submission, { ...saved.problem, ...(errors ? { errors } : {}) });
  }
  return redirectWithToast(context, here, "Saved. It applies to requests from now on.");
}

export default function TracingSettings() {
  const tracing = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const [form, fields] = useForm<TracingForm>({
    id: "tracing",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: toFormValues(tracing),
  });
  return (
    <>
      <PageHeading
        title="Tracing"
        description="Requests of tests carry a trace context (W3C traceparent), so that your tracer shows what a request caused."
      />
      <PageForm form={form} submitLabel="Save" cancelHref={href("/administration")}>
        <Stack gap="huge">
          <Checkbox
            label="Send it to verified domains"
            hint="A test's own traceparent header is always sent as it is."
            name={fields.verifiedDomains.name}
            id={fields.verifiedDomains.id}
            defaultChecked={fields.verifiedDomains.initialValue === "on"}
          />
          <TextArea
            label="Other hosts"
            required={false}
            code
            rows={3}
            hint="One per line, e.g. staging.example.com, *.internal.example.com or 10.0.0.5:8080."
            {...fieldProps(fields.hosts)}
          />
          <TextField
            label="Link to a trace"
            required={false}
            code
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            hint={
              <>
                The address of a trace in your tracer. <code>{"{traceId}"}</code> is replaced, and{" "}
                <code>{"{spanId}"}</code> if it is there. Executions then have a link.
              </>
            }
            placeholder="https://tracer.example.com/trace/{traceId}"
            {...fieldProps(fields.linkTemplate)}
          />
        </Stack>
      </PageForm>
    </>
  );
}
