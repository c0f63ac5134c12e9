import type { SubmissionResult } from "@conform-to/dom";
import { getFormProps, useForm } from "@conform-to/react";
import type { OperatorAction } from "#contracts/portal-service/operated-subscriptions.ts";
import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useSavedResult } from "~/forms/use-saved-form";
import { Button, type ButtonVariant, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";

type State = Subscription["state"];

interface ActionWords {
  /** The states in which the action applies. */
  fits: readonly State[];
  name: string;
  question: string;
  consequence(plan: string): string;
  style: ButtonVariant;
}

export const subscriptionActions: Record<OperatorAction, ActionWords> = {
  activate: {
    fits: ["SUSPENDED"],
    name: "Resume",
    question: "Resume it?",
    consequence: (plan) => `PayPal collects payments from then on, and ${plan} is active again.`,
    style: "primary",
  },
  suspend: {
    fits: ["ACTIVE"],
    name: "Suspend",
    question: "Suspend it?",
    consequence: (plan) =>
      `PayPal collects nothing while it is suspended. ${plan} stays active for seven days, then the limits of Free apply. You can resume it.`,
    style: "danger",
  },
  cancel: {
    fits: ["ACTIVE", "SUSPENDED"],
    name: "Cancel",
    question: "Cancel permanently?",
    consequence: () =>
      "Cancels immediately at PayPal and can't be resumed. Nothing more is charged, the paid period stays active until it ends, and nothing is deleted.",
    style: "danger",
  },
};

const actionNames = Object.keys(subscriptionActions) as OperatorAction[];

/** The action that the address requests, if it applies. */
export const findAction = (dialog: string | null, state: State): OperatorAction | undefined =>
  actionNames.find((action) => action === dialog && subscriptionActions[action].fits.includes(state));

/** The actions that a subscription's state allows; each needs confirmation. */
export function ActionLinks({ here, state }: { here: string; state: State }) {
  return actionNames
    .filter((action) => subscriptionActions[action].fits.includes(state))
    .map((action) => (
      <LinkButton key={action} href={`${here}?dialog=${action}`}>
        {subscriptionActions[action].name}
      </LinkButton>
    ));
}

export interface ActionFormProps {
  action: OperatorAction;
  here: string;
  serviceName: string;
  result: SubmissionResult | undefined;
}

/** Asks for confirmation and a reason, which the subscriber reads. */
export function ActionForm({ action, here, serviceName, result }: ActionFormProps) {
  const { name, question, consequence, style } = subscriptionActions[action];
  const stored = useSavedResult();
  const [form, fields] = useForm<{ reason: string }>({ id: "operator-action", lastResult: result ?? stored });
  return (
    <Card title={question} description={consequence(serviceName)}>
      <form method="post" action={`${here}?dialog=${action}`} {...getFormProps(form)}>
        <Column width="form">
          <Stack>
            <FormErrorSummary form={form} />
            <TextField
              label="Reason"
              hint="One sentence. The subscriber sees it, and PayPal stores it."
              maxLength={100}
              required
              autoComplete="off"
              {...fieldProps(fields.reason)}
            />
            <Row>
              <Button variant={style} name="intent" value={action}>
                {name} the subscription
              </Button>
              <LinkButton href={here} variant="quiet">
                Leave it as it is
              </LinkButton>
            </Row>
          </Stack>
        </Column>
      </form>
    </Card>
  );
}
