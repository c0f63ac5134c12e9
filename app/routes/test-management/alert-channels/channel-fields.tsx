import { type ChannelKind, chatKinds } from "#contracts/test-analyzer/alert-channels.ts";
import { kindWords } from "~/features/alerts/channel-words";
import { fieldProps } from "~/forms/field-props";
import { Button } from "~/ui/button/button";
import { FieldsetGroup } from "~/ui/fieldset-group/fieldset-group";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { CheckboxGroup, RadioGroup } from "~/ui/radio-group/radio-group";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";
import * as styles from "./channel-fields.css";
import { findField } from "./channel-form";
import type { FoundMembers } from "./channel-form.server";
import { PagerDutyFields, TelegramFields } from "./service-fields";
import type { Fields, TargetFieldsProps } from "./target-fields";
import { WebhookFields } from "./webhook-fields";

export function KindField({ field }: { field: Fields["kind"] }) {
  return (
    <RadioGroup
      label="Carried by"
      options={[
        { value: "mail", label: kindWords.mail, hint: "To members, and to other addresses that confirm it" },
        { value: "webhook", label: kindWords.webhook, hint: "A signed request to a server of yours" },
        { value: "slack", label: kindWords.slack, hint: "A message in a Slack channel" },
        { value: "teams", label: kindWords.teams, hint: "A card in a Microsoft Teams channel" },
        { value: "discord", label: kindWords.discord, hint: "A message in a Discord channel" },
        { value: "googleChat", label: kindWords.googleChat, hint: "A card in a Google Chat space" },
        { value: "telegram", label: kindWords.telegram, hint: "A message by a bot of yours" },
        { value: "pagerDuty", label: kindWords.pagerDuty, hint: "An alert that resolves with the incident" },
      ]}
      {...fieldProps(field)}
    />
  );
}

/** The recipients or the address. The form of a new channel contains all kinds' fields; CSS hides those of other kinds. */
export function TargetFields(props: TargetFieldsProps) {
  const { fields, members, kind, host } = props;
  const shows = (...kinds: ChannelKind[]) => kind === undefined || kinds.includes(kind);
  return (
    <>
      {shows("mail") && (
        <FieldsetGroup legend="Recipients" legendHidden className={kind ? undefined : styles.groups.mail}>
          <Stack>
            <MemberFields field={fields.memberIds} members={members} />
            <TextArea
              label="Other addresses"
              required={false}
              hint="One a line. Each is mailed a link, and gets alerts once somebody there has confirmed it."
              autoCapitalize="none"
              spellCheck={false}
              rows={3}
              {...fieldProps(fields.addresses)}
            />
          </Stack>
        </FieldsetGroup>
      )}
      {shows("webhook") && (
        <FieldsetGroup legend="Webhook" legendHidden className={kind ? undefined : styles.groups.webhook}>
          <WebhookFields {...props} />
        </FieldsetGroup>
      )}
      {shows(...chatKinds) && (
        <TextField
          label="Address of the incoming webhook"
          hint={
            host
              ? `It leads to ${host}. With it anyone can write there, so it is not shown. Leave it empty to keep it.`
              : "Slack: an app's “Incoming Webhooks”. Teams: the channel's workflow “Post to a channel when a webhook request is received”. Discord: the channel's settings, “Integrations”, “Webhooks”. Google Chat: the space's “Apps & integrations”, “Webhooks”. With this address anyone can write there, so it is stored encrypted and never shown again."
          }
          type="password"
          autoComplete="new-password"
          required={host ? false : undefined}
          className={kind ? undefined : styles.groups.chat}
          {...fieldProps(fields.secret)}
          defaultValue={undefined}
        />
      )}
      {shows("telegram") && (
        <FieldsetGroup legend="Telegram" legendHidden className={kind ? undefined : styles.groups.telegram}>
          <TelegramFields fields={fields} isStored={kind !== undefined} />
        </FieldsetGroup>
      )}
      {shows("pagerDuty") && (
        <FieldsetGroup legend="PagerDuty" legendHidden className={kind ? undefined : styles.groups.pagerDuty}>
          <PagerDutyFields fields={fields} isStored={kind !== undefined} />
        </FieldsetGroup>
      )}
    </>
  );
}

const unreachableWords = {
  disabled: "Disabled, so gets no mail",
  no_address: "Has no e-mail address, so gets no mail",
};

function MemberFields({ field, members }: { field: Fields["memberIds"]; members: FoundMembers }) {
  const { people, chosen, query, more } = members;
  if (!people) {
    return (
      <>
        <Notice tone="warning">Members can't be listed right now. Those who are chosen stay so.</Notice>
        {chosen.map((id) => (
          <input key={id} type="hidden" name={field.name} value={id} />
        ))}
      </>
    );
  }
  return (
    <>
      <CheckboxGroup
        label="Members"
        hint={
          query
            ? `Those who are chosen, and those with “${query}” in their name.`
            : more
              ? "Those who are chosen, and the first 25 by username. Find others by name."
              : undefined
        }
        name={field.name}
        id={field.id}
        errors={field.errors}
        defaultValue={chosen}
        options={people.map(({ id, fullName, username, unreachable }) => ({
          value: id,
          label: `${fullName} (${username})`,
          hint: unreachable && unreachableWords[unreachable],
        }))}
      />
      {(more || query) && (
        <Row justify="start" className={styles.finder}>
          <TextField label="Name or username" name={findField} defaultValue={query} required={false} />
          <Button formNoValidate name="intent" value="find" icon="search">
            Find members
          </Button>
        </Row>
      )}
    </>
  );
}
