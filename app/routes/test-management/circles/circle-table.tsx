import type { CircleSummary } from "#contracts/test-registry/circles.ts";
import { RunKey } from "~/features/runs/run-key";
import { starterWords } from "~/features/runs/run-words";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { getEdge } from "~/features/verdict/verdict-words";
import { Button } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { Row } from "~/ui/layout/layout";
import { listAddress } from "~/ui/list-page/list-address";
import { Menu, MenuButton, MenuLink } from "~/ui/menu/menu";
import { ZonedMoment } from "~/ui/moment/zoned-moment";
import { Strip } from "~/ui/strip/strip";
import { rowActions } from "~/ui/table/row-actions.css";
import { type Column, Table } from "~/ui/table/table";
import type { DisplayedCircleStatus } from "./circle-statuses.server";
import { LevelBadge } from "./level-badge";

type ListedCircle = CircleSummary & DisplayedCircleStatus & { address: string; apiNames: string[] };

export interface CircleTableProps {
  circles: readonly ListedCircle[];
  /** The list's own address, with filters. */
  address: string;
  mayRun: boolean;
  mayWrite: boolean;
  runKey: string;
  showsApis: boolean;
}

export function CircleTable({ circles, address, mayRun, mayWrite, runKey, showsApis }: CircleTableProps) {
  const columns: (Column<ListedCircle> | false)[] = [
    {
      key: "name",
      header: "Circle",
      rowHeader: true,
      cell: ({ name, address }) => <a href={address}>{name}</a>,
    },
    showsApis && { key: "apis", header: "APIs", selfEvident: true, cell: ({ apiNames }) => apiNames.join(", ") || "–" },
    {
      key: "members",
      header: "Members",
      wideOnly: true,
      cell: ({ memberCount, order, concurrency }) =>
        `${plural(memberCount, "member")}, ${order === "sequential" ? "one after the other" : `${concurrency} at the same time`}`,
    },
    {
      key: "verdict",
      header: "Last run",
      selfEvident: true,
      cell: ({ last }) =>
        last ? (
          <a href={last.address}>
            <VerdictBadge status={last.status} />
          </a>
        ) : (
          <VerdictBadge status={null} />
        ),
    },
    {
      key: "trigger",
      header: "Started by",
      wideOnly: true,
      cell: ({ last }) => (last ? starterWords(last) : "–"),
    },
    {
      key: "verdicts",
      header: "Last verdicts",
      wideOnly: true,
      cell: ({ strip }) => (strip ? <Strip {...strip} /> : "–"),
    },
    circles.some(({ level }) => level) && {
      key: "level",
      header: "Service level",
      selfEvident: true,
      cell: ({ level }) => level && <LevelBadge level={level} />,
    },
    {
      key: "next",
      header: "Next run",
      cell: ({ next, isPaused }) => (next ? <ZonedMoment {...next} /> : isPaused ? "Paused" : "Not scheduled"),
    },
    (mayRun || mayWrite) && {
      key: "actions",
      header: "Actions",
      headerHidden: true,
      tight: true,
      beside: true,
      cell: ({ id, name }) => (
        <form method="post" id={`actions-${id}`}>
          <input type="hidden" name="testCircleId" value={id} />
          <RunKey value={runKey} />
          <Row gap="tiny" justify="end" className={rowActions}>
            {mayRun && (
              <Button size="small" variant="quiet" icon="play" name="intent" value="run" aria-label={`Run ${name}`}>
                Run
              </Button>
            )}
            {mayWrite && (
              <Menu label={`More about ${name}`} labelHidden icon="more">
                <MenuButton name="intent" value="copy" form={`actions-${id}`}>
                  Copy
                </MenuButton>
                <MenuLink href={listAddress(address, { dialog: "delete", testCircleId: id })}>Delete</MenuLink>
              </Menu>
            )}
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
      rowEdge={({ last }) => getEdge(last?.status)}
    />
  );
}
