import { getFormProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import { contactMessage } from "#contracts/portal-service/contact.ts";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { HumanCheck } from "~/forms/human-check";
import { rejected } from "~/forms/submission.server";
import { findHumanCheck, readVisitorForm } from "~/forms/visitor-form.server";
import { href } from "~/href";
import { findViewer } from "~/session/guards";
import { connectForVisitor } from "~/session/visitor";
import { ContactLink } from "~/shell/contact-link";
import { FormPage } from "~/shell/form-page/form-page";
import { Button, LinkButton } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";

export const meta: MetaFunction = () => [{ title: "Contact · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const requested = new URL(request.url).searchParams;
  const session = findViewer(context)?.session;
  return {
    sent: requested.has("sent"),
    known: {
      name: session?.fullName ?? "",
      email: session?.email ?? "",
      subject: requested.get("subject")?.slice(0, 200) ?? "",
    },
    check: await findHumanCheck(await connectForVisitor(context)),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const submission = parseWithZod(await readVisitorForm(request), { schema: contactMessage });
  if (submission.status !== "success") return rejected(submission);
  const { backend, headers } = await connectForVisitor(context);
  const sent = await backend.portalService.sendContactMessage({ headers, body: submission.value });
  if (!sent.ok) return rejected(submission, sent.problem);
  return redirect(href("/contact", { sent: true }), 303);
}

export default function Contact() {
  const { sent, known, check } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>();
  const [form, fields] = useForm<z.input<typeof contactMessage>>({ id: "contact", lastResult, defaultValue: known });
  if (sent && !lastResult) return <Sent />;
  return (
    <FormPage
      title="Contact"
      description="Questions, problems or suggestions. Your message is emailed to the people who run this portal."
      below={
        <>
          <p>
            Or write to <ContactLink />
          </p>
          <p>
            Most questions have a page in <a href={href("/docs")}>the documentation</a>. Is something failing? Name the
            request id that the page shows.
          </p>
        </>
      }
    >
      <form method="post" {...getFormProps(form)}>
        <Stack gap="large">
          <FormErrorSummary form={form} />
          <TextField label="Your name" autoComplete="name" {...fieldProps(fields.name)} />
          <TextField
            label="Email address"
            hint="We'll reply to this address."
            type="email"
            autoComplete="email"
            {...fieldProps(fields.email)}
          />
          <TextField label="Subject" autoComplete="off" {...fieldProps(fields.subject)} />
          <TextArea label="Message" rows={7} {...fieldProps(fields.message)} />
          <Button variant="primary" size="large" fullWidth>
            Send message
          </Button>
          <HumanCheck check={check} id={fields.recaptchaToken.id} errors={fields.recaptchaToken.errors} />
        </Stack>
      </form>
    </FormPage>
  );
}

function Sent() {
  return (
    <FormPage title="Your message was sent">
      <p>Your message was emailed to the people who run this portal. We'll reply to the address you entered.</p>
      <LinkButton href={href("/")}>Go to the start page</LinkButton>
    </FormPage>
  );
}
