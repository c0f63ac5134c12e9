import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { writeDate } from "#libraries/time-zone/wall-clock.ts";
import { available, required } from "~/backend/responses";
import { HeldBackNotice } from "~/features/schedules/held-back";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { getTimeZone } from "~/session/time-zone";
import { redirectWithToast } from "~/session/toast-message";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { Dialog } from "~/ui/dialog/dialog";
import { listAddress } from "~/ui/list-page/list-address";
import { ListPage } from "~/ui/list-page/list-page";
import { CalendarCard } from "./calendar-card";
import { ScheduleTable } from "./schedule-table";
import { readScheduleWeek } from "./schedule-week.server";
import { getWeek } from "./week";
import { WeekBar } from "./week-bar";

export const meta: MetaFunction = () => [{ title: "Schedules · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { listSchedules, getCalendar } = viewer.backend.testRegistry;
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const cursor = search.get("cursor") || undefined;
  const timeZone = getTimeZone(request, viewer.session);
  const now = Date.now();
  const week = getWeek(search.get("week"), timeZone, now);
  const [page, calendar] = await Promise.all([
    listSchedules({ query: { query, cursor } }).then(required),
    getCalendar().then(available),
  ]);
  const dayOf = await readScheduleWeek(viewer, page.items, { week, timeZone, now });
  return {
    asked: { query, cursor },
    ...{ timeZone, week },
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

/** Creates a calendar address, displayed only once, or revokes it. */
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
      return redirectWithToast(context, listAddress(request.url, {}), "Calendar link revoked.");
  }
  throw new Response("No such action.", { status: 400 });
}

export default function Schedules() {
  const { asked, timeZone, week, today, schedules, knowsWeek, nextCursor, ...shown } = useLoaderData<typeof loader>();
  const { calendar, address, managesBilling, dialog } = shown;
  const made = useActionData<typeof action>()?.calendarAddress;
  const { query, cursor } = asked;
  const nothingYet = schedules.length === 0 && !query && !cursor;
  const requesting = (dialog: string) => listAddress(address, { cursor, dialog });
  return (
    <Page>
      <ListPage
        title="Schedules"
        description="Scheduled circles by next run."
        one="schedule"
        many="schedules"
        {...{ requested: asked, address, nextCursor }}
        searchLabel="Search by name or circle"
        hidden={{ week: week.days[0] }}
        above={
          <>
            <HeldBackNotice schedules={schedules} managesBilling={managesBilling} />
            <WeekBar {...{ week, timeZone, today, address, knowsWeek }} />
          </>
        }
        isEmpty={schedules.length === 0}
        nothingYet={{
          title: "No schedules yet",
          illustration: "schedules",
          action: <LinkButton href={href("/test-management/test-circles/list")}>See the circles</LinkButton>,
          children: "Add a schedule on the circle's page to run it automatically.",
        }}
      >
        <ScheduleTable schedules={schedules} days={knowsWeek ? week.days : []} today={today} />
      </ListPage>
      {(!nothingYet || calendar) && (
        <CalendarCard
          {...{ calendar, made }}
          renewHref={requesting("renewCalendar")}
          endHref={requesting("endCalendar")}
        />
      )}
      {dialog === "renewCalendar" && !made && (
        <Dialog
          title="Create a new calendar link?"
          message="The old link stops working: subscribed calendars get no more updates."
          cancelHref={listAddress(address, { cursor })}
          actions={[{ name: "Create a new link", value: "renewCalendar", style: "danger" }]}
        />
      )}
      {dialog === "endCalendar" && calendar && (
        <Dialog
          title="Revoke the calendar link?"
          message="It stops working: subscribed calendars get no more updates. You can create a new one at any time."
          cancelHref={listAddress(address, { cursor })}
          actions={[{ name: "Revoke the link", value: "endCalendar", style: "danger", icon: "trash" }]}
        />
      )}
    </Page>
  );
}
