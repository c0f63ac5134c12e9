import type { Incident } from "#contracts/test-analyzer/incidents.ts";
import { muteChoices } from "~/features/incidents/mute-choices";
import { Button, LinkButton } from "~/ui/button/button";
import { Menu, MenuButton, MenuLink } from "~/ui/menu/menu";

export interface IncidentActionsProps {
  incident: Pick<Incident, "state" | "acknowledged" | "mutedUntil">;
  /** The incident's page. */
  here: string;
}

const formId = "incident-actions";

/** The actions for an unresolved incident. */
export function IncidentActions({ incident, here }: IncidentActionsProps) {
  const { acknowledged, mutedUntil } = incident;
  return (
    <>
      <form method="post" action={here} id={formId} hidden />
      {mutedUntil ? (
        <Button form={formId} name="intent" value="unmute">
          Unmute
        </Button>
      ) : (
        <Menu label="Mute" icon="pause">
          {Object.entries(muteChoices).map(([value, { label }]) => (
            <MenuButton key={value} form={formId} name="mute" value={value}>
              {label}
            </MenuButton>
          ))}
          <MenuLink href={`${here}?dialog=mute`}>Until a date and time …</MenuLink>
        </Menu>
      )}
      <LinkButton href={`${here}?dialog=resolve`} icon="check">
        Resolve
      </LinkButton>
      {!acknowledged && (
        <Button form={formId} name="intent" value="acknowledge" variant="primary" icon="user">
          Acknowledge
        </Button>
      )}
    </>
  );
}
