import { getFormProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import { statusSubscriptionInput } from "#contracts/test-analyzer/status-subscribers.ts";
import { requireStatus } from "~/features/status/require-status.server";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { HumanCheck } from "~/forms/human-check";
import { rejected } from "~/forms/submission.server";
import { findHumanCheck, readVisitorForm } from "~/forms/visitor-form.server";
import { href } from "~/href";
import { connectForVisitor } from "~/session/visitor";
import { FormPage } from "~/shell/form-page/form-page";
import { Button, LinkButton } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `Updates of ${data.title}` : "Status" },
  { name: "robots", content: "noindex" },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const address = params.address!;
  const { title } = await requireStatus(address, context);
  return {
    ...{ address, title },
    sent: new URL(request.url).searchParams.has("sent"),
    check: await findHumanCheck(await connectForVisitor(context)),
  };
}

/** The same response for every address. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const address = params.address!;
  const submission = parseWithZod(await readVisitorForm(request), { schema: statusSubscriptionInput });
  if (submission.status !== "success") return rejected(submission);
  const { backend, headers } = await connectForVisitor(context);
  const sent = await backend.testAnalyzer.subscribeToStatus({
    ...{ params: { address }, headers, body: submission.value },
  });
  if (!sent.ok) return rejected(submission, sent.problem);
  return redirect(href("/status-updates/:address", { address }, { sent: true }), 303);
}

export default function SubscribeToStatus() {
  const { address, title, sent, check } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>();
  const [form, fields] = useForm<z.input<typeof statusSubscriptionInput>>({ id: "subscribe", lastResult });
  const back = href("/status/:address", { address });
  if (sent && !lastResult) {
    return (
      <FormPage title="Look into your mailbox">
        <p>
          A link is on its way to the address you entered. Updates of {title} are sent there once it is confirmed. If
          nothing arrives, wait ten minutes before you enter it again.
        </p>
        <LinkButton href={back}>Go to the status page</LinkButton>
      </FormPage>
    );
  }
  return (
    <FormPage
      title={`Updates of ${title}`}
      description="An email for each announcement, and when a published incident opens, changes or is over. Each has a link that ends them."
      below={
        <p>
          Or read them with the <a href={href("/status/:address/feed.atom", { address })}>Atom feed</a>.
        </p>
      }
    >
      <form method="post" {...getFormProps(form)}>
        <Stack gap="large">
          <FormErrorSummary form={form} />
          <TextField
            label="Email address"
            hint="A link is sent there first, which confirms it."
            type="email"
            autoComplete="email"
            {...fieldProps(fields.email)}
          />
          <Button variant="primary" size="large" fullWidth>
            Send the link
          </Button>
          <HumanCheck check={check} id={fields.recaptchaToken.id} errors={fields.recaptchaToken.errors} />
          <LinkButton href={back} variant="quiet">
            Back to the status page
          </LinkButton>
        </Stack>
      </form>
    </FormPage>
  );
}
