import type { Passkey } from "#contracts/security-service/passkeys.ts";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Moment } from "~/ui/moment/moment";
import { type Column, Table } from "~/ui/table/table";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";

const columns: Column<Passkey>[] = [
  { key: "name", header: "Name", rowHeader: true, cell: ({ name }) => name },
  { key: "created", header: "Added", cell: ({ createdAt }) => <Moment value={createdAt} /> },
  {
    key: "used",
    header: "Last used",
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment value={lastUsedAt} /> : "Never"),
  },
  {
    key: "change",
    header: "Change",
    headerHidden: true,
    tight: true,
    cell: ({ id, name }) => (
      <LinkButton href={href("/profile/passkeys/:passkeyId", { passkeyId: id })} size="small">
        Rename or remove<VisuallyHidden> {name}</VisuallyHidden>
      </LinkButton>
    ),
  },
];

export function PasskeyTable({ passkeys }: { passkeys: readonly Passkey[] }) {
  return <Table caption="Passkeys" captionHidden columns={columns} rows={passkeys} rowKey={({ id }) => id} />;
}
