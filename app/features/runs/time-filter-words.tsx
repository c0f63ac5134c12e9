import { Row } from "~/ui/layout/layout";
import { listAddress } from "~/ui/list-page/list-address";
import { Moment } from "~/ui/moment/moment";
import type { TimeFilter } from "./run-filters";

/** The list's time range, and a link that removes it. */
export function TimeFilterWords({ from, to, what, address }: TimeFilter & { what: string; address: string }) {
  if (!from && !to) return null;
  return (
    <Row>
      <span>
        {what} {from && to ? "between" : from ? "since" : "before"} {from && <Moment value={from} />}
        {from && to && " and "}
        {to && <Moment value={to} />}.
      </span>
      <a href={listAddress(address, { from: undefined, to: undefined })}>Show any time</a>
    </Row>
  );
}
