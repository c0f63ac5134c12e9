import {
  type AlertDelivery,
  deliveryStates,
  type DeliveryState as State,
} from "#contracts/test-analyzer/alert-deliveries.ts";
import { stateWords } from "~/features/alerts/channel-words";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { Stack } from "~/ui/layout/layout";
import { listAddress } from "~/ui/list-page/list-address";
import { Moment } from "~/ui/moment/moment";
import { Pagination } from "~/ui/pagination/pagination";
import { Select } from "~/ui/select/select";
import { Table } from "~/ui/table/table";
import { DeliveryState } from "./delivery-state";

export interface DeliveriesProps {
  deliveries: readonly AlertDelivery[];
  state: State | undefined;
  cursor: string | undefined;
  nextCursor: string | null;
  /** Address of the current page. */
  address: string;
}

/** Deliveries to a channel and their results, page by page. */
export function Deliveries({ deliveries, state, cursor, nextCursor, address }: DeliveriesProps) {
  const at = (changes: Record<string, string | undefined>) => `${listAddress(address, changes)}#deliveries`;
  const nothingYet = deliveries.length === 0 && !state && !cursor;
  return (
    <section aria-labelledby="deliveries">
      <Stack>
        <h2 id="deliveries" tabIndex={-1}>
          Deliveries
        </h2>
        {nothingYet ? (
          <p>Nothing sent yet. Deliveries are listed here for 90 days.</p>
        ) : (
          <>
            <FilterBar
              label="Filter deliveries"
              action={at({ state: undefined })}
              resetHref={state ? at({ state: undefined }) : undefined}
            >
              <Select
                label="State"
                labelHidden
                name="state"
                defaultValue={state ?? ""}
                options={[
                  { value: "", label: "All states" },
                  ...deliveryStates.map((value) => ({ value, label: stateWords[value].word })),
                ]}
              />
            </FilterBar>
            {deliveries.length > 0 ? (
              <DeliveryTable deliveries={deliveries} />
            ) : (
              <EmptyState
                headingLevel={3}
                title="No matching deliveries"
                action={<LinkButton href={at({ state: undefined })}>Show all deliveries</LinkButton>}
              />
            )}
            <Pagination
              label="Pages of deliveries"
              firstHref={cursor ? at({}) : undefined}
              nextHref={nextCursor ? at({ cursor: nextCursor }) : undefined}
            />
          </>
        )}
      </Stack>
    </section>
  );
}

function DeliveryTable({ deliveries }: Pick<DeliveriesProps, "deliveries">) {
  return (
    <Table
      caption="Deliveries, newest first"
      captionHidden
      rows={deliveries}
      rowKey={({ id }) => id}
      rowEdge={({ state }) => (state === "failed" ? stateWords.failed.tone : undefined)}
      columns={[
        {
          key: "title",
          header: "What",
          rowHeader: true,
          cell: ({ id, channelId, title }) => (
            <a
              href={href("/test-management/alert-channels/:channelId/deliveries/:deliveryId", {
                channelId,
                deliveryId: id,
              })}
            >
              {title}
            </a>
          ),
        },
        { key: "state", header: "State", selfEvident: true, cell: ({ state }) => <DeliveryState state={state} /> },
        { key: "detail", header: "Outcome", wideOnly: true, cell: outcomeWords },
        { key: "tries", header: "Tries", numeric: true, tight: true, wideOnly: true, cell: ({ tries }) => tries },
        {
          key: "made",
          header: "Made",
          tight: true,
          selfEvident: true,
          cell: ({ createdAt }) => <Moment value={createdAt} />,
        },
      ]}
    />
  );
}

/** The result of the last attempt, or what the first one waits for. */
function outcomeWords({ state, detail, notBefore }: AlertDelivery) {
  if (state === "held" && notBefore) {
    return (
      <>
        Held until <Moment value={notBefore} />
      </>
    );
  }
  return detail ?? stateWords[state].meaning;
}
