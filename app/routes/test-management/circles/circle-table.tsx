import type { CircleSummary } from "#contracts/test-registry/circles.ts";
import type { LocationChoices } from "~/features/locations/location-choices.server";
import { RunFromItems } from "~/features/locations/run-from";
import { RunKey } from "~/features/runs/run-key";
import { starterWords } from "~/features/runs/run-words";
import { reasonLine } from "~/features/verdict/reason-line.css";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { getEdge } from "~/features/verdict/verdict-words";
import { Button } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { joinClasses } from "~/ui/join-classes";
import { Row } from "~/ui/layout/layout";
import { listAddress } from "~/ui/list-page/list-address";
import { sortLink } from "~/ui/list-page/sort-link";
import { Menu, MenuButton, MenuLink } from "~/ui/menu/menu";
import { Ago } from "~/ui/moment/ago";
import { ZonedMoment } from "~/ui/moment/zoned-moment";
import { tickColumn } from "~/ui/selection/tick-column";
import { Strip } from "~/ui/strip/strip";
import { rowActions } from "~/ui/table/row-actions.css";
import { type Column, Table } from "~/ui/table/table";
import { wideOnly } from "~/ui/table/table.css";
import type { DisplayedCircleStatus } from "./circle-statuses.server";
import { LevelBadge } from "./level-badge";
import type { CircleSort } from "./list.server";

type ListedCircle = CircleSummary & DisplayedCircleStatus & { address: string; apiNames: string[] };

export interface CircleTableProps {
  circles: readonly ListedCircle[];
  /** The list's own address, with filters. */
  address: string;
  sort: CircleSort;
  /** Ids of the ticked circles. */
  ticked: readonly string[];
  mayRun: boolean;
  mayWrite: boolean;
  runKey: string;
  locations: LocationChoices | undefined;
  showsApis: boolean;
  /** The reference time for "ago". */
  now: string;
}

export function CircleTable({ circles, address, sort, ticked, showsApis, now, ...may }: CircleTableProps) {
  const { mayRun, mayWrite, runKey, locations } = may;
  const hasChoice = mayRun && locations !== undefined && locations.locations.length > 0;
  const columns: (Column<ListedCircle> | false)[] = [
    (mayRun || mayWrite) && tickColumn(ticked, ({ name }) => name),
    {
      key: "name",
      header: "Circle",
      rowHeader: true,
      sort: sortLink(address, sort, "name"),
      cell: ({ name, address, memberCount, order, concurrency }) => (
        <>
          <a href={address}>{name}</a>
          <div className={joinClasses(reasonLine, wideOnly)}>
            {plural(memberCount, "member")}, {order === "sequential" ? "sequential" : `${concurrency} in parallel`}
          </div>
        </>
      ),
    },
    showsApis && { key: "apis", header: "APIs", selfEvident: true, cell: ({ apiNames }) => apiNames.join(", ") || "–" },
    {
      key: "verdict",
      header: "Verdict",
      selfEvident: true,
      tight: true,
      sort: sortLink(address, sort, "verdict"),
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
      key: "started",
      header: "Last run",
      wideOnly: true,
      sort: sortLink(address, sort, "-lastRun"),
      cell: ({ last }) =>
        last ? (
          <>
            <Ago value={last.at} now={now} />
            <div className={reasonLine}>{starterWords(last)}</div>
          </>
        ) : (
          "Never"
        ),
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
                <span className={wideOnly}>Run</span>
              </Button>
            )}
            {(mayWrite || hasChoice) && (
              <Menu label={`More about ${name}`} labelHidden icon="more">
                {hasChoice && <RunFromItems choices={locations} form={`actions-${id}`} />}
                {mayWrite && (
                  <>
                    <MenuButton name="intent" value="copy" form={`actions-${id}`}>
                      Copy
                    </MenuButton>
                    <MenuLink href={listAddress(address, { dialog: "delete", testCircleId: id })}>Delete</MenuLink>
                  </>
                )}
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
