import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import type { BrowserOptions } from "#contracts/security-service/passkeys.ts";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { href } from "~/href";
import { PasskeyForm } from "~/islands/passkey/passkey-form";
import { FormPage } from "~/shell/form-page/form-page";
import { Button } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";

export interface LoginCodeFormProps {
  /** Identifies the sign-in in progress. */
  challenge: string;
  redirectTo: string;
  lastResult: SubmissionResult | undefined;
  /** The first step was the organization's provider, not the password. */
  afterProvider: boolean;
  /** Whether codes of an authenticator app are accepted. */
  app: boolean;
  /** The WebAuthn options for the device; null where there are no passkeys. */
  passkey: BrowserOptions | null;
}

function toWords({ app, passkey }: Pick<LoginCodeFormProps, "app" | "passkey">): string {
  if (!passkey) return "Shown in your app. Without your phone, use a recovery code.";
  if (!app) return "Use your passkey. If you don't have it, enter a recovery code.";
  return "Use your passkey or the code from your app. If you have neither, enter a recovery code.";
}

/** The second step of signing in, for accounts with a second factor. */
export function LoginCodeForm(props: LoginCodeFormProps) {
  const { challenge, redirectTo, lastResult, afterProvider, app, passkey } = props;
  const carried = { challenge, redirectTo, ...(afterProvider ? { afterProvider: "yes" } : {}) };
  const [form, fields] = useForm<{ code: string }>({ id: "code", lastResult });
  return (
    <FormPage
      title={passkey ? "Confirm your identity" : "Enter your code"}
      description={toWords({ app, passkey })}
      below={
        <p>
          {afterProvider ? (
            <a href={href("/login/single-sign-on", { redirectTo })}>Start over with single sign-on</a>
          ) : (
            <a href={href("/login", { redirectTo })}>Start over with your password</a>
          )}
        </p>
      }
    >
      <FormErrorSummary form={form} />
      {passkey && (
        <PasskeyForm
          action={href("/login")}
          options={passkey}
          fields={{ intent: "passkey", ...carried }}
          button="Use a passkey"
          fullWidth
          withoutScript="Passkeys need JavaScript."
        />
      )}
      <form method="post" action={href("/login")} {...getFormProps(form)}>
        <Stack gap="large">
          {Object.entries(carried).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <TextField
            label={app ? "Code" : "Recovery code"}
            autoComplete="one-time-code"
            autoCapitalize="none"
            {...fieldProps(fields.code)}
            defaultValue={undefined}
          />
          <Button name="intent" value="code" variant={passkey ? undefined : "primary"} size="large" fullWidth>
            Log in
          </Button>
        </Stack>
      </form>
    </FormPage>
  );
}
