import { fieldProps } from "~/forms/field-props";
import { Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";
import type { Fields } from "./target-fields";

interface ServiceFieldsProps {
  fields: Fields;
  /** Then a secret that is left empty remains. */
  isStored: boolean;
}

const secret = { type: "password", autoComplete: "new-password" } as const;
const stays = "Stored encrypted and never shown again. Leave it empty to keep it.";

export function TelegramFields({ fields, isStored }: ServiceFieldsProps) {
  return (
    <Stack>
      <TextField
        label="Token of the bot"
        hint={isStored ? stays : "@BotFather creates the bot and gives its token. Add the bot to the chat."}
        required={!isStored}
        {...secret}
        {...fieldProps(fields.botToken)}
        defaultValue={undefined}
      />
      <TextField
        label="Chat"
        hint="The number of the chat, or @ and the name of a public channel."
        code
        autoComplete="off"
        width="medium"
        placeholder="-1001234567890"
        {...fieldProps(fields.chatId)}
      />
      <TextField
        label="Bot API"
        hint="Leave it as it is, unless you run a Bot API server."
        code
        inputMode="url"
        autoComplete="off"
        {...fieldProps(fields.telegramUrl)}
      />
    </Stack>
  );
}

export function PagerDutyFields({ fields, isStored }: ServiceFieldsProps) {
  return (
    <Stack>
      <TextField
        label="Integration key"
        hint={
          isStored
            ? stays
            : "In PagerDuty: the service's “Integrations”, “Events API v2”. It is stored encrypted and never shown again."
        }
        required={!isStored}
        {...secret}
        {...fieldProps(fields.routingKey)}
        defaultValue={undefined}
      />
      <TextField
        label="Events API"
        hint="For accounts in the EU: https://events.eu.pagerduty.com/v2/enqueue"
        code
        inputMode="url"
        autoComplete="off"
        {...fieldProps(fields.pagerDutyUrl)}
      />
    </Stack>
  );
}
