import { getFormProps, useForm } from "@conform-to/react";
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { keepTheme, theme, themeOf } from "~/session/theme";
import { timeZoneOf } from "~/session/time-zone";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { RadioGroup } from "~/ui/radio-group/radio-group";

export const meta: MetaFunction = () => [{ title: "Display · API Assurance" }];

const here = href("/profile/display");
const displayInput = z.object({ theme });
const themes = [
  { value: "system", label: "Same as the device", hint: "Light or dark, as its settings say now." },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return { chosen: themeOf(request), timeZone: timeZoneOf(request) };
}

export async function action({ request, context }: ActionFunctionArgs) {
  await requireViewer(request, context);
  const submission = await parseSubmission(request, displayInput);
  if (submission.status !== "success") return rejected(submission);
  const secure = context.publicOrigin.startsWith("https:");
  return redirect(here, { status: 303, headers: { "set-cookie": keepTheme(submission.value.theme, secure) } });
}

export default function Display() {
  const { chosen, timeZone } = useLoaderData<typeof loader>();
  const [form, fields] = useForm<{ theme: string }>({
    id: "display",
    lastResult: useActionData<typeof action>(),
    defaultValue: { theme: chosen },
  });
  return (
    <>
      <PageHeading
        title="Display"
        description="How pages look, and the time zone they use. It is kept in this browser."
      />
      <form method="post" {...getFormProps(form)}>
        <Card title="Theme" footer={<Button variant="primary">Use this theme</Button>}>
          <Stack>
            <FormErrorSummary form={form} />
            <RadioGroup {...fieldProps(fields.theme)} label="Theme" labelHidden options={themes} />
          </Stack>
        </Card>
      </form>
      <Card
        title="Time zone"
        actions={
          <LinkButton href={href("/time-zone", { returnTo: here })} size="small">
            Change the time zone
          </LinkButton>
        }
      >
        <p>Times are shown in the time zone {timeZone.replaceAll("_", " ")}.</p>
      </Card>
    </>
  );
}
