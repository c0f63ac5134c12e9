import { listAddress } from "~/shell/list-address";
import { Button, LinkButton } from "~/ui/button/button";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";
import { RunKey, runKeyField } from "./run-key";

export interface RunAllProps {
  /** Enabled tests by method; undefined where there is nothing to run. */
  runnable: readonly { method: string; total: number; isSafe: boolean }[] | undefined;
  runKey: string;
  /** The page's address, at which the dialog opens too. */
  address: string;
}

const list = new Intl.ListFormat("en");
const sum = (counts: readonly { total: number }[]) => counts.reduce((total, count) => total + count.total, 0);

const cursorOf = (address: string) => new URL(address).searchParams.get("cursor") ?? undefined;

/** Runs an API's tests: safe ones with one press, those that may change data after asking. */
export function RunAll({ runnable = [], runKey, address }: RunAllProps) {
  const safe = sum(runnable.filter(({ isSafe }) => isSafe));
  const all = sum(runnable);
  return (
    <>
      {all > safe && (
        <LinkButton href={listAddress(address, { dialog: "run-all", cursor: cursorOf(address) })} icon="play">
          Run all {formatCount(all)}…
        </LinkButton>
      )}
      {safe > 0 && (
        <form method="post">
          <RunKey value={runKey} />
          <Button variant="primary" icon="play" name="intent" value="run-safe">
            {all > safe ? `Run ${formatCount(safe)} safe` : "Run all"}
          </Button>
        </form>
      )}
    </>
  );
}

/** Asks before anything that may change data is sent, and lists it by method. */
export function RunAllDialog({ runnable = [], runKey, address }: RunAllProps) {
  const unsafe = runnable.filter(({ isSafe }) => !isSafe);
  if (new URL(address).searchParams.get("dialog") !== "run-all" || unsafe.length === 0) return null;
  const methods = list.format(unsafe.map(({ method, total }) => `${formatCount(total)} ${method.toUpperCase()}`));
  return (
    <Dialog
      title={`Run ${plural(sum(unsafe), "test")} that may change data?`}
      message={`Besides the safe ones, this runs ${methods}. What they create, change or delete on the server is not undone.`}
      cancelHref={listAddress(address, { cursor: cursorOf(address) })}
      fields={{ [runKeyField]: runKey }}
      actions={[{ name: `Run all ${formatCount(sum(runnable))}`, value: "run-all", icon: "play", style: "danger" }]}
    />
  );
}
