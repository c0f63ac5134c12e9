import { styleText } from "node:util";
import { executionName, type ReportedExecution } from "../../services/test-executioner/domain/report/reported-run.ts";
import type { Position } from "../document/read-document.ts";
import { groupCauses, toOperation } from "./causes.ts";
import { toPlainText } from "./plain-text.ts";
import type { Report } from "./to-report.ts";
import { countOf, describeCounts, toDuration } from "./words.ts";

type Color = "green" | "red" | "yellow" | "dim" | "bold";

export interface Terminal {
  /** Writes lines in which nothing but `color` acts on the terminal, whatever they quote. */
  write(text: string): void;
  /** Words that the next lines overwrite; only where a person watches. */
  showProgress(text: string): void;
  /** Whether a person watches: each test has a line then. */
  isTerminal: boolean;
  color(color: Color, text: string): string;
}

export function openTerminal(stream: NodeJS.WriteStream): Terminal {
  const isTerminal = stream.isTTY === true;
  const isColored = isTerminal ? !process.env.NO_COLOR : Boolean(process.env.FORCE_COLOR);
  const [begin, end] = ["\ue000", "\ue001"];
  const colors: Color[] = ["green", "red", "yellow", "dim", "bold"];
  const withColors = (text: string) =>
    text.replace(/\ue000(\d)([^\ue001]*)\ue001/g, (_, index: string, inner: string) =>
      styleText(colors[Number(index)]!, inner),
    );
  let progress = "";
  const clear = () => {
    if (progress) stream.write(`\r${" ".repeat(progress.length)}\r`);
    progress = "";
  };
  return {
    isTerminal,
    write(text) {
      clear();
      stream.write(withColors(toPlainText(text)));
    },
    showProgress(text) {
      if (!isTerminal) return;
      clear();
      progress = toPlainText(text);
      stream.write(progress);
    },
    color: (color, text) => (isColored ? `${begin}${colors.indexOf(color)}${text}${end}` : text),
  };
}

const marks = {
  passed: ["green", "✓"],
  flaky: ["yellow", "✓"],
  failed: ["red", "✗"],
  errored: ["yellow", "!"],
  regional: ["yellow", "~"],
  blocked: ["yellow", "!"],
  skipped: ["dim", "-"],
} as const;

/** A circle's tests, each on a line. */
export function writeCircle(terminal: Terminal, name: string, executions: readonly ReportedExecution[]): void {
  terminal.write(`\n${terminal.color("bold", name)}\n`);
  writeMembers(terminal, executions);
}

/** Tests, each on a line. */
export function writeMembers(terminal: Terminal, executions: readonly ReportedExecution[]): void {
  for (const execution of executions) {
    const [color, mark] = marks[execution.isRegional ? "regional" : (execution.verdict ?? "skipped")];
    const { statusCode, responseMilliseconds: time } = execution;
    const measured = [statusCode, time == null ? undefined : toDuration(time)].filter(Boolean).join("  ");
    const line = `${toOperation(execution)}  ${executionName(execution)}`;
    terminal.write(`  ${terminal.color(color, mark)} ${line}  ${terminal.color("dim", measured)}\n`);
  }
}

/** The causes of failures and the counts: all that a pipe gets. */
export function writeOutcome(
  terminal: Terminal,
  { run, executions }: Report,
  locate: (operation: { method: string; path: string }) => (Position & { file: string }) | undefined,
): void {
  for (const { execution, reason, also } of groupCauses(executions)) {
    const [color, mark] = marks[execution.verdict ?? "skipped"];
    const at = locate(execution);
    terminal.write(`\n${terminal.color(color, `${mark} ${toOperation(execution)}`)}  ${executionName(execution)}\n`);
    terminal.write(`  ${reason}\n`);
    if (also.length > 0)
      terminal.write(
        terminal.color(
          "dim",
          `  Also: ${also.slice(0, 3).join("; ")}${also.length > 3 ? ` and ${also.length - 3} more` : ""}\n`,
        ),
      );
    if (at) terminal.write(terminal.color("dim", `  ${at.file}:${at.line}\n`));
  }
  for (const execution of executions.filter(({ isRegional }) => isRegional)) {
    const [color, mark] = marks.regional;
    terminal.write(`\n${terminal.color(color, `${mark} ${toOperation(execution)}`)}  ${executionName(execution)}\n`);
    terminal.write(`  Regional: ${execution.reason ?? execution.verdict}\n`);
  }
  const requests = executions.reduce((sum, { attempts }) => sum + attempts.filter(({ request }) => request).length, 0);
  const length = Date.parse(run.finishedAt!) - Date.parse(run.startedAt!);
  terminal.write(
    `\n${describeCounts(run.counts)}: ${countOf(executions.length, run.places ? "execution" : "test")}, ${countOf(requests, "request")}, ${toDuration(length)}.\n`,
  );
}
