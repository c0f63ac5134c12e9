import { useLocation } from "@remix-run/react";
import type { LocationChoices } from "~/features/locations/location-choices.server";
import { RunFromSelect, runFromField } from "~/features/locations/run-from";
import type { RunQuestion } from "~/features/runs/run-all.server";
import { RunKey, runKeyField } from "~/features/runs/run-key";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";
import { listAddress } from "~/ui/list-page/list-address";
import { Menu, MenuButton, MenuLink } from "~/ui/menu/menu";
import type { ApiContext } from "./find-api-header.server";

const getStart = (apiId: string) => href("/test-management/:apiId/runs/start", { apiId });

/** This page of this list, with another dialog or none. */
function useHere(): (dialog?: string) => string {
  const { pathname, search } = useLocation();
  const cursor = new URLSearchParams(search).get("cursor") ?? undefined;
  return (dialog) => listAddress(pathname + search, { cursor, dialog });
}

/** Runs tests of the API from any of its pages: safe ones at once, those that may change data after a confirmation. */
export function RunMenu({ api, testCount, runnable, executions, mayMakeTests, locations, runKey }: ApiContext) {
  const here = useHere();
  const { pathname } = useLocation();
  if (testCount === 0) {
    const make = href("/test-management/:apiId/tests/make", { apiId: api.id });
    if (!mayMakeTests || pathname === make) return null;
    return (
      <LinkButton href={make} size="small" icon="plus">
        Generate tests
      </LinkButton>
    );
  }
  const { safe = 0, all = 0 } = runnable ?? {};
  const failing = runnable && executions ? executions.failed + executions.errored : 0;
  if (all + failing === 0) return null;
  return (
    <Menu label="Run" icon="play" size="small">
      <form method="post" action={getStart(api.id)}>
        <RunKey value={runKey} />
        <input type="hidden" name="returnTo" value={here()} />
        <RunFromSelect choices={locations} id="header-run-from" />
        {safe > 0 && (
          <MenuButton name="intent" value="run-safe">
            Run {all > safe ? plural(safe, "safe test") : plural(all, "test")}
          </MenuButton>
        )}
        {failing > 0 && (
          <MenuButton name="intent" value="run-failed">
            Run {formatCount(failing)} that failed
          </MenuButton>
        )}
      </form>
      {all > safe && <MenuLink href={here("run-all")}>Run all {formatCount(all)}…</MenuLink>}
    </Menu>
  );
}

const list = new Intl.ListFormat("en");

interface RunDialogProps {
  apiId: string;
  runKey: string;
  asked: RunQuestion;
  locations: LocationChoices | undefined;
}

/** Confirms a run that may change data, with the number of requests by method. */
export function RunDialog({ apiId, runKey, asked, locations }: RunDialogProps) {
  const here = useHere();
  const runFrom = new URLSearchParams(useLocation().search).get(runFromField) ?? undefined;
  const { intent, total, unsafe } = asked;
  const methods = list.format(unsafe.map(({ method, total }) => `${formatCount(total)} ${method}`));
  const changing = unsafe.reduce((sum, one) => sum + one.total, 0);
  const others = total > changing ? "In addition to safe tests, this runs" : "This runs";
  return (
    <Dialog
      id="run-dialog"
      title={`Run ${plural(changing, "test")} that may change data?`}
      message={`${others} ${methods}. What they create, change or delete on the server is not undone.`}
      cancelHref={here()}
      action={getStart(apiId)}
      fields={{ [runKeyField]: runKey, returnTo: here(), confirmed: "yes" }}
      actions={[
        {
          name: intent === "run-all" ? `Run all ${formatCount(total)}` : `Run ${plural(total, "test")}`,
          ...{ value: intent, icon: "play", style: "danger" },
        },
      ]}
    >
      <RunFromSelect choices={locations} id="dialog-run-from" defaultValue={runFrom} form="run-dialog-form" />
    </Dialog>
  );
}
