import { RunKey } from "~/runs/run-key";
import { listAddress } from "~/shell/list-address";
import { plural } from "~/ui/count/plural";
import { Row } from "~/ui/layout/layout";
import { Menu, MenuButton, MenuLink } from "~/ui/menu/menu";
import { Moment } from "~/ui/moment/moment";
import { type Column, Table } from "~/ui/table/table";
import type { CircleSummary } from "../../../../services/test-registry/contract/circles.ts";

type ListedCircle = CircleSummary & { address: string; apiNames: string[] };

export interface CircleTableProps {
  circles: readonly ListedCircle[];
  /** The list's own address, with filters. */
  address: string;
  mayWrite: boolean;
  runKey: string;
  showsApis: boolean;
}

export function CircleTable({ circles, address, mayWrite, runKey, showsApis }: CircleTableProps) {
  const columns: (Column<ListedCircle> | false)[] = [
    {
      key: "name",
      header: "Circle",
      rowHeader: true,
      cell: ({ name, address }) => <a href={address}>{name}</a>,
    },
    showsApis && { key: "apis", header: "APIs", cell: ({ apiNames }) => apiNames.join(", ") || "–" },
    {
      key: "members",
      header: "Members",
      cell: ({ memberCount, order, concurrency }) =>
        `${plural(memberCount, "member")}, ${order === "sequential" ? "one after the other" : `${concurrency} at the same time`}`,
    },
    { key: "updated", header: "Changed", cell: ({ updatedAt }) => <Moment value={updatedAt} /> },
    mayWrite && {
      key: "actions",
      header: "Actions",
      headerHidden: true,
      tight: true,
      cell: ({ id, name }) => (
        <form method="post" id={`actions-${id}`}>
          <input type="hidden" name="testCircleId" value={id} />
          <RunKey value={runKey} />
          <Row place="end">
            <Menu label={`More about ${name}`} labelHidden icon="more">
              <MenuButton name="intent" value="copy" form={`actions-${id}`}>
                Copy
              </MenuButton>
              <MenuLink href={listAddress(address, { dialog: "delete", testCircleId: id })}>Delete</MenuLink>
            </Menu>
          </Row>
        </form>
      ),
    },
  ];
  return (
    <Table
      caption="Circles"
      captionHidden
      columns={columns.filter((column) => column !== false)}
      rows={circles}
      rowKey={({ id }) => id}
    />
  );
}
