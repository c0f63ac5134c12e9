import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { writeDate } from "#libraries/time-zone/wall-clock.ts";
import { available, required } from "~/backend/answers";
import { HeldBackNotice } from "~/features/schedules/held-back";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { timeZoneOf } from "~/session/time-zone";
import { redirectWithToast } from "~/session/toast-message";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { Dialog } from "~/ui/dialog/dialog";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { listAddress } from "~/ui/list-page/list-address";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Pagination } from "~/ui/pagination/pagination";
import { CalendarCard } from "./calendar-card";
import { ScheduleTable } from "./schedule-table";
import { readScheduleWeek } from "./schedule-week.server";
import { weekOf } from "./week";
import { WeekBar } from "./week-bar";

export const meta: MetaFunction = () => [{ title: "Schedules · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { listSchedules, getCalendar } = viewer.backend.testRegistry;
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const cursor = search.get("cursor") || undefined;
  const timeZone = timeZoneOf(request, viewer.session);
  const now = Date.now();
  const week = weekOf(search.get("week"), timeZone, now);
  const [page, calendar] = await Promise.all([
    listSchedules({ query: { query, cursor } }).then(required),
    getCalendar().then(available),
  ]);
  const dayOf = await readScheduleWeek(viewer, page.items, { week, timeZone, now });
  return {
    ...{ query, cursor, timeZone, week },
    today: writeDate(timeZone, now),
    schedules: page.items.map((schedule) => ({
      ...schedule,
      days: week.days.map((day) => dayOf?.(schedule.id, day)),
    })),
    knowsWeek: dayOf !== undefined,
    nextCursor: page.nextCursor,
    calendar: calendar?.calendar,
    address: request.url,
    managesBilling: viewer.may("billing:manage"),
    dialog: search.get("dialog"),
  };
}

/** Makes a calendar address, which is shown at once and never again, or ends it. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { renewCalendar, deleteCalendar } = viewer.backend.testRegistry;
  switch ((await readForm(request)).get("intent")) {
    case "renewCalendar": {
      const { token } = required(await renewCalendar());
      const path = `/api/test-registry/api/v1/calendars/${token}/schedules.ics`;
      return data({ calendarAddress: context.publicOrigin + path });
    }
    case "endCalendar":
      required(await deleteCalendar());
      return redirectWithToast(context, listAddress(request.url, {}), "The calendar address has ended.");
  }
  throw new Response("There is no such action.", { status: 400 });
}

export default function Schedules() {
  const { query, cursor, timeZone, week, today, schedules, knowsWeek, nextCursor, ...shown } =
    useLoaderData<typeof loader>();
  const { calendar, address, managesBilling, dialog } = shown;
  const made = useActionData<typeof action>()?.calendarAddress;
  const reset = listAddress(address, { query: undefined });
  const nothingYet = schedules.length === 0 && !query && !cursor;
  const asking = (dialog: string) => listAddress(address, { cursor, dialog });
  return (
    <Page>
      <PageHeading title="Schedules" description="When circles run by themselves, the next to run first." />
      {nothingYet ? (
        <EmptyState
          title="No schedules yet"
          action={<LinkButton href={href("/test-management/test-circles/list")}>See the circles</LinkButton>}
        >
          A circle runs by itself once it has a schedule, which is added on its own page.
        </EmptyState>
      ) : (
        <>
          <FilterBar
            label="Filter schedules"
            search={{ label: "Search by name or circle", defaultValue: query }}
            hidden={{ week: week.days[0] }}
            resetHref={query ? reset : undefined}
          />
          <HeldBackNotice schedules={schedules} managesBilling={managesBilling} />
          <WeekBar {...{ week, timeZone, today, address, knowsWeek }} />
          {schedules.length > 0 ? (
            <ScheduleTable schedules={schedules} days={knowsWeek ? week.days : []} today={today} />
          ) : (
            <EmptyState title="No schedule matches" action={<LinkButton href={reset}>Show all schedules</LinkButton>}>
              Try fewer or other words.
            </EmptyState>
          )}
          <Pagination
            label="Pages of schedules"
            firstHref={cursor ? listAddress(address, {}) : undefined}
            nextHref={nextCursor ? listAddress(address, { cursor: nextCursor }) : undefined}
          />
        </>
      )}
      {(!nothingYet || calendar) && (
        <CalendarCard {...{ calendar, made }} renewHref={asking("renewCalendar")} endHref={asking("endCalendar")} />
      )}
      {dialog === "renewCalendar" && !made && (
        <Dialog
          title="Make a new calendar address?"
          message="The old address stops working: calendars subscribed to it get no more updates."
          cancelHref={listAddress(address, { cursor })}
          actions={[{ name: "Make a new address", value: "renewCalendar", style: "danger" }]}
        />
      )}
      {dialog === "endCalendar" && calendar && (
        <Dialog
          title="End the calendar address?"
          message="It stops working: calendars subscribed to it get no more updates. You can make a new one at any time."
          cancelHref={listAddress(address, { cursor })}
          actions={[{ name: "End the address", value: "endCalendar", style: "danger", icon: "trash" }]}
        />
      )}
    </Page>
  );
}
