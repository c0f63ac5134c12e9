import { getFormProps, useForm } from "@conform-to/react";
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { zoneChoice } from "~/features/time-zone/zone-choice.server";
import { ZoneSelect } from "~/features/time-zone/zone-select";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { readForm } from "~/forms/read-form.server";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { keepSingleKeys, readSingleKeys, singleKeys } from "~/session/single-keys";
import { keepTheme, readTheme, theme } from "~/session/theme";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { RadioGroup } from "~/ui/radio-group/radio-group";

export const meta: MetaFunction = () => [{ title: "Display · API Assurance" }];

const here = href("/profile/display");
const displayInput = z.object({ theme });
const keysInput = z.object({ intent: z.literal("keys"), singleKeys });
const keyChoices = [
  { value: "on", label: "On" },
  { value: "off", label: "Off", hint: "Ctrl+K, or ⌘K on a Mac, still opens the search." },
];
const themes = [
  { value: "system", label: "Same as the device", hint: "Light or dark, following the device." },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { session } = await requireViewer(request, context);
  return { chosen: readTheme(request), keys: readSingleKeys(request), choice: zoneChoice(request, session) };
}

export async function action({ request, context }: ActionFunctionArgs) {
  await requireViewer(request, context);
  const secure = context.publicOrigin.startsWith("https:");
  if ((await readForm(request.clone())).get("intent") === "keys") {
    const submission = await parseSubmission(request, keysInput);
    if (submission.status !== "success") return rejected(submission);
    const cookie = keepSingleKeys(submission.value.singleKeys, secure);
    return redirect(here, { status: 303, headers: { "set-cookie": cookie } });
  }
  const submission = await parseSubmission(request, displayInput);
  if (submission.status !== "success") return rejected(submission);
  return redirect(here, { status: 303, headers: { "set-cookie": keepTheme(submission.value.theme, secure) } });
}

export default function Display() {
  const { chosen, keys, choice } = useLoaderData<typeof loader>();
  const [form, fields] = useForm<{ theme: string }>({
    id: "display",
    lastResult: useActionData<typeof action>(),
    defaultValue: { theme: chosen },
  });
  const [keyForm, keyFields] = useForm<{ singleKeys: string }>({ id: "keys", defaultValue: { singleKeys: keys } });
  const [, zone] = useForm<{ timeZone: string }>({ id: "time-zone", defaultValue: { timeZone: choice.chosen } });
  return (
    <>
      <PageHeading title="Display" description="Theme, time zone and keys" />
      <form method="post" {...getFormProps(form)}>
        <Card
          title="Theme"
          description="Stored in this browser."
          footer={<Button variant="primary">Use this theme</Button>}
        >
          <Stack>
            <FormErrorSummary form={form} />
            <RadioGroup {...fieldProps(fields.theme)} label="Theme" labelHidden options={themes} />
          </Stack>
        </Card>
      </form>
      <form method="post" action={href("/time-zone")}>
        <input type="hidden" name="returnTo" value={here} />
        <Card
          title="Time zone"
          description="Used for times on pages, days in trends and alert emails. Stored with your account."
          footer={<Button variant="primary">Use this zone</Button>}
        >
          <ZoneSelect field={zone.timeZone} choice={choice} />
        </Card>
      </form>
      <form method="post" {...getFormProps(keyForm)}>
        <input type="hidden" name="intent" value="keys" />
        <Card
          title="Keys"
          description="Keys of a single character, such as / for the search and ? for the list of keys. Stored in this browser."
          footer={<Button>Save keys</Button>}
        >
          <RadioGroup {...fieldProps(keyFields.singleKeys)} label="Keys" labelHidden options={keyChoices} />
        </Card>
      </form>
    </>
  );
}
